"""Modules that a project still imports by the path they had before they moved up into a package around theirs."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from functools import cached_property

from done_lint.core.paths import slashed


class MovedModules:
    """Finds a module where its package is gone: `games.maze.utils` is `games/utils.py`, and nothing is `games/maze`."""

    def __init__(self, paths: Iterable[str]) -> None:
        """`paths` are all files of the project."""
        self._paths = {slashed(path): path for path in paths}
        #: The folders of the packages that no other one holds, by their names.
        self._packages: dict[str, list[str]] = {}
        for path in self._paths:
            package, name = posixpath.split(path)
            if name == "__init__.py" and f"{posixpath.dirname(package)}/__init__.py" not in self._paths:
                self._packages.setdefault(posixpath.basename(package), []).append(package)

    def of(self, module: str) -> str | None:
        """The file of a dotted module whose path has lost one package: the first that is not there."""
        first, *inside = module.split(".")
        packages = self._packages.get(first, ())
        if not first or len(packages) != 1:
            return None
        around = packages[0]
        for place, name in enumerate(inside[:-1], 1):
            if name not in self._inside(around):
                start = "/".join((around, *inside[place:]))
                files = (f"{start}.py", f"{start}/__init__.py")
                return next((self._paths[one] for one in files if one in self._paths), None)
            around = f"{around}/{name}"
        return None

    def is_gone(self, module: str) -> bool:
        """Whether the project has folders with the first name of a dotted module, and none of them has the module."""
        first, *inside = module.split(".")
        starts = self._called.get(first, ()) if first and inside else ()
        return bool(starts) and not any(self._has(start, inside) for start in starts)

    def _has(self, start: str, inside: Sequence[str]) -> bool:
        """Whether a folder has a module; what a file has inside is none that may be gone."""
        around = start
        for name in inside:
            if name not in self._inside(around):
                return f"{around}.py" in self._paths
            around = f"{around}/{name}"
        return True

    def _inside(self, folder: str) -> set[str]:
        """The names of all modules and folders in a folder."""
        return self._held.get(folder, set())

    @cached_property
    def _called(self) -> dict[str, list[str]]:
        """The folders by their last names."""
        found: dict[str, list[str]] = {}
        for folder in self._held:
            found.setdefault(posixpath.basename(folder), []).append(folder)
        return found

    @cached_property
    def _held(self) -> dict[str, set[str]]:
        """What all folders hold, without the ends of files."""
        found: dict[str, set[str]] = {}
        for path in self._paths:
            while path:
                folder, name = posixpath.split(path)
                known = found.setdefault(folder, set())
                if (name := name.removesuffix(".py")) in known or folder == path:
                    break
                known.add(name)
                path = folder
        return found
