"""What this process has read of the disk: an answer holds as long as all of that is the same."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
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
#: The same of what is read to find out which files a run is about: settings, lists of what git ignores, folders.
SOUGHT: dict[str, Seen] = {}
#: By path, what a search has found there (see `kind`).
KINDS: dict[str, str] = {}
#: Whether searches are noted: whether a whole run is kept.
_searches = [False]
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


def note_searches() -> None:
    """Note from now on what is asked to find out which files a run is about."""
    _searches[0] = True


def kind(path: str) -> str:
    """What is at a path, links followed: `file`, `folder`, `other`, `link` if it leads nowhere, empty for nothing."""
    found = _kind(path)
    if _searches[0]:
        KINDS[path] = found
    return found


def _kind(path: str) -> str:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return "link" if os.path.lexists(path) else ""
    return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"


def is_file(path: str) -> bool:
    """As `os.path.isfile`."""
    return kind(path) == "file"


def is_folder(path: str) -> bool:
    """As `os.path.isdir`."""
    return kind(path) == "folder"


def exists(path: str) -> bool:
    """As `os.path.exists`."""
    return kind(path) not in ("", "link")


def listed(folder: str) -> list[os.DirEntry[str]]:
    """What a search finds in a folder.

    Raises:
        OSError: it cannot be read.
    """
    names = ""
    try:
        found = _entries(folder, 0)
        if _searches[0]:
            names = _of_names(found, 0)
    finally:
        if _searches[0]:
            SOUGHT[os.path.join(folder, "")] = Seen(0, 0, names)
    return found


def read(path: str) -> bytes:
    """What a search reads of a file.

    Raises:
        OSError: it cannot be read.
    """
    seen = Seen(0, 0, "")
    try:
        with open(path, "rb") as file:
            status = os.stat(file.fileno())
            data = file.read()
        seen = Seen(status.st_size, status.st_mtime_ns, digest(data) if _searches[0] else "")
    finally:
        if _searches[0]:
            SOUGHT[path] = seen
    return data


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


def are_same(read: Mapping[str, Seen], kinds: Mapping[str, str], at: int) -> bool:
    """Whether all that a run has read and asked for is as it was."""
    same = all(_kind(path) == found for path, found in kinds.items())
    return same and all(is_same(path, seen, at) for path, seen in read.items())


#: In nanoseconds; some file systems count in two seconds.
_JUST = 3_000_000_000


def _of_names(found: Sequence[os.DirEntry[str]], most: int) -> str:
    if most and len(found) == most:
        return "many"
    names = sorted(f"{one.name}\0{_of_entry(one)}" for one in found if one.name not in _PASSING)
    return digest("\0".join(names).encode("utf-8", "surrogateescape"))


def _of_entry(entry: os.DirEntry[str]) -> str:
    """What an entry of a folder is, and what it leads to."""
    if not entry.is_symlink():
        return str(entry.is_dir(follow_symlinks=False))
    with suppress(OSError):
        return f"link {entry.is_dir()}{entry.is_file()}"
    return "link"
