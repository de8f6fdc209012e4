"""Which files git ignores: those that a `.gitignore` names and that it does not track."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from done_lint.core import witness
from done_lint.project.git_index import Tracked

if TYPE_CHECKING:
    import pathspec
    from pathspec.pattern import RegexPattern


def is_ignored(path: str, root: str) -> bool:
    """Whether git ignores a path: a pattern may name only a folder above it."""
    repository = _repository(path, root)
    ignored = Ignored.of_repository(repository)
    reached = repository
    for part in Path(path).relative_to(repository).parts:
        ignored = ignored.deeper(reached, os.path.join(reached, ".gitignore"))
        reached = os.path.join(reached, part)
        if ignored.hides(reached, folder=witness.is_folder(reached)):
            return True
    return False


def _repository(path: str, root: str) -> str:
    """The folder of the repository around a path, or else that of its project."""
    parents = (path, *map(str, Path(path).parents))
    return next((folder for folder in parents if witness.exists(os.path.join(folder, ".git"))), root)


@dataclass(frozen=True, slots=True)
class Ignored:
    """The `.gitignore` files above a folder, outermost first."""

    specs: tuple[tuple[str, pathspec.GitIgnoreSpec], ...] = ()
    #: What git tracks in the repository, which no pattern hides.
    tracked: Tracked | None = None

    @classmethod
    def above(cls, top: str, root: str) -> Ignored:
        """The files above `top` that apply inside of it: those of its repository, or else of its project."""
        repository = _repository(top, root)
        ignored = cls.of_repository(repository)
        for folder in reversed(Path(top).parents):
            if folder.is_relative_to(repository):
                ignored = ignored.deeper(str(folder), str(folder / ".gitignore"))
        # If a later pattern includes the folder again, the others still apply to its content.
        hidden = top != repository and ignored._is_named(top, folder=True)
        return ignored._without(top) if hidden else ignored

    @classmethod
    def of_repository(cls, repository: str) -> Ignored:
        """The patterns that apply in all folders of the repository."""
        return cls(tracked=Tracked(repository)).deeper(repository, os.path.join(repository, ".git", "info", "exclude"))

    def deeper(self, folder: str, path: str) -> Ignored:
        """These files and one more, whose patterns apply in `folder`."""
        try:
            rows = witness.read(path).decode("utf-8", "surrogateescape").splitlines()
            patterns = [row for row in rows if row.strip() and not row.startswith("#")]
            if not patterns:
                return self
            import pathspec  # slow to import, and needed only here

            spec = pathspec.GitIgnoreSpec.from_lines(patterns)
        except (OSError, ValueError):
            return self  # git ignores what it cannot read, too
        return replace(self, specs=(*self.specs, (folder, spec)))

    def _without(self, top: str) -> Ignored:
        """These files without the patterns that hide the folder `top`, which was asked for by name."""
        specs = ((base, _without_patterns_for(spec, _relative(top, base, folder=True))) for base, spec in self.specs)
        return replace(self, specs=tuple(specs))

    def hides(self, path: str, *, folder: bool = False) -> bool:
        """Whether git ignores the path; of a folder with tracked files it ignores the others."""
        return self._is_named(path, folder=folder) and not (self.tracked is not None and self.tracked.has(path))

    def _is_named(self, path: str, *, folder: bool) -> bool:
        """Whether a pattern hides the path; the innermost file with one for it decides."""
        for base, spec in reversed(self.specs):
            inside = _relative(path, base, folder=folder)
            hidden = _hides_folder(spec, inside) if folder else spec.check_file(inside).include
            if hidden is not None:
                return bool(hidden)
        return False


def _hides_folder(spec: pathspec.GitIgnoreSpec, folder: str) -> bool | None:
    """Whether a file's patterns hide a folder; None: they say nothing of it.

    The last pattern decides that matches the folder itself, and else one that matches a folder around it. `check_file`
    takes every path for that of a file: with `*` and `!src/`, it hides `src/`.
    """
    matching = [one for one in spec.patterns if one.include is not None and one.match_file(folder) is not None]
    deciding = [one for one in matching if _is_of_itself(one, folder)] or matching
    return deciding[-1].include if deciding else None


def _is_of_itself(pattern: RegexPattern, folder: str) -> bool:
    """Whether a pattern that matches a path would do so without the folders around it."""
    parent, _, name = folder.rstrip("/").rpartition("/")
    text = str(pattern.pattern).strip().removeprefix("!")
    if "/" not in text.rstrip("/"):
        return pattern.match_file(f"{name}/") is not None  # a name, at any depth
    return not parent or text.endswith("/**") or pattern.match_file(f"{parent}/") is None


def _without_patterns_for(spec: pathspec.GitIgnoreSpec, folder: str) -> pathspec.GitIgnoreSpec:
    """The patterns of a file, except those that hide this folder."""
    return type(spec)(
        pattern for pattern in spec.patterns if not (pattern.include and pattern.match_file(folder) is not None)
    )


def _relative(path: str, base: str, *, folder: bool) -> str:
    """The path as a `.gitignore` in `base` names it."""
    return os.path.relpath(path, base).replace(os.sep, "/") + "/" * folder
