"""Steps of the project's own vector environments whose final observation is lost: a worker resets before it sends.

`conn.send((obs, reward, terminated, truncated))` behind `obs, info = env.reset()` gives the first observation of the
next episode to whoever takes the row. With *terminated* a value target would bootstrap from it at every truncation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import ResetResult, StepResult
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.provenance import BACKWARD
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import array_functions

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_REASON = "the step that ends an episode resets: its final observation, whose value is missing, is lost"
#: How far a value is followed back inside of a function.
_NEAR = 50


class ResettingSteps:
    """Finds the flags that such steps give."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._arrays = analysis.arrays

    def hindrance(self, node: int) -> str:
        """Why *terminated* cannot take the place of a flag, in one clause; empty: nothing of this kind."""
        if not self._lost:
            return ""
        return _REASON if any(one in self._lost for one in reach([node], self._before, bound=BACKWARD)) else ""

    def _before(self, node: int) -> list[int]:
        """The nodes that a flag comes from; an item of several flags has them without an edge."""
        sources = [edge.source for edge in self._solver.predecessors[node]]
        return [one for one in (*sources, *self._program.wholes.get(node, ())) if self._arrays.flat_flags(one)]

    @cached_property
    def _lost(self) -> frozenset[int]:
        """The flags of steps whose observation is replaced by that of a reset before it is kept or sent."""
        return frozenset(flag for path in self._program.surveys for flag in self._lost_in(path))

    def _lost_in(self, path: str) -> Iterator[int]:
        survey, base = self._program.surveys[path], self._program.bases[path]
        taken = [one for one in survey.waits(ops.Unpack) if one.targets]
        resets = {base + one.targets[0]: one.at for one in taken if self._solver.all(base + one.source, ResetResult)}
        resets |= self._taken_alone(survey, base)
        steps = [one for one in taken if resets and self._solver.all(base + one.source, StepResult)]
        if not steps:
            return
        kept = [(set(self._near(base + node)), at) for node, at in _kept(survey)]
        for step in steps:
            observation = base + step.targets[0]
            places = [(nodes, at) for nodes, at in kept if observation in nodes and step.at < at]
            later = [at for nodes, at in places if any(step.at < resets[one] < at for one in nodes & resets.keys())]
            if later and not any(at < min(later) and nodes.isdisjoint(resets) for nodes, at in places):
                yield from (base + flag for flag in step.targets[2:4])

    def _taken_alone(self, survey: Survey, base: int) -> dict[int, Span]:
        """The observation in `obs = env.reset()[0]`, and where that stands."""
        items = ((base + one.target, one) for one in survey.waits(ops.Item) if one.keys == (IndexKey(0),))
        found = (one for one in items if self._solver.all(base + one[1].source, ResetResult))
        return {node: survey.places[one.target] for node, one in found if one.target in survey.places}

    def _near(self, node: int) -> Iterable[int]:
        """What a value is, before it goes on to where it stands: from inside of the function alone."""
        return reach(
            [node], lambda at: [one.source for one in self._solver.predecessors[at] if one.way == "flow"], bound=_NEAR
        )


def _kept(survey: Survey) -> Iterator[tuple[Node, Span]]:
    """What is put into containers, or into rows that are given to calls, and where."""
    read = (one for found in survey.naming.values() for one in found if isinstance(one, ops.Attribute))
    putting = {one.target for one in read if one.name in array_functions.PUTTING}
    given: set[Node] = set()
    for call in survey.calls():
        given.update(one.node for one in call.args)
        if call.called in putting:
            yield from ((one.node, one.span) for one in call.args if one.node and one.span is not None)
    for item in survey.waits(ops.SetItem):
        yield item.value, item.at
    for row in survey.operations:
        if isinstance(row, ops.Allocate) and row.target in given:
            yield from ((one.node, one.span) for one in row.elements if one.node and one.span is not None)
