"""Rows of n steps that are stored when an episode ends, until the window is empty: they span fewer and fewer steps.

A target `R + gamma ** n * V(s)` fits the full windows alone. While *done* cuts it, the others are never bootstrapped;
with *terminated* they would be, at every truncation, by a power that is not theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Place
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.provenance import BACKWARD, Provenance
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_REASON = "rows stored at the end of an episode may span fewer steps than the power of the discount in their target"


class ShortenedRows:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, provenance: Provenance) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._arrays = analysis.arrays
        self._provenance = provenance
        #: By file, the loops that a branch on the end of an episode holds.
        self._emptying: dict[str, list[Span]] = {}
        #: By the node of a mask, whether such rows reach it.
        self._known: dict[int, bool] = {}

    def hindrance(self, site: Place, mask: int) -> str:
        """Why *terminated* cannot be stored at a place for such a mask, in one clause; empty: nothing of this kind.

        The flag may be stored with each step, and be read again where the rows are put together.
        """
        if mask not in self._known:
            learning, home = self._provenance.place(mask), self._home(mask)
            nodes = list(reach([mask], self._before, bound=BACKWARD))
            places = [place for node in nodes if (place := self._provenance.place(node)) is not None]
            homes = {one for one in map(self._home, nodes) if one is not None and one != home}
            callers = self._provenance.running.callers
            places += [call for one in homes for call in callers.get(one, ())]
            self._known[mask] = any(self._is_emptied(place, learning) for place in places)
        return _REASON if self._known[mask] or self._is_emptied(site, None) else ""

    def _home(self, node: int) -> FunctionId | None:
        owner = self._program.owner(node)
        return self._provenance.running.home(*owner) if owner is not None else None

    def _before(self, node: int) -> list[int]:
        """The nodes that a flag with truncation comes from."""
        sources = [edge.source for edge in self._solver.predecessors[node]]
        return [one for one in sources if any(map(flag_lattice.mixed, self._solver.flags(one)))]

    def _is_emptied(self, place: Place, learning: Place | None) -> bool:
        """Whether a place stands in a loop that a branch on the end of an episode holds, and nothing is learnt in."""
        if place.path not in self._emptying:
            survey = self._program.surveys[place.path]
            sides = list(self._ended(survey))
            loops = [one for one in survey.loop_spans if any(one.within(side) for side in sides)]
            self._emptying[place.path] = loops
        inside = [loop for loop in self._emptying[place.path] if place.span.within(loop)]
        if learning is None or learning.path != place.path:
            return bool(inside)
        return any(not learning.span.within(loop) for loop in inside)

    def _ended(self, survey: Survey) -> Iterator[Span]:
        """What stands behind `if done:`, and behind a test of more than a name that has no `else`."""
        base = self._program.bases[survey.path]
        for test, holds, side in survey.sides:
            if any(flag_lattice.keeps(flag) != holds for flag in self._arrays.flat_flags(base + test)):
                yield side
        tests = sorted((at, node) for node, at in survey.tests)
        for side in survey.optional:
            node = next((node for at, node in reversed(tests) if at < side), None)
            if node is not None and any(not flag_lattice.keeps(f) for f in self._arrays.flat_flags(base + node)):
                yield side
