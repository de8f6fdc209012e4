"""Which files of a repository git tracks: what it tracks it ignores never, whatever `.gitignore` says.

Many repositories have a line `env/` from a list for virtual environments, and a folder `env/` with environments that
was added all the same. The index is read as data (git's documentation, "gitformat-index"); git is not started.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property

from done_lint.core import witness

#: Before the name of an entry, where the objects are named by SHA-1: times, sizes, owner, the object, and flags.
_FIXED, _FLAGS = 62, 60
_EXTENDED = 0x4000
#: The first version in which a name is written as what differs from the name before.
_SHORTENED = 4
_VERSIONS = (2, 3, 4)


class Tracked:
    """The files that the index of one repository names; read when they are first asked for."""

    def __init__(self, repository: str) -> None:
        """`repository`: the folder that has `.git`."""
        self._repository = repository

    def has(self, path: str) -> bool:
        """Whether git tracks a file, or something in a folder."""
        return os.path.relpath(path, self._repository).replace(os.sep, "/") in self._names

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names of the files and of the folders around them, with slashes; none where the index cannot be read."""
        try:
            index = witness.read(os.path.join(self._repository, ".git", "index"))
            files = [os.fsdecode(name) for name in _entries(index)]
        except (OSError, ValueError, IndexError):
            return frozenset()
        found = set(files)
        for name in files:
            while (name := name.rpartition("/")[0]) and name not in found:
                found.add(name)
        return frozenset(found)


def _entries(index: bytes) -> Iterator[bytes]:
    """The names of the entries.

    Raises:
        ValueError: this is no index, or one of an unknown version, or it is cut short.
    """
    version, count = (int.from_bytes(index[place : place + 4], "big") for place in (4, 8))
    if index[:4] != b"DIRC" or version not in _VERSIONS:
        raise ValueError("no index")
    place, name = 12, b""
    for _ in range(count):
        start = place
        extended = int.from_bytes(index[start + _FLAGS : start + _FIXED], "big") & _EXTENDED
        place += _FIXED + 2 * bool(extended)
        kept = 0
        if version >= _SHORTENED:
            dropped, place = _number(index, place)
            kept = max(len(name) - dropped, 0)
        end = index.index(b"\0", place)
        name = name[:kept] + index[place:end]
        yield name
        # entries are padded to multiples of eight bytes, with one zero at least
        place = end + 1 if version >= _SHORTENED else start + (end - start) // 8 * 8 + 8


def _number(index: bytes, place: int) -> tuple[int, int]:
    """A number of several bytes, seven bits each, and the place behind it."""
    byte = index[place]
    number = byte & 127
    while byte & 128:
        place += 1
        byte = index[place]
        number = ((number + 1) << 7) | (byte & 127)
    return number, place + 1
