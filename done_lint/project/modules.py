"""Finds the file behind an import."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from copy import copy
from functools import cached_property

from done_lint.project.import_folders import ImportFolders
from done_lint.project.moved_modules import MovedModules
from done_lint.project.single_modules import SingleModules


class Modules:
    """The modules of a project, found by their dotted names."""

    def __init__(self, paths: Iterable[str], root: str, added: Mapping[str, Iterable[str]] | None = None) -> None:
        """`paths` are the files of the project, absolute; `added` is what files add to the search (`added_folders`)."""
        self._paths = frozenset(paths)
        self._root = root
        self._added = ImportFolders(self._paths, root, added or {})
        self._single = SingleModules(self._paths)
        self._moved = MovedModules(self._paths)
        scripts = sorted(path for path in self._paths if os.path.basename(path) == "setup.py")
        #: Where modules stand that are installed: the folders of set-up scripts, and `src` in them.
        self._installed = [
            os.path.join(folder, inside).rstrip(os.sep)
            for folder in (root, *map(os.path.dirname, scripts))
            for inside in (("src",) if folder == root else ("", "src"))
        ]
        #: Names of all files and folders: most imports refer to none of them.
        self.names = frozenset(part.removesuffix(".py") for path in self._paths for part in path.split(os.sep))
        #: By folder, because its files import similar modules: the files, and how well they match (see `_below`).
        self._resolved: dict[tuple[str, str], tuple[list[str], int]] = {}
        #: By folder, where absolute imports may start from.
        self._starts: dict[str, list[str]] = {}

    def searching(self, added: Mapping[str, Iterable[str]]) -> Modules:
        """The same modules, which imports look for in the folders `added` by files, too."""
        twin = copy(self)
        twin._added = ImportFolders(self._paths, self._root, added)
        twin._resolved, twin._starts = {}, {}
        return twin

    def resolve(self, module: str, importer: str) -> list[str]:
        """Project files that `import module` in `importer` runs: the module and the packages around it.

        `module` is dotted, with leading dots where it is relative; its last names may be members of a module. Of the
        folders upward the one that has most of the names is chosen, and of those the nearest, as for a script beside
        its modules: `game.memory` is not in `game/agent/game.py`. As Python does, a package is preferred to a folder
        that is none: `tests/agents/` may only mirror the names of what it tests.
        """
        found = self._from(os.path.dirname(importer), module)[0]
        if (moved := self._moved.of(module)) is not None:
            return [*found, moved]
        return found or self._alone(module)

    def has(self, module: str, importer: str) -> bool:
        """Whether a file of the project is the module that `import module` in `importer` names, as a whole."""
        tail = module.replace(".", os.sep)
        ends = (f"{os.sep}{tail}.py", f"{os.sep}{tail}{os.sep}__init__.py")
        return any(path.endswith(ends) for path in self.resolve(module, importer))

    def candidates(self, modules: Iterable[str], importer: str) -> set[str]:
        """All files that these imports can refer to, whichever folder the search starts from."""
        folder = os.path.dirname(importer)
        found: set[str] = set()
        for module in modules:
            name = module.lstrip(".")
            if len(name) < len(module):
                found.update(self._from(folder, module)[0])
            elif (first := name.partition(".")[0]) in self.names:
                holders = self._holders[first]
                places = (place for place in self._upward(folder) if place in holders)
                found.update(file for place in places for file in self._below(place, name.split("."))[0])
                found.update(self._alone(name))
                if (moved := self._moved.of(name)) is not None:
                    found.add(moved)
        return found

    def _alone(self, module: str) -> list[str]:
        """The file that an absolute import can mean, wherever it stands."""
        found = self._single.of(module) if not module.startswith(".") else None
        return [found] if found is not None else []

    @cached_property
    def _holders(self) -> Mapping[str, Set[str]]:
        """The folders that hold a module or a folder of each name."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        known: set[str] = set()
        for path in self._paths:
            while path not in known:
                known.add(path)
                folder, name = os.path.split(path)
                found[name.removesuffix(".py")].add(folder.rstrip(os.sep))
                path = folder
        return found

    def packages(self, path: str) -> set[str]:
        """The `__init__` files of the two nearest packages around a file."""
        folder = os.path.dirname(path)
        return {*self._package(folder), *self._package(os.path.dirname(folder))} - {path}

    def _upward(self, folder: str) -> list[str]:
        """The folders that an absolute import may start from: this one and those around it in the project."""
        if (known := self._starts.get(folder)) is not None:
            return known
        start, places = folder, []
        while folder.startswith(self._root):
            places.append(folder)
            if folder == os.path.dirname(folder):
                break
            folder = os.path.dirname(folder)
        added = [one for place in places for one in (*self._added.beside(place), *self._added.scripts(place))]
        found = self._starts[start] = [*places, *added, *self._installed]
        return found

    def _from(self, folder: str, module: str) -> tuple[list[str], int]:
        found = self._resolved.get((folder, module))
        if found is None:
            found = self._resolved[folder, module] = self._resolve(module, folder)
        return found

    def _resolve(self, module: str, folder: str) -> tuple[list[str], int]:
        name = module.lstrip(".")
        parts = name.split(".") if name else []
        dots = len(module) - len(name)
        if dots:
            for _ in range(dots - 1):
                folder = os.path.dirname(folder)
            files, depth = self._below(folder, parts)
            return self._package(folder) + files, depth
        if parts[:1] and parts[0] not in self.names:
            return [], 0
        if not folder.startswith(self._root):
            return max((self._below(start, parts) for start in self._installed), key=lambda found: found[1])
        here = self._near(folder, parts)
        if here[1] > 2 * len(parts) or folder == os.path.dirname(folder):  # nothing is around the root of the system
            return here
        around = self._from(os.path.dirname(folder), name)
        return around if around[1] > here[1] else here

    def _near(self, folder: str, parts: Sequence[str]) -> tuple[list[str], int]:
        """The same as `_below`, in a folder or in one that is searched with it."""
        here = self._below(folder, parts)
        added = [self._below(one, parts) for one in (*self._added.beside(folder), *self._added.scripts(folder))]
        best = max((depth for _, depth in added), default=0)
        if here[1] >= best:
            return here
        # each script means the module beside itself
        return [file for files, depth in added if depth == best for file in files], best

    def _below(self, folder: str, parts: Sequence[str]) -> tuple[list[str], int]:
        """The files of a module below a folder, and how well they match: in names, then in what the first one is."""
        if parts and folder.rstrip(os.sep) not in self._holders.get(parts[0], ()):
            return [], 0
        found: list[str] = []
        known = packaged = 0
        for depth, part in enumerate(parts, 1):
            folder = f"{folder}{os.sep}{part}"
            files = [path for path in (f"{folder}.py", f"{folder}{os.sep}__init__.py") if path in self._paths]
            found += files
            known = depth if files else known
            packaged = 1 if files and depth == 1 else packaged
        return found, 2 * known + packaged

    def _package(self, folder: str) -> list[str]:
        path = f"{folder}{os.sep}__init__.py"
        return [path] if path in self._paths else []
