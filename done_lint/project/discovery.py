"""Finds files: those that are asked for, the project around them, and the modules in it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from done_lint.core.paths import NOTEBOOKS, PROSE
from done_lint.project.requirement_files import is_requirements_file
from done_lint.project.settings import Settings

if TYPE_CHECKING:
    import pathspec

#: Folders that hold no code of the project, whatever the configuration says.
EXCLUDED_FOLDERS = frozenset(
    """
    .bzr .direnv .eggs .git .git-rewrite .hg .hypothesis .ipynb_checkpoints .mypy_cache .nox .pants.d .pyenv
    .pytest_cache .pytype .ruff_cache .svn .tox .venv .vscode __pycache__ __pypackages__ _build buck-out build
    dist node_modules site-packages venv
    """.split()
)
#: A folder with this file is a virtual environment, whatever its name.
_VIRTUAL_ENVIRONMENT = "pyvenv.cfg"
_PROJECT_MARK = "pyproject.toml"
_INSTALLED = "site-packages"

SettingsOf = Callable[[str], Settings]


class MissingPath(Exception):
    """A path that was asked for and is not there."""


@dataclass(slots=True)
class Project:
    """A folder whose files are linked together, and the files in it that were asked for."""

    root: str
    settings: Settings
    #: Absolute paths, sorted, each once.
    asked: list[str] = field(default_factory=list)
    #: Absolute paths, sorted, of the files that name the packages of the project.
    requirements: list[str] = field(default_factory=list)
    #: Folders that were asked for and cannot be read, with the reason.
    unreadable: dict[str, str] = field(default_factory=dict)
    #: No other file belongs to the project: text from standard input without a name.
    alone: bool = False

    @property
    def endings(self) -> tuple[str, ...]:
        """How the names of files end that hold Python."""
        return _endings(self.settings)

    def files(self) -> list[str]:
        """All files of the project that hold Python, those asked for among them, sorted."""
        found = set(self.asked)
        if self.alone:
            pass
        elif _is_shared(self.root):
            # Not a project, only a shared folder: take the neighbors of a script, not all of a home folder.
            for folder in {os.path.dirname(path) for path in self.asked}:
                found.update(_files_in(folder, self.endings))
        else:
            found.update(path for path, root in walk(self.root, lambda _: self.settings) if root == self.root)
        return sorted(found)


def projects(paths: Sequence[str], settings_of: SettingsOf, *, force_exclude: bool = False) -> list[Project]:
    """Group the files that `paths` ask for by their project.

    A file that is given by its name is always included, unless `force_exclude` holds and it is excluded. Of a folder
    the Python files and notebooks are included, with `include-docs` the documents, and the files that name its
    packages, except those that a pattern inside of it excludes; whether git ignores the folder itself does not count.

    Raises:
        MissingPath: a path does not exist.
    """
    found: dict[str, Project] = {}
    seen: set[str] = set()

    def project(root: str) -> Project:
        return found.setdefault(root, Project(root, settings_of(root)))

    def ask(path: str, root: str) -> None:
        if path not in seen:
            seen.add(path)
            asking = project(root)
            (asking.requirements if is_requirements_file(path) else asking.asked).append(path)

    def refuse(folder: str, root: str, error: OSError) -> None:
        project(root).unreadable[folder] = error.strerror or str(error)

    for given in paths:
        path = os.path.abspath(given)
        if not exists(given):
            raise MissingPath(given)
        root = project_root(path)
        if force_exclude and is_excluded(path, settings_of):
            continue
        if not os.path.isdir(path):
            ask(path, root)
            continue
        for file, nested in walk(path, settings_of, root, requirements=True, refuse=refuse):
            ask(file, nested)
    for one in found.values():
        one.asked.sort()
        one.requirements.sort()
    return [found[root] for root in sorted(found)]


def exists(given: str) -> bool:
    """Whether there is a file or folder of that name, or a broken link."""
    return bool(given) and os.path.lexists(os.path.abspath(given))


def is_excluded(path: str, settings_of: SettingsOf) -> bool:
    """Whether a walk from the project's root would leave out a path that was given by name."""
    root = project_root(path, through=True)
    settings = settings_of(root)
    inside = os.path.relpath(path, root).split(os.sep)
    folders = inside if os.path.isdir(path) else inside[:-1]
    if settings.excludes(path, folder=os.path.isdir(path)) or not EXCLUDED_FOLDERS.isdisjoint(folders):
        return True
    return _is_ignored(path, root)


