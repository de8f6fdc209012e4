"""Which files imports connect, in either direction, found from their text: nothing is parsed."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from done_lint.core.reach import reach
from done_lint.project import prefilter
from done_lint.project.modules import Modules


class Connections:
    """The imports between the files of a project, and the packages around each of them."""

    def __init__(self, modules: Modules, read: Callable[[str], bytes | None]) -> None:
        """`read` gives the content of a file, and None where it has none."""
        self._modules = modules
        self._read = read

    def imported(self, path: str) -> set[str]:
        """The files that one may import, and the packages around it."""
        candidates = self._modules.candidates(prefilter.imported(self._read(path) or b""), path)
        return self._modules.packages(path) | candidates

    def around(self, starts: Iterable[str], among: Iterable[str]) -> frozenset[str]:
        """Some files, and those `among` others that imports connect with them, whatever their direction."""
        linked: defaultdict[str, set[str]] = defaultdict(set)
        for path in among:
            for other in self.imported(path):
                linked[path].add(other)
                linked[other].add(path)
        return frozenset(reach(starts, linked.__getitem__))

    def small_around(self, starts: Iterable[str], among: frozenset[str], most: int) -> frozenset[str] | None:
        """The same, or None where what is found has more than `most` bytes together.

        What the files import is followed before who imports them, so that the answer for a file of a large package
        takes a few files, not all.
        """
        found: set[str] = set()
        waiting = set(starts)
        size = 0
        while waiting:
            while waiting:
                found |= waiting
                size += sum(len(self._read(path) or b"") for path in waiting & among)
                if size > most:
                    return None
                waiting = {other for path in waiting & among for other in self.imported(path)} - found
            waiting = set(self._importers(found, among - found))
        return frozenset(found)

    def _importers(self, found: set[str], others: Iterable[str]) -> Iterator[str]:
        """Those of some files that import one that was found: most do not have its name in their text."""
        names = {name.encode() for path in found for name in _names(path)}
        for path in others:
            data = self._read(path) or b""
            named = any(name in data for name in names) or prefilter.may_take_fixtures(data)
            named = named or not found.isdisjoint(self._modules.packages(path))
            if named and not found.isdisjoint(self.imported(path)):
                yield path


def _names(path: str) -> tuple[str, ...]:
    """The names in an import of a file, one of which must be there; of a package also relative ones."""
    folder, name = os.path.split(path)
    stem = name.partition(".")[0]
    return (os.path.basename(folder), "from .", "import .") if stem == "__init__" else (stem,)
