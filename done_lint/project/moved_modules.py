"""Modules that a project still imports by the path they had before they moved up into the package around theirs."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

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
        #: What the folders hold, without the ends of files; asked for packages alone.
        self._held: dict[str, set[str]] = {}

    def of(self, module: str) -> str | None:
        """The file of a dotted module that left the second of its packages for the first."""
        first, _, inside = module.partition(".")
        gone, _, rest = inside.partition(".")
        packages = self._packages.get(first, ())
        if not rest or len(packages) != 1 or gone in self._inside(packages[0]):
            return None
        start = f"{packages[0]}/{rest.replace('.', '/')}"
        return next((self._paths[one] for one in (f"{start}.py", f"{start}/__init__.py") if one in self._paths), None)

    def _inside(self, package: str) -> set[str]:
        """The names of all modules and folders in a package."""
        if package not in self._held:
            below = (path.removeprefix(f"{package}/") for path in self._paths if path.startswith(f"{package}/"))
            self._held[package] = {path.partition("/")[0].removesuffix(".py") for path in below}
        return self._held[package]
