"""Branches that are taken for environments which were not truncated: `if not truncated[i]: rows.append(row)`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import Place
from done_lint.core.findings import Span

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.kinds.rows import Row


class UntruncatedBranches:
    """Reads them from a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._program = analysis.program
        self._arrays = analysis.arrays
        #: By file.
        self._known: dict[str, list[Span]] = {}

    def holds(self, place: Place) -> bool:
        """Whether a place stands in such a branch."""
        if place.path not in self._known:
            self._known[place.path] = self._of_file(place.path)
        return any(place.span.within(one) for one in self._known[place.path])

    def _of_file(self, path: str) -> list[Span]:
        survey, base = self._program.surveys[path], self._program.bases[path]
        tests = sorted((at, node) for node, at in survey.tests)
        found = []
        for side in survey.optional:
            # the test of a branch is the last one in front of it; one of which nothing is known is not among them
            at, test = max((one for one in tests if one[0] < side), default=(side, 0))
            if test and at.end_row + 1 >= side.row and self._is_kept_by(base + test):
                found.append(side)
        return found

    def _is_kept_by(self, test: int) -> bool:
        """Whether a test is true where an environment was not truncated."""
        flags = self._arrays.flat_flags(test)
        return bool(flags) and all(flag_lattice.keeps(one) and one & flag_lattice.TRUNCATED for one in flags)


def untruncated_steps(every: Iterable[Iterable[Row]]) -> dict[str, frozenset[Span]]:
    """By their own file, the steps whose every row is kept in such a branch."""
    kept: dict[Place, list[bool]] = {}
    for row in (one for rows in every for one in rows):
        kept.setdefault(Place(row.step.path, row.step.span), []).append(row.untruncated)
    found: dict[str, set[Span]] = {}
    for place, branches in kept.items():
        if all(branches):
            found.setdefault(place.path, set()).add(place.span)
    return {path: frozenset(steps) for path, steps in found.items()}
