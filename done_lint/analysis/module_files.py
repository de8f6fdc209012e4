"""Which file of a project an import means."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import pairwise

from done_lint.core.paths import slashed
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import array_functions, env_packages
from done_lint.knowledge.packages import GYM_ROOTS
from done_lint.knowledge.packages_for_gym import MADE_FOR_GYM
from done_lint.project.import_folders import ImportFolders, upward
from done_lint.project.moved_modules import MovedModules
from done_lint.project.own_packages import is_own
from done_lint.project.single_modules import SingleModules

#: Packages that modules and folders of a project are called after when they adapt them.
_LIBRARIES = GYM_ROOTS | MADE_FOR_GYM | env_packages.PUBLISHED | array_functions.PACKAGES


class ModuleFiles:
    """Resolves modules to the files of a project."""

    def __init__(self, surveys: Mapping[str, Survey], root: str = "", paths: Iterable[str] = ()) -> None:
        """Index the files by the module that each of them is; absolute imports start from `root`, too.

        `paths` are all files of the project, surveyed or not (none: those that were surveyed).
        """
        self.surveys = surveys
        self.root = slashed(root).rstrip("/")
        self.paths = {slashed(path): path for path in surveys}
        #: The module that each path is.
        self.dotted = {path: self._module_name(slashed(path)) for path in surveys}
        #: Names of all files and folders: most imports mean none of them.
        self._known = {part for path in self.paths for part in path.removesuffix(".py").split("/")}
        inside = (slashed(path).removeprefix(self.root) for path in paths or surveys)
        #: The same of the whole project, below its root.
        self._names = {part for path in inside for part in path.removesuffix(".py").split("/")}
        every = self._every = sorted(map(slashed, paths or surveys))
        scripts = (posixpath.dirname(path) for path in every if posixpath.basename(path) == "setup.py")
        #: The folders that set-up scripts install packages from.
        self._install_folders = [start for folder in scripts for start in (folder, f"{folder}/src")]
        added = {path: survey.import_folders for path, survey in surveys.items()}
        self._added = ImportFolders(every, self.root, added)
        self._single = SingleModules(paths or surveys)
        self._moved = MovedModules(paths or surveys)
        self._folders = {path: posixpath.dirname(slashed(path)) for path in surveys}
        self._nearest: dict[tuple[str, str], tuple[str, ...]] = {}
        self._around: dict[str, tuple[str, ...]] = {}
        #: By importing file, module and level, the files that are meant: each import is asked for again and again.
        self._resolved: dict[tuple[str, str, int], tuple[str, ...]] = {}

    def _module_name(self, path: str) -> str:
        if self.root and path.startswith(self.root + "/"):
            path = path[len(self.root) + 1 :]
        parts = path.removesuffix(".py").strip("./").split("/")
        if parts and parts[0] == "src":
            parts = parts[1:]
        if parts and parts[-1] == "__init__":
            parts.pop()
        return ".".join(parts)

    def files_of(self, path: str, module: str, level: int) -> tuple[str, ...]:
        """The same as `file_of`, but in a folder that several scripts add, the files beside each of them.

        `from settings import Settings` in a shared folder means the settings of the script that runs.
        """
        asked = path, module, level
        if asked not in self._resolved:
            self._resolved[asked] = self._files_of(path, module, level)
        return self._resolved[asked]

    def _files_of(self, path: str, module: str, level: int) -> tuple[str, ...]:
        if (found := self._found(path, module, level)) is not None:
            return (found,)
        tail = module.replace(".", "/")
        first = module.partition(".")[0]
        if level or first not in self._known or first in _LIBRARIES:
            return ()
        places = upward(self._folders[path], self.root)
        beside = (self._existing(script, tail) for place in places for script in self._added.scripts(place))
        shared = tuple(dict.fromkeys(one for one in beside if one is not None and one != path))
        return shared or self._alone(path, module) or self._left(path, module)

    def _left(self, path: str, module: str) -> tuple[str, ...]:
        """The file of a module that left its package, where the import still names that."""
        found = None if _is_elsewhere(module.partition(".")[0]) else self._moved.of(module)
        return (found,) if found is not None and found != path and found in self.surveys else ()

    def _alone(self, path: str, module: str) -> tuple[str, ...]:
        """The one file of the project that an import can mean, where nothing near has the first name."""
        first = module.partition(".")[0]
        if _is_elsewhere(first) or self._found(path, first, 0) is not None:
            return ()
        found = self._single.of(module)
        return (found,) if found is not None and found != path and found in self.surveys else ()

    def file_of(self, path: str, module: str, level: int) -> str | None:
        """The project file that `module` means, seen from `path`: the nearest folder upward wins.

        As Python does, it prefers a package to a folder that is none: `tests/agents/` may only mirror the names.
        """
        return next(iter(self.files_of(path, module, level)), None)

    def _found(self, path: str, module: str, level: int) -> str | None:
        """The file in the folders around, in those that are added to them, and in those that are installed from."""
        folder = self._folders[path]
        tail = module.replace(".", "/")
        if level:
            for _ in range(level - 1):
                folder = posixpath.dirname(folder)
            return self._existing(folder, tail)
        first, _, rest = tail.partition("/")
        if first in self._installed:
            return self._existing(self.root, rest)
        if not tail or first not in self._known:
            return None
        hidden = first in sys.stdlib_module_names and self._is_part_of_package(path)
        library = first in _LIBRARIES
        for found in self._upward(folder, tail):
            # `envs/gym.py` adapts the library: its neighbours in the package mean the library, too
            if found == path or (hidden and _start(found, tail).rstrip("/") == folder):
                continue
            if not (self._is_inside_package(found, tail) and (library or self._is_around(found, path))):
                return found
        if rest and any(posixpath.basename(one) == "__init__.py" for one in map(slashed, self._upward(folder, first))):
            # the package is there, and lacks this module: what another project has in one of its name is not meant
            return None
        starts = (f"{self.root}/src" if self.root else "", *self._install_folders)
        installed = (self._existing(start, tail) for start in starts if start)
        return next(filter(None, installed), None)

    def _is_part_of_package(self, path: str) -> bool:
        """Whether a file is imported by a name with its folder's, so that Python does not search in that folder.

        A `random.py` beside it is `agents.random` then, and `import random` the module of the standard library.
        """
        folder, name = posixpath.split(slashed(path).removesuffix(".py"))
        return (posixpath.basename(folder), name) in self._with_folders

    @cached_property
    def _with_folders(self) -> frozenset[tuple[str, str]]:
        """Two names, one behind the other, of what is imported: of the files of the project, each with its folder's."""
        files = {tuple(path.removesuffix(".py").split("/")[-2:]) for path in self.paths}
        found: set[tuple[str, str]] = set()
        for survey in self.surveys.values():
            for module in survey.imports:
                parts = module.lstrip(".").split(".")
                found.update(pairwise(parts))
        return frozenset(one for one in found if one in files)

    def _is_inside_package(self, found: str, tail: str) -> bool:
        """Whether the folder that `tail` starts from is a package's, where absolute imports do not look."""
        return f"{_start(found, tail)}__init__.py" in self.paths

    def _is_around(self, found: str, path: str) -> bool:
        """Whether a file would import a package around it, and the program calls that by its whole name elsewhere."""
        package = slashed(found).removesuffix("__init__.py")
        inside = package.endswith("/") and slashed(path).startswith(package)
        return inside and self.dotted[found].partition(".")[0] in self._first_names

    @cached_property
    def _first_names(self) -> frozenset[str]:
        """The first names of all that is imported from the top."""
        return frozenset(module.partition(".")[0] for survey in self.surveys.values() for module in survey.imports)

    def _upward(self, folder: str, tail: str) -> tuple[str, ...]:
        """The files that `tail` means in a folder, those that its scripts add, and those around it, nearest first."""
        found = self._nearest.get((folder, tail))
        if found is None:
            near = (self._existing(one, tail) for one in (folder, *self._added.beside(folder)))
            top = folder in ("", "/", self.root)
            around = () if top else self._upward(posixpath.dirname(folder), tail)
            ordered = (*filter(None, near), *around)
            found = tuple(sorted(ordered, key=lambda one: not self._begins_with_module(one, tail)))
            self._nearest[folder, tail] = found
        return found

    def _begins_with_module(self, found: str, tail: str) -> bool:
        """Whether the first name of what was found is a module or a package, not only a folder."""
        return self._existing(_start(found, tail), tail.partition("/")[0]) is not None

    def submodule(self, path: str, module: str, name: str, level: int) -> str | None:
        """`from package import name` where `name` is a file, the package's own `__init__` included."""
        if not level and self.file_of(path, module, level) is None:
            # the package that does the importing does not find itself from inside
            folder = posixpath.dirname(slashed(path))
            if slashed(path).endswith("/__init__.py") and self.dotted.get(path) == module:
                return self._existing(folder, name)
        return self.file_of(path, f"{module}.{name}" if module else name, level)

    def inside(self, path: str, name: str) -> str | None:
        """`package.name` where `path` is the package's `__init__` and `name` a file."""
        if not slashed(path).endswith("__init__.py"):
            return None
        dotted = f"{self.dotted[path]}.{name}"
        return self.file_of(path, dotted, 0) or self._existing(posixpath.dirname(slashed(path)), name)

    def _existing(self, folder: str, tail: str) -> str | None:
        start = f"{folder.rstrip('/')}/{tail}" if folder and tail else tail or folder
        for candidate in (f"{start}.py" if tail else "", f"{start}/__init__.py" if start else "__init__.py"):
            if candidate and candidate in self.paths:
                return self.paths[candidate]
        return None

    def is_part(self, name: str) -> bool:
        """Whether a file or folder of the project has this name."""
        return name in self._names or name in self._installed

    def is_own(self, path: str, package: str) -> bool:
        """Whether what a file imports of a package is the project's, and none that is installed."""
        return is_own(package, self.surveys[path].imports, lambda one: self.file_of(path, one, 0) is not None)

    def is_gone(self, module: str) -> bool:
        """Whether a module should be the project's own, by the folder that its first name means, and is not there."""
        first = module.partition(".")[0]
        return first not in _LIBRARIES and not _is_elsewhere(first) and self._moved.is_gone(module)

    def lacks(self, module: str, part: str) -> bool:
        """Whether no file of the project can be what a module means: one of its folders is only called like a library.

        Args:
            module: dotted, as it is imported; some file or folder has its first name.
            part: a name in it that says that it is made for Gym, which may be that of a file, a folder, or something in
                a file.
        """
        around = module.split(".")[: module.split(".").index(part)]
        if not around or self.is_part(part):
            return False
        tail = "/" + "/".join(around)
        holders = (path for path in self._every if f"/{path}".endswith((f"{tail}.py", f"{tail}/__init__.py")))
        found = (self.surveys.get(self.paths.get(path, "")) for path in holders)
        return all(one is not None and part not in one.exports and not one.stars for one in found)

    @cached_property
    def _installed(self) -> frozenset[str]:
        """The names that the project itself is imported by: its root is a package, and what is named is found in it."""
        if self._existing(self.root, "") is None:
            return frozenset()
        named = {module for survey in self.surveys.values() for module in (*survey.imports, *survey.entries)}
        inside: dict[str, list[bool]] = {}
        for first, dot, rest in (module.partition(".") for module in named):
            if first and dot and not _is_elsewhere(first):
                tail = rest.replace(".", "/")
                inside.setdefault(first, []).append(not self._holds(first, tail) and self._is_below_root(tail))
        return frozenset(first for first, found in inside.items() if all(found))

    def _holds(self, first: str, tail: str) -> bool:
        """Whether a module, or a name of a module, is a file in a folder of this name, or the name is a file's."""
        if first not in self._known:
            return False
        starts = [f"/{first}/{one}" for one in (tail, posixpath.dirname(tail)) if one] + [f"/{first}"]
        ends = tuple(end for start in starts for end in (f"{start}.py", f"{start}/__init__.py"))
        return any(f"/{path}".endswith(ends) for path in self.paths)

    def _is_below_root(self, tail: str) -> bool:
        """Whether a module, or a name of a module, is a file below the root."""
        around = posixpath.dirname(tail)
        return any(self._existing(self.root, one) is not None for one in (tail, around) if one)

    def is_packaged(self, path: str) -> bool:
        """Whether a file is a package's, by its name or its place."""
        return "." in self.dotted[path] or slashed(path).endswith("/__init__.py")

    def project_wide(self) -> tuple[object, ...]:
        """What files say here about others that no import connects them with, to be compared.

        Which files there are, the folders that are added, by which names the project imports itself, and what is
        called after Gym in each file (see `lacks`).
        """
        own = {dotted.partition(".")[0] for dotted in self.dotted.values()}
        exports = {
            path: (tuple(name for name in survey.exports if "gym" in name), survey.stars)
            for path, survey in self.surveys.items()
        }
        folders = {path: survey.import_folders for path, survey in self.surveys.items() if survey.import_folders}
        return self._every, folders, self._first_names & own, self._with_folders, self._installed, exports

    def imported(self, path: str, module: str) -> set[str]:
        """The files of a module that a file imports, with leading dots where it is relative."""
        level = len(module) - len(module.lstrip("."))
        found = self.files_of(path, module[level:], level)
        if not found and not level:
            # `import games.atari` binds `games`, which may be there alone
            found = self.files_of(path, module.partition(".")[0], 0)
        return set(found)

    def packages_around(self, path: str) -> tuple[str, ...]:
        """The `__init__` files of the packages around a file, which run before it."""
        known = self._around.get(path)
        if known is None:
            known = self._around[path] = self._found_packages(path)
        return known

    def _found_packages(self, path: str) -> tuple[str, ...]:
        found: list[str] = []
        folder = posixpath.dirname(slashed(path))
        while (start := self.paths.get(f"{folder}/__init__.py" if folder else "__init__.py")) is not None:
            found.append(start)
            folder, inside = posixpath.dirname(folder), folder
            if folder == inside:
                break
        return tuple(one for one in found if one != path)


def _start(found: str, tail: str) -> str:
    """The folder that a file was found from."""
    return slashed(found).removesuffix("/__init__.py").removesuffix(".py").removesuffix(tail)


def _is_elsewhere(package: str) -> bool:
    """Whether a package is known to be no part of the project."""
    return package in sys.stdlib_module_names or package in env_packages.WITHOUT_OTHERS | MADE_FOR_GYM