def _is_ignored(path: str, root: str) -> bool:
    """Whether git ignores a path: a pattern may name only a folder above it."""
    repository = _repository(path, root)
    ignored = _Ignored.of_repository(repository)
    reached = repository
    for part in Path(path).relative_to(repository).parts:
        ignored = ignored.deeper(reached, os.path.join(reached, ".gitignore"))
        reached = os.path.join(reached, part)
        if ignored.hides(reached, folder=os.path.isdir(reached)):
            return True
    return False


def _repository(path: str, root: str) -> str:
    """The folder of the repository around a path, or else that of its project."""
    parents = (path, *map(str, Path(path).parents))
    return next((folder for folder in parents if os.path.exists(os.path.join(folder, ".git"))), root)


def project_root(path: str, *, through: bool = False) -> str:
    """The folder that a file or folder is linked with: the nearest `pyproject.toml`, else the git root, else itself.

    The search ends at the packages of an environment, unless `through` is set.
    """
    start = path if os.path.isdir(path) else os.path.dirname(path)
    git = ""
    folder = start
    while not _is_shared(folder):
        if os.path.isfile(os.path.join(folder, _PROJECT_MARK)):
            return folder
        if not git and os.path.exists(os.path.join(folder, ".git")):
            git = folder
        # What is installed into a project's environment is not the project.
        if os.path.basename(folder) == _INSTALLED and not through:
            break
        folder = os.path.dirname(folder)
    return git or start


def walk(
    top: str,
    settings_of: SettingsOf,
    root: str = "",
    *,
    requirements: bool = False,
    refuse: Callable[[str, str, OSError], None] | None = None,
) -> Iterator[tuple[str, str]]:
    """The Python files and notebooks below `top`, each with the root of its project, in no particular order.

    With the setting `include-docs`, also the documents.

    With `requirements`, also the files that name the packages a project needs. For a folder that cannot be read,
    `refuse` is called with the root of its project.

    Symbolic links are not followed: a target inside of the tree is found by its own name, and one outside was not
    asked for. So there are no loops.
    """
    root = root or top
    waiting = [(top, root, settings_of(root), _Ignored.above(top, root))]
    while waiting:
        folder, root, settings, ignored = waiting.pop()
        try:
            with os.scandir(folder) as entries:
                content = list(entries)
        except FileNotFoundError:
            continue  # it vanished
        except OSError as error:
            if refuse is not None:
                refuse(folder, root, error)
            continue
        names = {entry.name for entry in content}
        if folder != top and _VIRTUAL_ENVIRONMENT in names:
            continue
        if folder != root and _PROJECT_MARK in names:
            root, settings = folder, settings_of(folder)
        if ".gitignore" in names:
            ignored = ignored.deeper(folder, os.path.join(folder, ".gitignore"))
        endings = _endings(settings)
        for entry in content:
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                wanted = entry.name.endswith(endings) or (requirements and is_requirements_file(entry.path))
                is_file = not is_folder and wanted and entry.is_file(follow_symlinks=False)
            except OSError:
                continue
            if is_folder:
                skipped = entry.name in EXCLUDED_FOLDERS or settings.excludes(entry.path, folder=True)
                if not skipped and not ignored.hides(entry.path, folder=True):
                    waiting.append((entry.path, root, settings, ignored))
            elif is_file and not settings.excludes(entry.path) and not ignored.hides(entry.path):
                yield entry.path, root


class Modules:
    """Finds the file behind an import."""

    def __init__(self, paths: Iterable[str], root: str) -> None:
        """`paths` are the files of the project, absolute."""
        self._paths = frozenset(paths)
        self._root = root
        #: Names of all files and folders: most imports refer to none of them.
        self.names = frozenset(part.removesuffix(".py") for path in self._paths for part in path.split(os.sep))
        #: By folder, because its files import similar modules: the files, and how many names of the module they cover.
        self._resolved: dict[tuple[str, str], tuple[list[str], int]] = {}

    def resolve(self, module: str, importer: str) -> list[str]:
        """Project files that `import module` in `importer` runs: the module and the packages around it.

        `module` is dotted, with leading dots where it is relative; its last names may be members of a module. Of the
        folders upward the one that has most of the names is chosen, and of those the nearest, as for a script beside
        its modules: `game.memory` is not in `game/agent/game.py`.
        """
        return self._from(os.path.dirname(importer), module)[0]

    def candidates(self, modules: Iterable[str], importer: str) -> set[str]:
        """All files that these imports can refer to, whichever folder the search starts from."""
        folder = os.path.dirname(importer)
        found: set[str] = set()
        for module in modules:
            name = module.lstrip(".")
            if len(name) < len(module):
                found.update(self._from(folder, module)[0])
            elif name.partition(".")[0] in self.names:
                found.update(file for place in self._upward(folder) for file in self._below(place, name.split("."))[0])
        return found

    def packages(self, path: str) -> set[str]:
        """The `__init__` files of the two nearest packages around a file."""
        folder = os.path.dirname(path)
        return {*self._package(folder), *self._package(os.path.dirname(folder))} - {path}

    def _upward(self, folder: str) -> list[str]:
        """The folders that an absolute import may start from: this one and those around it in the project."""
        places = []
        while folder.startswith(self._root):
            places.append(folder)
            if folder == os.path.dirname(folder):
                break
            folder = os.path.dirname(folder)
        return [*places, os.path.join(self._root, "src")]

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
            return self._below(os.path.join(self._root, "src"), parts)
        here = self._below(folder, parts)
        if here[1] == len(parts) or folder == os.path.dirname(folder):  # nothing is around the root of the system
            return here
        around = self._from(os.path.dirname(folder), name)
        return around if around[1] > here[1] else here

    def _below(self, folder: str, parts: Sequence[str]) -> tuple[list[str], int]:
        found: list[str] = []
        known = 0
        for depth, part in enumerate(parts, 1):
            folder = f"{folder}{os.sep}{part}"
            files = [path for path in (f"{folder}.py", f"{folder}{os.sep}__init__.py") if path in self._paths]
            found += files
            known = depth if files else known
        return found, known

    def _package(self, folder: str) -> list[str]:
        path = f"{folder}{os.sep}__init__.py"
        return [path] if path in self._paths else []


