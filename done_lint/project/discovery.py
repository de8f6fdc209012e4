"""Finds files: those that are asked for, and the project around them."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from done_lint.core import witness
from done_lint.core.paths import NOTEBOOKS, PROSE
from done_lint.project.gitignore import Ignored, is_ignored
from done_lint.project.requirement_files import is_requirements_file
from done_lint.project.settings import Settings

#: Folders that hold no code of the project, whatever the configuration says.
EXCLUDED_FOLDERS = frozenset(
    """
    .bzr .direnv .done_lint_cache .eggs .git .git-rewrite .hg .hypothesis .ipynb_checkpoints .mypy_cache .nox .pants.d
    .pyenv .pytest_cache .pytype .ruff_cache .svn .tox .venv .virtual_documents .vscode __pycache__ __pypackages__
    _build buck-out build dist node_modules site-packages venv
    """.split()
)
#: A folder with this file is a virtual environment, whatever its name.
_VIRTUAL_ENVIRONMENT = "pyvenv.cfg"
_PROJECT_MARK = "pyproject.toml"
_REPOSITORY = ".git"
_INSTALLED = "site-packages"
_PACKAGE = "__init__.py"
_SCRIPT = "setup.py"
_CODE = (".py", *NOTEBOOKS)
#: How much of a script is read to see what it imports.
_LARGEST = 1_000_000
#: What files are called, in lower case, that stand at the root of a program, beside its requirements.
_BESIDE = (".gitignore", "license", "pipfile", "readme", "setup.cfg", "tox.ini")

#: Of files that describe a program, those that stand nowhere but at its root.
_AT_THE_ROOT = frozenset({"README.md", "README.rst", "requirements.txt", "setup.cfg", "setup.py", "tox.ini"})

#: More files than this in a folder without a mark are many programs, and not one.
_MOST_UNMARKED = 3000

#: What Weights & Biases writes beside a list of the packages that were installed during a run, and where.
_OF_A_RUN = ("wandb-metadata.json", "wandb-summary.json")
_RUN = re.compile(r"[\\/]wandb[\\/](?:offline-)?run-[^\\/]+[\\/]files[\\/][^\\/]+$")

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

    def files(self) -> list[str]:
        """All files of the project that hold Python, those asked for among them, sorted."""
        found = set(self.asked)
        if self.alone:
            pass
        elif is_shared(self.root):
            found.update(self._neighbors())
        else:
            whole = {path for path, root in walk(self.root, lambda _: self.settings) if root == self.root}
            found |= whole if len(whole) <= _MOST_UNMARKED or _mark(self.root) else self._neighbors()
        return sorted(found)

    def _neighbors(self) -> set[str]:
        """The files beside those that were asked for: of a home folder or a folder of many programs, not all of it."""
        folders = {os.path.dirname(path) for path in self.asked}
        return {path for folder in folders for path in _files_in(folder, _endings(self.settings))}


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
        if root not in found:
            found[root] = Project(root, settings_of(root))
        return found[root]

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
        if not witness.is_folder(path):
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
    return bool(given) and witness.kind(os.path.abspath(given)) != ""


def is_excluded(path: str, settings_of: SettingsOf) -> bool:
    """Whether a walk from the project's root would leave out a path that was given by name."""
    root = project_root(path, through=True)
    settings = settings_of(root)
    inside = os.path.relpath(path, root).split(os.sep)
    folders = inside if witness.is_folder(path) else inside[:-1]
    if settings.excludes(path, folder=witness.is_folder(path)) or not EXCLUDED_FOLDERS.isdisjoint(folders):
        return True
    return is_ignored(path, root)


def project_root(path: str, *, through: bool = False) -> str:
    """The folder that a file or folder is linked with: the nearest `pyproject.toml`, else the git root.

    Without either it is the outermost folder of the program (see `_continues`), so that it is the same for each of
    its files and folders. The search ends at the packages of an environment, unless `through` is set.
    """
    start = path if witness.is_folder(path) else os.path.dirname(path)
    git = ""
    folder = start
    while not is_shared(folder):
        if witness.is_file(os.path.join(folder, _PROJECT_MARK)):
            return folder
        if not git and witness.exists(os.path.join(folder, _REPOSITORY)):
            git = folder
        # What is installed into a project's environment is not the project.
        if os.path.basename(folder) == _INSTALLED and not through:
            break
        folder = os.path.dirname(folder)
    return git or _outermost(start)


def _outermost(folder: str) -> str:
    """The outermost folder of the unmarked program that a folder belongs to.

    What lies somewhere below a `setup.py` belongs to the program that it installs: `examples/first/main.py`.
    """
    while not is_shared(folder) and not _is_repository(folder):
        if not _continues(folder, witness.is_file(os.path.join(folder, _PACKAGE))):
            break
        folder = os.path.dirname(folder)
    installed = [one for one in _around(folder) if witness.is_file(os.path.join(one, _SCRIPT))]
    return _outermost(installed[-1]) if installed else folder


def _is_repository(folder: str) -> bool:
    """Whether a folder is a repository that was copied without its history: it says what git ignores, and what it is.

    It may be a package itself; what stands beside it are other repositories.
    """
    with contextlib.suppress(OSError):
        names = {entry.name.lower() for entry in _entries(folder)}
        return ".gitignore" in names and any(name.startswith("readme") for name in names)
    return False


def _around(folder: str) -> Iterator[str]:
    """The folders around one, the nearest first, up to one that is shared or holds what is installed."""
    folder = os.path.dirname(folder)
    while not is_shared(folder) and os.path.basename(folder) != _INSTALLED:
        yield folder
        folder = os.path.dirname(folder)


