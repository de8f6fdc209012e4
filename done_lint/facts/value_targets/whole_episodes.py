"""Returns of rewards alone that are summed at the end of each episode: `if timestep.last(): returns = sum_up(...)`.

They begin with 0 at the last row of that episode, so that a mask which is 0 there alone takes nothing away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Place
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.kinds.flags import MONTE_CARLO
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.call_graph import CallGraph
    from done_lint.analysis.context import Analysis
    from done_lint.facts.value_targets.target_masks import Cut


class WholeEpisodes:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, running: CallGraph) -> None:
        """Look at nothing yet."""
        self._program = analysis.program
        self._lasts = analysis.flags.lasts
        self._running = running
        #: By file, what stands behind a test of `last()`.
        self._ended: dict[str, list[Span]] = {}

    def are_summed(self, cut: Cut) -> bool:
        """Whether a mask cuts such returns: every way to it leads through such a test."""
        owner = self._program.owner(cut.node)
        if owner is None or cut.form != MONTE_CARLO:
            return False
        start = (cut.place, self._running.home(*owner))
        return all(self._is_behind_end(at) or self._called(home) for at, home in reach([start], self._before))

    def _before(self, state: tuple[Place, FunctionId]) -> list[tuple[Place, FunctionId]]:
        at, home = state
        return [] if self._is_behind_end(at) else self._called(home)

    def _called(self, home: FunctionId) -> list[tuple[Place, FunctionId]]:
        """Where the function is called that a place stands in."""
        return list(self._running.callers.get(home, {}).items())

    def _is_behind_end(self, place: Place) -> bool:
        if place.path not in self._ended:
            self._ended[place.path] = self._of_file(self._program.surveys[place.path])
        return any(place.span.within(one) for one in self._ended[place.path])

    def _of_file(self, survey: Survey) -> list[Span]:
        base = self._program.bases[survey.path]
        tests = sorted((at, node) for node, at in survey.tests)
        found = []
        for side in survey.optional:
            # the test of a branch is the last one in front of it; one of which nothing is known is not among them
            at, test = max((one for one in tests if one[0] < side), default=(side, 0))
            if test and at.end_row + 1 >= side.row and base + test in self._lasts:
                found.append(side)
        return found
