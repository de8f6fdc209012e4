"""What this process has read of the disk: an answer holds as long as all of that is the same."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

from done_lint.core.paths import CACHE

#: What comes and goes without being a part of a program.
_PASSING = frozenset({CACHE, "__pycache__"})


class Seen(NamedTuple):
    """A file or a folder as it was."""

    #: Of a file, in bytes; of a folder, how many of its entries counted (0: all).
    size: int
    #: Of the last change of a file, in nanoseconds.
    changed: int
    #: Of the content of a file, of the names in a folder; empty: nothing could be read.
    digest: str


#: By path, what was read; the path of a folder ends with a separator.
NOTED: dict[str, Seen] = {}
#: Stands for the content of a file that is too large to be read, or that no answer is kept of.
_UNREAD = "-"
#: Whether the content of files is noted; a list, for it changes.
_digests = [True]


@contextmanager
def noting(contents: bool) -> Iterator[None]:
    """Note the content of the files that are read in here only if an answer is kept that rests on it."""
    before, _digests[0] = _digests[0], contents
    try:
        yield
    finally:
        _digests[0] = before


def note_file(path: str, status: os.stat_result, data: bytes | None) -> None:
    """A file was read, or (None) was too large for that."""
    known = digest(data) if data is not None and _digests[0] else _UNREAD
    NOTED[path] = Seen(status.st_size, status.st_mtime_ns, known)


def note_nothing(path: str) -> None:
    """There was no such file or folder, or it could not be read."""
    NOTED[path] = Seen(0, 0, "")


def entries(folder: str, most: int = 0) -> list[os.DirEntry[str]]:
    """The first entries of a folder (0: all).

    Raises:
        OSError: it cannot be read.
    """
    path = os.path.join(folder, "")
    try:
        found = _entries(path, most)
    except OSError:
        note_nothing(path)
        raise
    NOTED[path] = Seen(most, 0, _of_names(found, most))
    return found


def _entries(folder: str, most: int) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return list(islice(found, most or None))


def digest(data: bytes) -> str:
    """A short text that no other content has."""
    return blake2b(data, digest_size=16).hexdigest()


def is_same(path: str, seen: Seen, at: int) -> bool:
    """Whether a file or folder is as it was.

    A file of the same size and time is not read, unless it had just been changed `at` that time, in nanoseconds: a
    second change would not show.
    """
    try:
        if path.endswith(os.sep):
            return _of_names(_entries(path, seen.size), seen.size) == seen.digest
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size != seen.size:
            return False
        if status.st_mtime_ns == seen.changed and seen.changed < at - _JUST:
            return bool(seen.digest)
        with open(path, "rb") as file:
            return digest(file.read()) == seen.digest
    except (OSError, ValueError):
        return not seen.digest


#: In nanoseconds; some file systems count in two seconds.
_JUST = 3_000_000_000


def _of_names(found: Sequence[os.DirEntry[str]], most: int) -> str:
    if most and len(found) == most:
        return "many"
    names = sorted(
        f"{one.name}\0{one.is_dir(follow_symlinks=False)}{one.is_symlink()}"
        for one in found
        if one.name not in _PASSING
    )
    return digest("\0".join(names).encode("utf-8", "surrogateescape"))