def _continues(folder: str, is_package: bool) -> bool:
    """Whether the program of an unmarked folder goes on in the folder around it.

    It does from a package, and where Python files, or files that describe a program, stand beside; but scripts alone
    take no folder in that has a `setup.py` and a description, and that they never import. A folder that has
    nothing but folders, such as one for each algorithm, belongs to the program that is described beside it.
    """
    around = os.path.dirname(folder)
    if is_shared(around) or os.path.basename(around) == _INSTALLED:
        return False
    with contextlib.suppress(OSError):
        beside = list(_entries(around))
        telling = [entry for entry in beside if _is_code(entry) or _describes(entry.path, entry.name)]
        if is_package or telling:
            return is_package or not _is_a_guest(folder, telling)
        outer = os.path.dirname(around)
        if all(entry.is_dir() for entry in beside) and not is_shared(outer):
            return any(entry.name in _AT_THE_ROOT for entry in _entries(outer))
    return False


def _is_code(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a file of code; a folder may be called `tool.py` as well."""
    return entry.name.endswith(_CODE) and entry.is_file()


def _describes(path: str, name: str) -> bool:
    return name.lower().startswith(_BESIDE) or is_requirements_file(path)


def _is_a_guest(folder: str, beside: Sequence[os.DirEntry[str]]) -> bool:
    """Whether a folder is a program with a description of its own, and beside stand only scripts that never use it."""
    inside = list(_entries(folder))
    if not any(entry.name == _SCRIPT for entry in inside) or not any(_describes(one.path, one.name) for one in inside):
        return False
    if any(_describes(entry.path, entry.name) or entry.name == _SCRIPT for entry in beside):
        return False
    packages = [entry.name for entry in inside if witness.is_file(os.path.join(entry.path, _PACKAGE))]
    names = [os.path.basename(folder), *packages, *(one.name[:-3] for one in inside if one.name.endswith(".py"))]
    return not any(_imports(entry.path, names) for entry in beside if entry.name.endswith(".py") and entry.is_file())


def _imports(path: str, names: Sequence[str]) -> bool:
    """Whether a script imports a module of one of these names."""
    found = re.findall(rb"^\s*(?:from|import)\s+(\w+)", witness.read(path)[:_LARGEST], re.MULTILINE)
    return any(name.encode() in found for name in names)


def _mark(folder: str) -> str:
    """The mark that makes a folder the root of a project; empty where it has none."""
    marks = (_PROJECT_MARK, _REPOSITORY)
    return next((mark for mark in marks if witness.exists(os.path.join(folder, mark))), "")


def _begins_project(folder: str, names: Container[str], mark: str) -> str | None:
    """The mark of a project that begins in a folder inside one with `mark`; None where the same goes on."""
    if _PROJECT_MARK in names:
        return _PROJECT_MARK
    if mark == _PROJECT_MARK:
        return None
    if _REPOSITORY in names:
        return _REPOSITORY
    if mark or _SCRIPT not in names:
        return None
    return "" if _is_a_guest(folder, _entries(os.path.dirname(folder))) else None


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
    waiting = [(top, root, _mark(root), settings_of(root), Ignored.above(top, root))]
    while waiting:
        folder, root, mark, settings, ignored = waiting.pop()
        try:
            content = _entries(folder)
        except OSError as error:
            if refuse is not None:
                refuse(folder, root, error)
            continue
        names = {entry.name for entry in content}
        if folder != top and _VIRTUAL_ENVIRONMENT in names:
            continue
        if folder != top and (begun := _begins_project(folder, names, mark)) is not None:
            root, mark, settings = folder, begun, settings_of(folder)
        if ".gitignore" in names:
            ignored = ignored.deeper(folder, os.path.join(folder, ".gitignore"))
        endings = _endings(settings)
        for entry in content:
            wanted = entry.name.endswith(endings) or (requirements and _names_packages(entry.path, names))
            kind = _kind(entry, wanted)
            is_folder = kind == "folder"
            if kind is None or settings.excludes(entry.path, folder=is_folder):
                continue
            if not ignored.hides(entry.path, folder=is_folder):
                if not is_folder:
                    yield entry.path, root
                elif entry.name not in EXCLUDED_FOLDERS:
                    waiting.append((entry.path, root, mark, settings, ignored))


def _names_packages(path: str, beside: Container[str]) -> bool:
    """Whether a file says what the project needs; a tool that watches runs writes what was installed during one."""
    if not is_requirements_file(path):
        return False
    return not any(name in beside for name in _OF_A_RUN) and _RUN.search(path) is None


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """What a folder contains; nothing where it has vanished."""
    try:
        return witness.listed(folder)
    except FileNotFoundError:
        return []


def _kind(entry: os.DirEntry[str], wanted: bool) -> Literal["folder", "file"] | None:
    """Whether an entry is a folder or a file that is wanted; links and what cannot be asked are neither."""
    with contextlib.suppress(OSError):
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        if wanted and entry.is_file(follow_symlinks=False):
            return "file"
    return None


def is_shared(folder: str) -> bool:
    """Whether a folder is shared by unrelated things, such as the home folder: it is never a project."""
    places = (os.path.expanduser("~"), tempfile.gettempdir())
    return os.path.dirname(folder) == folder or any(folder == os.path.abspath(place) for place in places)


def _endings(settings: Settings) -> tuple[str, ...]:
    """How the names of files end that hold Python."""
    return (".py", *NOTEBOOKS, *(PROSE if settings.include_docs else ()))


def _files_in(folder: str, endings: tuple[str, ...]) -> list[str]:
    try:
        files = (entry for entry in witness.listed(folder) if entry.name.endswith(endings))
        return [entry.path for entry in files if entry.is_file(follow_symlinks=False)]
    except OSError:
        return []
