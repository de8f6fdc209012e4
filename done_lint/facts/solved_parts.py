"""Keeps what was read of the parts of a project, for a run that asks again after some of its files have changed.

Files that no import connects exchange no value (see `build.link`), so a part whose surveys are the same ones is not
solved again: a fix of one script of a collection says nothing new about the others. Nor is one that an earlier run has
solved: after a change that no survey shows, as of a comment behind the code, nothing is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from done_lint.analysis.weak_evidence import ProjectNames
from done_lint.facts.parts import Part
from done_lint.flowgraph.schema import Survey
from done_lint.project.kept_old import KeptOld

#: Of each part so many answers are kept: a trial of fixes that is given up is followed by one that changes less.
_KEPT = 3


class Around(NamedTuple):
    """What the answer about a part rests on beside its own files."""

    names: ProjectNames | None
    old: KeptOld | None
    #: See `ModuleFiles.project_wide`.
    imports: tuple[object, ...]


class Store(Protocol):
    """Where other runs find what this one has solved."""

    def find(self, surveys: Sequence[Survey], around: Around) -> Part | None:
        """What was read of a part with equal surveys."""
        ...

    def keep(self, surveys: Sequence[Survey], around: Around, part: Part) -> None:
        """Keep what was read of a part."""
        ...


class _Solved(NamedTuple):
    surveys: Sequence[Survey]
    around: Around
    part: Part


class SolvedParts:
    """The parts of one project that were solved, by their files."""

    def __init__(self, store: Store | None = None) -> None:
        """Nothing was solved, but for what the store has."""
        self._store = store
        self._solved: dict[tuple[str, ...], list[_Solved]] = {}

    def find(self, surveys: Sequence[Survey], around: Around) -> Part | None:
        """What was read of a part, if the surveys of its files are the very same ones."""
        for known in self._solved.get(_paths(surveys), ()):
            same = all(one is other for one, other in zip(known.surveys, surveys, strict=True))
            if same and known.around == around:
                return known.part
        part = self._store.find(surveys, around) if self._store is not None else None
        if part is not None:
            self._note(surveys, around, part)
        return part

    def keep(self, surveys: Sequence[Survey], around: Around, part: Part) -> None:
        """Keep what was read of a part."""
        self._note(surveys, around, part)
        if self._store is not None:
            self._store.keep(surveys, around, part)

    def _note(self, surveys: Sequence[Survey], around: Around, part: Part) -> None:
        kept = self._solved.setdefault(_paths(surveys), [])
        kept.append(_Solved(surveys, around, part))
        del kept[:-_KEPT]


def _paths(surveys: Sequence[Survey]) -> tuple[str, ...]:
    return tuple(survey.path for survey in surveys)
