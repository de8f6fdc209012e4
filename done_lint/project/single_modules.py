"""Modules that stand once in a project: an import can mean nothing else, whatever folder a run adds to the search."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable

from done_lint.core.paths import slashed


class SingleModules:
    """Finds a module where the folders that are searched are known to the settings of a run alone.

    A test says `import wrappers` of `lib/wrappers.py`, with `lib` in the search path of the tests.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        """`paths` are all files of the project."""
        self._paths = {slashed(path): path for path in paths}
        self._by_name: defaultdict[str, list[str]] = defaultdict(list)
        for path in self._paths:
            folder, name = posixpath.split(path)
            self._by_name[posixpath.basename(folder) if name == "__init__.py" else name.removesuffix(".py")].append(
                path
            )

    def of(self, module: str) -> str | None:
        """The file of a dotted module, if there is one alone and it is no part of a package.

        What stands in a package is imported by the package's name.
        """
        tail = module.replace(".", "/")
        ends = (f"/{tail}.py", f"/{tail}/__init__.py")
        found = [path for path in self._by_name.get(posixpath.basename(tail), ()) if f"/{path}".endswith(ends)]
        if len(found) != 1:
            return None
        start = found[0].removesuffix("/__init__.py").removesuffix(".py").removesuffix(tail)
        return None if f"{start}__init__.py" in self._paths else self._paths[found[0]]
