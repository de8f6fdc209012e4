"""Reads files as bytes, and writes them atomically."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

from done_lint.core import interrupts, witness


class SourceError(Exception):
    """A file that cannot be read, decoded or written; the message is one clear line."""

    def __init__(self, message: str, row: int = 1, column: int = 0) -> None:
        """`row` and `column` as in `Diagnostic`: from 1, from 0."""
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column


class TooLarge(SourceError):
    """A file, or the code in a document, that is larger than the settings allow."""

    def __init__(self, size: int, limit: int) -> None:
        """Both in bytes."""
        super().__init__(f"{_shown_size(size)}, larger than max-file-size ({_shown_size(limit)})")


def read_bytes(path: str, limit: int = 0) -> bytes:
    """Read a regular file of at most `limit` bytes; 0: of any size.

    Raises:
        SourceError: it vanished, may not be read, or is no file.
        TooLarge: it is larger, and was not read.
    """
    try:
        # A named pipe would block for ever, a device may never end.
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise SourceError("is not a regular file")
        if limit and status.st_size > limit:
            witness.note_file(path, status, None)
            raise TooLarge(status.st_size, limit)
        with open(path, "rb") as file:
            data = file.read()
        witness.note_file(path, status, data)
        return data
    except OSError as error:
        witness.note_nothing(path)
        raise SourceError(f"cannot read: {error.strerror or error}") from error
    except ValueError as error:  # a NUL inside the path
        raise SourceError(f"cannot read: {error}") from error


def _shown_size(size: int) -> str:
    """A number of bytes with a unit."""
    for unit, worth in (("MB", 1_000_000), ("kB", 1_000)):
        if size >= worth:
            return f"{size / worth:.1f}".removesuffix(".0") + f" {unit}"
    return f"{size} bytes"


@interrupts.delayed()
def write_atomically(path: str, data: bytes, root: str | None = None) -> None:
    """Replace a file by `data` in one step: after an interrupt either the old file or the new one is there.

    A symbolic link is kept: its target is written, unless that is outside `root`. The mode is kept,
    and, where the system allows it, the owner.

    Raises:
        SourceError: the file may not be written.
    """
    target = Path(os.path.realpath(path))
    if root is not None and os.path.islink(path) and not target.is_relative_to(os.path.realpath(root)):
        raise SourceError(f"is a symbolic link to a file outside the project ({target}); not written")
    temporary = ""
    try:
        status = target.stat()
        if not os.access(target, os.W_OK):
            raise PermissionError(0, "the file is read-only")
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        with contextlib.suppress(OSError, AttributeError):  # only root may give a file away; Windows has no owner
            if (status.st_uid, status.st_gid) != (os.getuid(), os.getgid()):
                os.chown(temporary, status.st_uid, status.st_gid)
        os.chmod(temporary, stat.S_IMODE(status.st_mode))
        os.replace(temporary, target)
        temporary = ""
    except OSError as error:
        raise SourceError(f"cannot write: {error.strerror or error}") from error
    finally:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
