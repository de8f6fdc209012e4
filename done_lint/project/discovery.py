"""Which files there are: what is asked for, the project around it, and the modules in it."""

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
    #: Likewise, those that are not Python but name the packages that it needs.
    requirements: list[str] = field(default_factory=list)
    #: Folders that were asked for and cannot be read, and why.
    unreadable: dict[str, str] = field(default_factory=dict)
    #: Nothing around it belongs to it: text from standard input without a name.
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
            # No project, only a place where files lie: a script's neighbours, not all of a home folder.
            for folder in {os.path.dirname(path) for path in self.asked}:
                found.update(_files_in(folder, self.endings))
        else:
            found.update(path for path, root in walk(self.root, lambda _: self.settings) if root == self.root)
        return sorted(found)


def projects(paths: Sequence[str], settings_of: SettingsOf, *, force_exclude: bool = False) -> list[Project]:
    """Group the files that `paths` ask for by their project.

    A file that is given by its name is taken whatever it is called and wherever it stands, unless
    `force_exclude`; a folder gives its Python files and notebooks, with `include-docs` its documents, and the files
    that name its packages, as far as nothing inside of it excludes them: that git ignores the folder does not.

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
    for grown in found.values():
        grown.asked.sort()
        grown.requirements.sort()
    return [found[root] for root in sorted(found)]


def exists(given: str) -> bool:
    """Whether there is a file or folder of that name, or a link that leads nowhere."""
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

    The search ends at an environment's packages, unless it is to go `through` them.
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

    With `requirements`, also the files that name the packages a project needs. Of a folder that cannot be read,
    `refuse` is told, with the root of its project.

    Symbolic links are not followed: what they lead to inside of the tree is found by its own name, and
    what is outside was not asked for; so loops cannot be.
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
        #: Names of all files and folders: most imports mean none of them.
        self.names = frozenset(part.removesuffix(".py") for path in self._paths for part in path.split(os.sep))
        #: Files of one folder import much the same: the files, and how many of the module's names they stand for.
        self._resolved: dict[tuple[str, str], tuple[list[str], int]] = {}

    def resolve(self, module: str, importer: str) -> list[str]:
        """Project files that `import module` in `importer` runs: the module and the packages around it.

        `module` is dotted, with leading dots where it is relative; its last names may be no modules but what
        they hold. The folder upward that knows most of it wins, and of those the nearest, as for a script beside its
        modules: `game.memory` is not in `game/agent/game.py`.
        """
        return self._from(os.path.dirname(importer), module)[0]

    def meant(self, modules: Iterable[str], importer: str) -> set[str]:
        """All files that these imports can mean, from whatever folder they are looked for."""
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
        """The packages that a file stands in: the nearest two."""
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
        """Those that hold inside of `top` from outside: of its repository, or else of its project."""
        repository = _repository(top, root)
        ignored = cls.of_repository(repository)
        for folder in reversed(Path(top).parents):
            if folder.is_relative_to(repository):
                ignored = ignored.deeper(str(folder), str(folder / ".gitignore"))
        # Where a later pattern shows the folder again, the others still mean what is in it.
        hidden = top != repository and ignored.hides(top, folder=True)
        return ignored._without(top) if hidden else ignored

    @classmethod
    def of_repository(cls, repository: str) -> _Ignored:
        """What the repository itself ignores in all of its folders."""
        return cls().deeper(repository, os.path.join(repository, ".git", "info", "exclude"))

    def deeper(self, folder: str, path: str) -> _Ignored:
        """Together with one more file, which speaks for `folder`."""
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                patterns = [row for row in file.read().splitlines() if row.strip() and not row.startswith("#")]
            if not patterns:
                return self
            import pathspec  # dear, and needed only here

            spec = pathspec.GitIgnoreSpec.from_lines(patterns)
        except (OSError, ValueError):
            return self  # git too passes over what it cannot read
        return _Ignored((*self.specs, (folder, spec)))

    def _without(self, top: str) -> _Ignored:
        """Without the patterns that hide the folder `top`, which someone asks for in spite of them."""
        return _Ignored(tuple((base, _sparing(spec, _relative(top, base, folder=True))) for base, spec in self.specs))

    def hides(self, path: str, *, folder: bool = False) -> bool:
        """Whether git ignores the path; the innermost file that names it decides."""
        for base, spec in reversed(self.specs):
            result: Any = spec.check_file(_relative(path, base, folder=folder))
            if result.include is not None:
                return bool(result.include)
        return False


def _sparing(spec: pathspec.GitIgnoreSpec, folder: str) -> pathspec.GitIgnoreSpec:
    """The patterns of a file but for those that hide this folder."""
    return type(spec)(
        pattern for pattern in spec.patterns if not (pattern.include and pattern.match_file(folder) is not None)
    )


def _relative(path: str, base: str, *, folder: bool) -> str:
    """The path as a `.gitignore` in `base` names it."""
    return os.path.relpath(path, base).replace(os.sep, "/") + "/" * folder


def _is_shared(folder: str) -> bool:
    """A place that many unrelated things share: never a project, whatever lies in it."""
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
