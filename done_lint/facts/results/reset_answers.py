"""What an expression is that a `reset` of the project returns: a pair, what another one gave, or an observation."""

from __future__ import annotations

from collections.abc import Set
from itertools import chain
from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.solver import ALL
from done_lint.analysis.values import FunctionRef, Object, ResetResult
from done_lint.core.reach import reach
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.facts.kinds.classes import EnvClass
from done_lint.facts.results.step_unpackings import StepUnpackings
from done_lint.facts.results.variable_origins import VariableOrigins
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey
from done_lint.knowledge.api_converters import TAKE_OLD_GYM

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_FIRST = IndexKey(0)


class ResetAnswers:
    """Asks a solved graph of single values."""

    def __init__(
        self, analysis: Analysis, classes: EnvClasses, origins: VariableOrigins, unpackings: StepUnpackings
    ) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = classes
        self._origins = origins
        self._unpackings = unpackings

    def is_pair(self, node: int) -> bool:
        """Whether a tuple of two values arrives somewhere as it is."""
        pairs = [number for number in self._solver.all(node, Object) if self._objects.widths.get(number) == 2]
        return any(self._arrives_whole(number, node) for number in pairs)

    def resets_at(self, node: int) -> bool:
        """The node is the result of a call of some `reset`."""
        call = self._program.call_at(node)
        if call is None:
            return False
        _, called = call
        _, name = self._program.attribute_at(called) or (0, "")
        return name == "reset"

    def is_passed_on(self, path: str, local: int) -> bool:
        """What another environment's `reset` gave, untouched: right as soon as that one is."""
        made = self._origins.of(path, local)
        return all(map(self.resets_at, made)) and not any(map(self._resets_no_environment, made))

    def is_asked_part(self, path: str, local: int, handed: Set[int]) -> bool:
        """Whether it is returned under `isinstance(obs, dict)`, and the exits behind hand a pair made there on."""
        if not handed:
            return False
        named = chain.from_iterable(self._program.surveys[path].naming.values())
        asked = (one.source for one in named if isinstance(one, ops.Narrow) and one.target == local)
        return any(not handed.isdisjoint(self._origins.of(path, source)) for source in asked)

    def is_stepped(self, path: str, local: int) -> bool:
        """In one of the branches before, it is the observation of a step."""
        return not self._unpackings.observations.isdisjoint(self._origins.of(path, local))

    def is_first_of_step(self, path: str, local: int, step: int | None) -> bool:
        """`result = self._one_step()`, then `return result[0]`, where `step` returns such a result whole."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        items = (one.source for one in survey.waits(ops.Item) if one.target == local and one.keys == (IndexKey(0),))
        firsts = (one.source for one in survey.waits(ops.Unpack) if one.targets[:1] == (local,) and one.star < 0)
        source = next(chain(items, firsts), None)
        if step is None or source is None:
            return False
        given = set(self._solver.all(base + source, Object))
        returned = self._solver.all(base + survey.functions[step].result, Object)
        return bool(given) and given <= {one for one in returned if self._objects.widths.get(one) in (4, 5)}

    def holds_rest(self, path: str, local: int) -> bool:
        """`return changed, *rest` behind `obs, *rest = self.env.reset()`: the info is in what the star took."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        made = set(self._origins.of(path, local))
        spread = {
            origin
            for one in survey.operations
            if isinstance(one, ops.Allocate) and one.stars and base + one.target in made
            for place in one.stars
            for origin in self._origins.of(path, one.elements[place].node)
        }
        return bool(spread) and any(
            base + one.targets[one.star] in spread and bool(self._solver.all(base + one.source, ResetResult))
            for one in survey.waits(ops.Unpack)
            if one.star > 0
        )

    def holds_pairs(self, node: int) -> bool:
        """Whether the elements of a container are pairs that resets returned, asked for as today and so left whole.

        Or what was promised by them: `promise = env.reset()`, and later `promise()`.
        """
        fields = [field for one in self._solver.all(node, Object) for _, field in self._objects.owned.get(one, ())]
        resets = (reset for field in fields for reset in self._solver.values(field, ResetResult))
        if any(self._program.names_arguments(reset.node, "seed", "options") for reset in resets):
            return True
        sources = (source for field in fields for source, _, _ in self._solver.predecessors[field])
        calls = (self._program.call_at(source) for source in sources)
        return any(call is not None and self._solver.all(call[1], ResetResult) for call in calls)

    def is_unseen(self, node: int) -> bool:
        """A promise (a function of the project), or what came out of a pipe: it may be a pair, now or later."""

        def before(target: int) -> list[int]:
            return [source for source, way, _ in self._solver.predecessors[target] if way in ("flow", "return")]

        made = reach([node], before)
        return any(self._solver.all(one, FunctionRef) or self._is_received(one) for one in made)

    def is_of_old(self, path: str, local: int, owner: EnvClass) -> bool:
        """The observation of an adapter: what the environment in it answers, a pair where that is one of today."""
        if owner.base not in TAKE_OLD_GYM:
            return False
        survey, made = self._program.surveys[path], set(self._origins.of(path, local))
        base = self._program.bases[path]
        items = (one.source for one in survey.waits(ops.Item) if base + one.target in made and one.keys == (_FIRST,))
        firsts = (one.source for one in survey.waits(ops.Unpack) if one.targets and base + one.targets[0] in made)
        return any(self._solver.all(base + source, ResetResult) for source in chain(items, firsts))

    def _arrives_whole(self, number: int, node: int) -> bool:
        """Whether the tuple itself arrives, not what a library computed from it (`np.concatenate((a, b))`)."""

        def sources(target: int) -> list[int]:
            return [source for source, _, _ in self._solver.predecessors[target] if number in self._solver.held[source]]

        def whole(target: int) -> list[int]:
            if self._program.call_at(target) is None:
                return sources(target)  # `obs = left` in one branch and `obs = right` in the other one, too
            return [source for source in sources(target) if self._solver.successors[source].get(target) == ALL]

        return any(not sources(first) for first in reach([node], whole) if not whole(first))

    def _is_received(self, node: int) -> bool:
        """`connection.recv()` of `multiprocessing`."""
        _, called = self._program.call_at(node) or (None, 0)
        _, name = self._program.attribute_at(called) or (0, "")
        return name == "recv"

    def _resets_no_environment(self, node: int) -> bool:
        """What is called is the `reset` of classes that are no environments, and returns no pair."""
        call = self._program.call_at(node)
        called = self._solver.held[call[1]] if call is not None else ()
        functions = [self._solver.value(number) for number in called]
        return bool(functions) and all(
            isinstance(one, FunctionRef) and self._answers_alone(FunctionId(one.path, one.index)) for one in functions
        )

    def _answers_alone(self, method: FunctionId) -> bool:
        function = self._program.function_at(method)
        result = self._program.bases[method.path] + function.result
        known = function.owner < 0 or self._classes.of(method.path, function.owner) is not None
        handed = self._solver.all(result, ResetResult) or self.is_pair(result)
        return not known and not handed and bool(function.outcomes)