@dataclass(frozen=True, slots=True)
class _Ignored:
    """The `.gitignore` files above a folder, outermost first."""

    specs: tuple[tuple[str, pathspec.GitIgnoreSpec], ...] = ()

    @classmethod
    def above(cls, top: str, root: str) -> _Ignored:
        """The files above `top` that apply inside of it: those of its repository, or else of its project."""
        repository = _repository(top, root)
        ignored = cls.of_repository(repository)
        for folder in reversed(Path(top).parents):
            if folder.is_relative_to(repository):
                ignored = ignored.deeper(str(folder), str(folder / ".gitignore"))
        # If a later pattern includes the folder again, the others still apply to its content.
        hidden = top != repository and ignored.hides(top, folder=True)
        return ignored._without(top) if hidden else ignored

    @classmethod
    def of_repository(cls, repository: str) -> _Ignored:
        """The patterns that apply in all folders of the repository."""
        return cls().deeper(repository, os.path.join(repository, ".git", "info", "exclude"))

    def deeper(self, folder: str, path: str) -> _Ignored:
        """These files and one more, whose patterns apply in `folder`."""
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                patterns = [row for row in file.read().splitlines() if row.strip() and not row.startswith("#")]
            if not patterns:
                return self
            import pathspec  # slow to import, and needed only here

            spec = pathspec.GitIgnoreSpec.from_lines(patterns)
        except (OSError, ValueError):
            return self  # git ignores what it cannot read, too
        return _Ignored((*self.specs, (folder, spec)))

    def _without(self, top: str) -> _Ignored:
        """These files without the patterns that hide the folder `top`, which was asked for by name."""
        return _Ignored(
            tuple((base, _without_patterns_for(spec, _relative(top, base, folder=True))) for base, spec in self.specs)
        )

    def hides(self, path: str, *, folder: bool = False) -> bool:
        """Whether git ignores the path; the innermost file with a pattern for it decides."""
        for base, spec in reversed(self.specs):
            result: Any = spec.check_file(_relative(path, base, folder=folder))
            if result.include is not None:
                return bool(result.include)
        return False


def _without_patterns_for(spec: pathspec.GitIgnoreSpec, folder: str) -> pathspec.GitIgnoreSpec:
    """The patterns of a file, except those that hide this folder."""
    return type(spec)(
        pattern for pattern in spec.patterns if not (pattern.include and pattern.match_file(folder) is not None)
    )


def _relative(path: str, base: str, *, folder: bool) -> str:
    """The path as a `.gitignore` in `base` names it."""
    return os.path.relpath(path, base).replace(os.sep, "/") + "/" * folder


def _is_shared(folder: str) -> bool:
    """Whether a folder is shared by unrelated things, such as the home folder: it is never a project."""
    places = (os.path.expanduser("~"), tempfile.gettempdir())
    return os.path.dirname(folder) == folder or any(folder == os.path.abspath(place) for place in places)


def _endings(settings: Settings) -> tuple[str, ...]:
    return (".py", *NOTEBOOKS, *(PROSE if settings.include_docs else ()))


def _files_in(folder: str, endings: tuple[str, ...]) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            files = (entry for entry in entries if entry.name.endswith(endings))
            return [entry.path for entry in files if entry.is_file(follow_symlinks=False)]
    except OSError:
        return []
