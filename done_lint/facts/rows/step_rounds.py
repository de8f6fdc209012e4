"""The loops that take a step, round by round: what flags decide in there, they decide about the steps to come."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Place
from done_lint.core.findings import Span
from done_lint.core.reach import reach

if TYPE_CHECKING:
    from done_lint.analysis.call_graph import CallGraph
    from done_lint.analysis.context import Analysis


class StepRounds:
    """Finds such loops in a solved graph."""

    def __init__(self, analysis: Analysis, running: CallGraph) -> None:
        """`running` tells who calls a function."""
        self._program = analysis.program
        self._running = running

    def of(self, step: int, inside: FunctionId, home: FunctionId, place: Place) -> list[Place]:
        """The loops that take a step, which stands in the function `inside`.

        `home` and `place` are those of a row that is kept of it. Where another function takes the step for it, other
        programs may call that one too.
        """
        around = self._around(step, inside, home, place)
        return [around, *(self._taking(inside) if inside != home else ())]

    def _around(self, step: int, inside: FunctionId, home: FunctionId, place: Place) -> Place:
        """The innermost loop around a step, or its function's rows; or the loop around the row."""
        path, span = (self._program.origin_site(step) if inside == home else None) or place
        if (loop := self._loop(Place(path, span))) is not None:
            return loop
        survey = self._program.surveys[path]
        first = survey.functions[home.number].row if home.number >= 0 else 0
        later = [one.row for one in survey.functions if one.row > max(first, span.row)]
        return Place(path, Span(first, 0, min(later, default=sys.maxsize), 0))

    def _taking(self, inside: FunctionId) -> Iterator[Place]:
        """The loops of all programs that call a function, or one that hands its result on."""
        callers = self._running.callers
        for home in reach([inside], lambda one: self._handing_on(callers.get(one, {}))):
            for place in callers.get(home, {}):
                if (loop := self._loop(place)) is not None:
                    yield loop

    def _handing_on(self, callers: Mapping[Place, FunctionId]) -> Iterator[FunctionId]:
        return (home for place, home in callers.items() if self._loop(place) is None)

    def _loop(self, place: Place) -> Place | None:
        """The innermost loop around a place."""
        loops = [one for one in self._program.surveys[place.path].loop_spans if place.span.within(one)]
        return Place(place.path, max(loops)) if loops else None
