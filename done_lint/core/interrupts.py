"""Ends the command at once when the user interrupts it (Ctrl-C) or the system asks it to end.

An exception would have to pass through thread pools and their locks, and could be lost or blocked there. So the
signal handler itself stops the worker processes and ends this one. A write that has begun is completed first.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from types import FrameType

#: What a shell reports for a command that a signal ended: this much more than the signal's number.
_STATUS = 128

#: The process that installed the handlers; a forked worker inherits them.
_process = 0
#: How many `delayed` blocks are open, and the signal that waits for their end.
_delays = 0
_waiting = 0


def install() -> None:
    """From now on an interrupt ends the process with exit status 130, and a request to terminate with 143."""
    global _process
    _process = os.getpid()
    for number in (signal.SIGINT, signal.SIGTERM):
        # A signal that is ignored (a background job of a shell) stays ignored.
        if signal.getsignal(number) not in (signal.SIG_IGN, None):
            signal.signal(number, _arrived)


@contextlib.contextmanager
def delayed() -> Iterator[None]:
    """Delay interrupts until the end of the block, which must be short."""
    global _delays
    if threading.current_thread() is not threading.main_thread():  # handlers run in the main thread only
        yield
        return
    _delays += 1
    try:
        yield
    finally:
        _delays -= 1
        if _waiting and not _delays:
            _end(_waiting)


def in_worker() -> None:
    """Prepare a worker process: the main process decides when it ends, and it does not outlive the main process."""
    from multiprocessing import parent_process

    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if (parent := parent_process()) is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    """End this process as soon as the main process has ended."""
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(_STATUS)


def _arrived(number: int, frame: FrameType | None) -> None:
    """Handle a signal, in the main thread."""
    global _waiting
    if _delays and os.getpid() == _process:
        _waiting = number
    else:
        _end(number)


def _end(number: int) -> None:
    """End the process and its workers at once."""
    if os.getpid() == _process:
        signal.signal(number, signal.SIG_IGN)  # a second one must not interrupt this
        # Without workers the module was never imported.
        if (multiprocessing := sys.modules.get("multiprocessing")) is not None:
            for worker in multiprocessing.active_children():
                worker.kill()
        with contextlib.suppress(OSError):  # stderr may be closed
            os.write(2, b"interrupted\n" if number == signal.SIGINT else b"terminated\n")
    os._exit(_STATUS + number)
