"""What a project keeps old on purpose, seen from all of its files: which of them use Gym as Gym, and which say so."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from done_lint.project import requirements
from done_lint.project.before_gymnasium import imported_before
from done_lint.project.discovery import Project
from done_lint.project.kept_old import KeptOld, kept_old, old_place, twin
from done_lint.project.parts_for_gym import parts_for_gym
from done_lint.project.pinned_documents import pinned_documents
from done_lint.project.prefilter import imported
from done_lint.project.stated_library import names_gymnasium

if TYPE_CHECKING:
    from done_lint.flowgraph.schema import Survey

_LIBRARIES = frozenset({"gym", "gymnasium"})


class ProjectFiles:
    """The files of a project, as far as they were surveyed."""

    def __init__(
        self,
        paths: Sequence[str],
        surveys: Mapping[str, Survey],
        read: Callable[[str], bytes | None],
        imported: Callable[[str], Iterable[str]],
        survey: Callable[[str], Survey | None],
        is_own: Callable[[str, str], bool],
    ) -> None:
        """Look at nothing yet.

        Args:
            paths: of all files, surveyed or not.
            surveys: by path.
            read: gives the content of a file.
            imported: gives the files that one imports.
            survey: looks at a file that was left out.
            is_own: whether a package that a file imports is the project's.
        """
        self.paths = paths
        self.surveys = surveys
        self.read = read
        self.imported = imported
        self.is_own = is_own
        self._survey = survey
        self._packages: dict[str, Container[str]] = {}

    @cached_property
    def known(self) -> frozenset[str]:
        """The paths, to look one up."""
        return frozenset(self.paths)

    def packages(self, path: str) -> Container[str]:
        """The packages that a file imports, whether it was surveyed with those that were asked for or not."""
        if path not in self._packages:
            survey = self.surveys.get(path)
            if survey is None and any(one.split(".")[0] in _LIBRARIES for one in imported(self.read(path) or b"")):
                survey = self._survey(path)
            self._packages[path] = survey.packages if survey is not None else ()
        return self._packages[path]

    def import_package(self, name: str) -> bool:
        """Whether some file imports a package."""
        return any(name in survey.packages for survey in self.surveys.values())

    def name_package(self, name: str) -> bool:
        """Whether some file imports a package, surveyed or not."""
        return self.import_package(name) or any(
            one.split(".")[0] == name for path in self.paths for one in imported(self.read(path) or b"")
        )


def kept_old_code(project: Project, files: ProjectFiles, *, migrated: Callable[[], bool], incomplete: bool) -> KeptOld:
    """What the project keeps old on purpose; nothing where no name says so.

    Args:
        project: its root and settings.
        files: its files.
        migrated: whether its other code is on Gymnasium; asked where it matters, for it reads many files.
        incomplete: files that may be on Gymnasium were left out.
    """
    settings, root = project.settings, project.root
    gym: frozenset[str] = frozenset()
    if settings.find_kept_old and ((twins := _twins(files)) or _is_for_both(files, root)):
        gym = frozenset((*twins, *_of_packages(files, root)))
    needs = _made_for_gym(files, root) if files.import_package("gym") else {}
    says_so = any(survey.old_classes or survey.made_for_gym for survey in files.surveys.values()) or any(
        old_place(path, root) for path in files.paths
    )
    mixed = (files.import_package("gymnasium") or incomplete) and files.import_package("gym")
    pinned = pinned_documents(root, files.paths, files.read) if settings.find_kept_old else {}
    if not (says_so or mixed or pinned or settings.kept_old):
        return KeptOld(gym=gym, needs=needs)
    beside = mixed and migrated()
    stated = beside and names_gymnasium(root, files.paths)
    parts = dict(pinned)
    if beside:
        is_apart = partial(_is_apart, files)
        needing = parts_for_gym(root, files.paths, files.read, stated=stated, is_apart=is_apart, is_own=files.is_own)
        parts = {**needing, **pinned}
    found = kept_old(settings, root, files.paths, migrated=migrated(), stated=stated, parts=parts)
    return replace(found, gym=gym, needs=needs)


def _is_apart(files: ProjectFiles, folder: str) -> bool:
    """Whether no import leads out of a folder, and none leads into it from a file that names it.

    Another file reaches modules there by their bare names only once it has named the folder in its search path.
    """
    inside = {path for path in files.paths if path.startswith(folder + os.sep)}
    name = os.path.basename(folder).encode()
    return not any(
        path in inside or name in (files.read(path) or b"")
        for path in files.paths
        for one in files.imported(path)
        if (path in inside) != (one in inside)
    )


def _is_for_both(files: ProjectFiles, root: str) -> bool:
    """Whether the metadata name both libraries, and the project needs both.

    Where none of its files imports Gymnasium, that is there for another package, or for a move that is still to come.
    """
    if not requirements.declares_both(root):
        return False
    return requirements.brings_both(root) or files.name_package("gymnasium")


def _made_for_gym(files: ProjectFiles, root: str) -> dict[str, str]:
    """By file, a package that it imports and that the project has in a release made for Gym."""
    found = {path: imported_before(survey.imports, path, root) for path, survey in sorted(files.surveys.items())}
    return {path: package for path, package in found.items() if package}


def _twins(files: ProjectFiles) -> set[str]:
    """The files on Gym that have a twin for Gymnasium: the project is for both libraries, each by its own files.

    The twin may be one that no import connects with what was asked for: such files were not surveyed.
    """
    if not any("gymnasium" in os.path.basename(path) for path in files.paths):
        return set()
    pairs = ((path, twin(path, files.known)) for path in files.paths)
    return {path for path, new in pairs if new and "gym" in files.packages(path) and "gymnasium" in files.packages(new)}


def _of_packages(files: ProjectFiles, root: str) -> Iterator[str]:
    """The files that an installation has beside both libraries: those of packages, of inner projects, and users.

    A program that stands alone was written for one of the libraries; one that imports a package on Gym needs both.
    """
    packaged = {path for path in files.paths if _is_packaged(path, files.known, root)}
    yield from packaged
    on_gym = {_top(path, root) for path in packaged if "gym" in files.packages(path)}
    for path in files.surveys.keys() - packaged:
        if any(one in packaged and _top(one, root) in on_gym for one in files.imported(path)):
            yield path


def _top(path: str, root: str) -> str:
    """The first part of a path below the root: the name of a package."""
    return os.path.relpath(path, root).partition(os.sep)[0]


def _is_packaged(path: str, known: frozenset[str], root: str) -> bool:
    """Whether a file is installed with the project, or says how.

    One in a package is, at any depth, and one of a project in a folder of this one.
    """
    beside = os.path.join(os.path.dirname(path), "__init__.py") in known
    script = path == os.path.join(root, "setup.py")
    return beside or script or any(_is_below(path, one, known, root) for one in ("__init__.py", "setup.py"))


def _is_below(path: str, name: str, known: frozenset[str], root: str) -> bool:
    """Whether a folder around a file, inside the project, has a file of a name."""
    folder = os.path.dirname(path)
    while len(folder) > len(root):
        if os.path.join(folder, name) in known:
            return True
        folder = os.path.dirname(folder)
    return False
