"""Runs jobs in this process or in a pool of processes, each with a stack for deeply nested expressions."""

from __future__ import annotations

import gc
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

from done_lint.core import interrupts

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

#: Below this much source (in bytes) starting processes takes longer than the work.
_WORTH_PROCESSES = 400_000
#: Deep expressions recurse once a level, in LibCST on the native stack too: 3,000 `+` in a row are a long
#: table to a generator of code, not an attack. The stack is virtual memory, so only the used part costs anything.
_STACK = 256 * 1024 * 1024
_RECURSION = 20_000

#: This many small jobs share a deep stack: creating one takes about as long as parsing a small file.
_BATCH = 16
#: Whether this thread has a deep stack.
_here = threading.local()

Item = TypeVar("Item")
Result = TypeVar("Result")
#: Called with a label and the number of items; the context it opens is called after each item.
Progress = Callable[[str, int], AbstractContextManager[Callable[[], None]]]


@contextmanager
def silent(label: str, length: int) -> Iterator[Callable[[], None]]:
    """Show no progress."""
    yield lambda: None


class WorkerDied(Exception):
    """A process of the pool was killed: out of memory, or a crash below Python."""


class Work:
    """Maps functions over jobs, here or in a pool of processes; results come in the order of the jobs."""

    def __init__(self, progress: Progress, processes: int = 0) -> None:
        """Use at most this many processes; 0: as many as there are processors."""
        self._progress = progress
        self._most = processes or processors()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Work:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            # An interrupt must not wait for what is still in the queue.
            self._pool.shutdown(cancel_futures=True)

    def map(self, function: Callable[[Item], Result], jobs: Sequence[Item], label: str, size: int) -> list[Result]:
        """Results of all jobs, which work on `size` bytes of source together."""
        if not jobs:
            return []
        results: list[Result] = []
        with self._progress(label, len(jobs)) as advance:
            for result in self._results(function, jobs, size):
                results.append(result)
                advance()
        return results

    def map_small(
        self, function: Callable[[Item], Result], jobs: Sequence[Item], label: str, size: int
    ) -> list[Result]:
        """As `map`, for jobs so small that they share a deep stack, and which leave no reference cycles."""
        width = max(1, min(_BATCH, len(jobs) // (4 * self._most)))
        batches = [jobs[start : start + width] for start in range(0, len(jobs), width)]
        return [result for results in self.map(_Batch(function), batches, label, size) for result in results]

    def _results(self, function: Callable[[Item], Result], jobs: Sequence[Item], size: int) -> Iterable[Result]:
        processes = min(self._most, len(jobs))
        if self._pool is None and (processes < 2 or size < _WORTH_PROCESSES):
            yield from map(function, jobs)
            return
        from concurrent.futures import ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool

        width = max(1, min(16, len(jobs) // (4 * processes)))
        try:
            with interrupts.delayed():  # the handler does not know a worker that is just being started
                self._pool = self._pool or ProcessPoolExecutor(processes, initializer=_prepare)
                results = self._pool.map(function, jobs, chunksize=width)
            yield from results
        except BrokenProcessPool as error:
            raise WorkerDied("a worker process died (out of memory?)") from error


def _prepare() -> None:
    """Prepare a worker process, which leaves no reference cycles either."""
    gc.disable()
    interrupts.in_worker()


class _Batch(Generic[Item, Result]):
    """Several jobs as one."""

    def __init__(self, function: Callable[[Item], Result]) -> None:
        self._function = function

    def __call__(self, jobs: Sequence[Item]) -> list[Result]:
        return on_deep_stack(lambda: [self._function(job) for job in jobs])


def on_deep_stack(job: Callable[[], Result]) -> Result:
    """Run a job with a stack for deeply nested expressions, and without the warnings that parsing a file gives.

    The garbage collector is paused: it would walk the whole model again and again, and find nothing.
    """
    if getattr(_here, "deep", False):
        return job()
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        _here.deep = True
        try:
            results.append(job())
        except BaseException as error:
            errors.append(error)

    collecting = gc.isenabled()
    gc.disable()
    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    sys.setrecursionlimit(max(limit, _RECURSION))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
            thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()
    if errors:
        raise errors[0]
    return results[0]


def processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
