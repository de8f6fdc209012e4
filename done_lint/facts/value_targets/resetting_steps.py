"""Steps of the project's own vector environments whose final observation is lost: a worker resets before it sends.

`conn.send((obs, reward, terminated, truncated))` behind `obs, info = env.reset()` gives the first observation of the
next episode to whoever takes the row. With *terminated* a value target would bootstrap from it at every truncation.
That the infos keep the final observation helps only where something asks them for it. What a worker steps can often be
seen nowhere; then what it does is known of the class that starts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import FunctionRef, ResetResult, StepResult
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.provenance import BACKWARD
from done_lint.facts.value_targets.final_observations import asking_files
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey, TextKey
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import array_functions, naming_conventions
from done_lint.knowledge.env_apis import STEP_WIDTHS
from done_lint.knowledge.vector_info_keys import OF_OBSERVATIONS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_REASON = "the step that ends an episode resets: its final observation, whose value is missing, is lost"
#: How far a value is followed back inside of a function.
_NEAR = 50
#: How many values a reset and a step give.
_PAIR, (_, _FIVE) = 2, STEP_WIDTHS


class ResettingSteps:
    """Finds the flags that such steps give."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._arrays = analysis.arrays
        self._imports = analysis.imports

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
        lost = [(path, step) for path in self._program.surveys for step in self._lost_in(path)]
        if workers := self._unknown_workers():
            lost += self._stepped_by(workers)
        return frozenset(self._program.bases[path] + flag for path, step in lost for flag in step.targets[2:4])

    def _lost_in(self, path: str) -> Iterator[ops.Unpack]:
        survey, base = self._program.surveys[path], self._program.bases[path]
        taken = [one for one in survey.waits(ops.Unpack) if one.targets]
        resets = {base + one.targets[0]: one.at for one in taken if self._solver.all(base + one.source, ResetResult)}
        resets |= self._taken_alone(survey, base)
        steps = [one for one in taken if resets and self._solver.all(base + one.source, StepResult)]
        yield from self._replaced(path, steps, resets)

    def _replaced(self, path: str, steps: Sequence[ops.Unpack], resets: Mapping[int, Span]) -> Iterator[ops.Unpack]:
        """The steps of which the observation that is kept or sent is that of a reset, by the nodes of these."""
        if not steps or not resets:
            return
        survey, base = self._program.surveys[path], self._program.bases[path]
        kept = [(set(self._near(base + node)), at) for node, at in _kept(survey, in_infos=self._is_asked(path))]
        for step in steps:
            observation = base + step.targets[0]
            places = [(nodes, at) for nodes, at in kept if observation in nodes and step.at < at]
            later = [at for nodes, at in places if any(step.at < resets[one] < at for one in nodes & resets.keys())]
            if later and not any(at < min(later) and nodes.isdisjoint(resets) for nodes, at in places):
                yield step

    def _unknown_workers(self) -> set[tuple[str, int]]:
        """The functions that do so with an environment which nothing shows, by file and number."""
        found = set()
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            steps, resets = _results(survey, "step"), _results(survey, "reset")
            taken = [one for one in survey.waits(ops.Unpack) if one.targets] if steps and resets else []
            unknown = [one for one in taken if one.source in steps and _are_of_step(survey, one)]
            pairs = {base + one.targets[0]: one.at for one in taken if one.source in resets and one.arity == _PAIR}
            for step in self._replaced(path, unknown, pairs):
                found.add((path, survey.homes.get(step.targets[0], -1)))
        return found

    def _stepped_by(self, workers: AbstractSet[tuple[str, int]]) -> Iterator[tuple[str, ops.Unpack]]:
        """The steps of objects whose class hands one of these functions on: to a process of its own."""
        for path, survey in self._program.surveys.items():
            for one in survey.waits(ops.Unpack):
                if one.arity == _FIVE and self._steps_class_of(self._program.bases[path] + one.source, workers):
                    yield path, one

    def _steps_class_of(self, node: int, workers: AbstractSet[tuple[str, int]]) -> bool:
        """Whether a value is given by a method of a class that hands one of these functions on."""
        called = self._program.call_at(node)
        methods = self._solver.values(called[1], FunctionRef) if called is not None else ()
        return any(self._hands_on(one, workers) for one in methods)

    def _hands_on(self, method: FunctionRef, workers: AbstractSet[tuple[str, int]]) -> bool:
        survey, base = self._program.surveys[method.path], self._program.bases[method.path]
        owner = survey.functions[method.index].owner
        inside = {number for number, one in enumerate(survey.functions) if owner >= 0 and one.owner == owner}
        calls = (one for one in survey.calls() if inside and survey.homes.get(one.result, -1) in inside)
        given = (one for call in calls for one in self._program.given_at(base + call.result))
        functions = (one for node in given for one in self._solver.values(node, FunctionRef))
        return any((one.path, one.index) in workers for one in functions)

    def _is_asked(self, path: str) -> bool:
        """Whether code that runs with a file, and is no test, asks infos for final observations."""
        return any(self._imports.together(one, path) for one in self._asking)

    @cached_property
    def _asking(self) -> list[str]:
        """The files that ask for them, but for tests."""
        return sorted(one for one in asking_files(self._analysis) if not self._imports.is_test(one))

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


def _results(survey: Survey, method: str) -> frozenset[Node]:
    """What calls of a method give."""
    reads = (one for one in survey.telling if one.name == method)
    calls = (one for read in reads for one in survey.waiting.get(read.target, ()))
    return frozenset(one.result for one in calls if isinstance(one, ops.Call))


def _are_of_step(survey: Survey, unpack: ops.Unpack) -> bool:
    """Whether five targets are called as the values of a step of Gymnasium are."""
    if unpack.arity != _FIVE or unpack.star >= 0:
        return False
    _, _, terminated, truncated, _ = (survey.names.get(node, "") for node in unpack.targets)
    ends = naming_conventions.done(terminated) or naming_conventions.terminated(terminated)
    return ends and naming_conventions.truncated(truncated)


def _kept(survey: Survey, *, in_infos: bool) -> Iterator[tuple[Node, Span]]:
    """What is put into containers, or into rows that are given to calls, and where.

    Args:
        survey: of a file.
        in_infos: also what stands under the key of a final observation.
    """
    read = (one for found in survey.naming.values() for one in found if isinstance(one, ops.Attribute))
    putting = {one.target for one in read if one.name in array_functions.PUTTING}
    given: set[Node] = set()
    for call in survey.calls():
        given.update(one.node for one in call.args)
        if call.called in putting:
            yield from ((one.node, one.span) for one in call.args if one.node and one.span is not None)
    for item in survey.waits(ops.SetItem):
        if in_infos or not any(isinstance(one, TextKey) and one.text in OF_OBSERVATIONS for one in item.keys):
            yield item.value, item.at
    # a row is made before the one that it stands in: `conn.send({"value": (obs, reward, terminated, truncated)})`
    for row in reversed(survey.operations):
        if isinstance(row, ops.Allocate) and row.target in given:
            given.update(one.node for one in row.elements)
            yield from ((one.node, one.span) for one in row.elements if one.node and one.span is not None)
