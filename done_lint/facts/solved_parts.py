"""Keeps what was read of the parts of a project, for a run that asks again after some of its files have changed.

Files that no import connects exchange no value (see `build.link`), so a part whose surveys are the same ones is not
solved again: a fix of one script of a collection says nothing new about the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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
    #: See `ImportGraph.project_wide`.
    imports: tuple[object, ...]


class _Solved(NamedTuple):
    surveys: Sequence[Survey]
    around: Around
    part: Part


class SolvedParts:
    """The parts of one project that were solved, by their files."""

    def __init__(self) -> None:
        """Nothing was solved."""
        self._solved: dict[tuple[str, ...], list[_Solved]] = {}

    def find(self, surveys: Sequence[Survey], around: Around) -> Part | None:
        """What was read of a part, if the surveys of its files are the very same ones."""
        for known in self._solved.get(_paths(surveys), ()):
            same = all(one is other for one, other in zip(known.surveys, surveys, strict=True))
            if same and known.around == around:
                return known.part
        return None

    def keep(self, surveys: Sequence[Survey], around: Around, part: Part) -> None:
        """Keep what was read of a part."""
        kept = self._solved.setdefault(_paths(surveys), [])
        kept.append(_Solved(surveys, around, part))
        del kept[:-_KEPT]


def _paths(surveys: Sequence[Survey]) -> tuple[str, ...]:
    return tuple(survey.path for survey in surveys)
