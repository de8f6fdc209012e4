"""Where the result of a step or reset escapes: it is handed to code that the analysis does not follow, or to an array.

In a program for old Gym that code expects four values, or the observation alone: what it does with more is not seen. A
row of an array (`rows[i] = env.step(action)`) has as many columns as it was made with.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import values
from done_lint.analysis.call_graph import CallGraph
from done_lint.analysis.program import FunctionId
from done_lint.core.findings import Span
from done_lint.facts.api_usage import ApiUsage
from done_lint.facts.environments.environments import Environments
from done_lint.facts.kinds.results import EscapingResult
from done_lint.facts.results.either_result import is_of_either
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import array_functions
from done_lint.knowledge.env_apis import STEP_WIDTHS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: What follows its arguments, whatever they are.
_OF_PROJECT = (
    *(values.FunctionRef, values.ClassRef, values.Instance, values.Partial, values.RecordClass),
    *(values.ContainerMethod, values.EnvMethod, values.SuperInit),
)
#: Tuples, also those that a function returns.
_TUPLES = (values.Shape.TUPLE.value, values.Shape.RETURNED.value)
_STEPPED = (values.StepResult, values.OwnStepResult)
_RESULTS = (*_STEPPED, values.ResetResult)


class EscapingResults:
    """Reads from a solved graph where results escape."""

    def __init__(self, analysis: Analysis, usage: ApiUsage, environments: Environments, running: CallGraph) -> None:
        """Read from a solved graph."""
        self._running = running
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._usage = usage
        self._environments = environments
        #: The values that may be a result, or give one.
        self._giving = self._solver.of_kinds(*_STEPPED, values.EnvMethod, values.FunctionRef)
        #: Functions that write their argument out, with all that this holds: who reads it back is not seen.
        self._writing = self._solver.chosen_of(
            values.External, lambda one: _last(one.dotted) in array_functions.WRITING
        )

    def of(self, survey: Survey) -> dict[Span, EscapingResult]:
        """The arguments that hand on a result, or what gives one, to other code, and the results that become rows."""
        found: dict[Span, EscapingResult] = {}
        for span, result in self.all_of(survey):
            if not is_of_either(self._solver, result) and (escaping := self._escaping(result)) is not None:
                found[span] = escaping
        return found

    def all_of(self, survey: Survey) -> Iterator[tuple[Span, int]]:
        """These places, and the nodes of the results, whatever the environment is written for."""
        yield from ((span, one) for span, one, _ in self._handed_on(survey))
        yield from self._rows(survey)

    def of_either(self, survey: Survey) -> Iterator[tuple[Span, int, int]]:
        """The arguments that may be of a step or of a reset, the nodes of these, and those of what the calls give."""
        for span, result, given in self._handed_on(survey):
            if is_of_either(self._solver, result) and self._usage.is_gym_only(result):
                yield span, result, given

    def _handed_on(self, survey: Survey) -> Iterator[tuple[Span, int, int]]:
        """The arguments that go to other code: the nodes of the results that they are or give, and the calls'."""
        base = self._program.bases[survey.path]
        for call in survey.calls():
            for argument in call.args:
                node = base + argument.node
                if not argument.node or argument.span is None or not self._solver.held[node]:
                    continue
                result = self._handed(node)
                if result is None and self._solver.holds(base + call.called, self._writing):
                    result = self._inside(node)
                if result is None or self._is_followed(base + call.called):
                    continue
                if argument.span not in survey.guarded:
                    yield argument.span, result, call.result

    def _rows(self, survey: Survey) -> Iterator[tuple[Span, int]]:
        """The results of steps that become a row of an array, or a value of another library's store, and their nodes.

        `shelve.open(path)[key] = result`: who reads it back, and when, is not seen.
        """
        base = self._program.bases[survey.path]
        for one in survey.waits(ops.SetItem):
            owner = base + one.owner
            shapes = {value.shape for value in self._solver.values(owner, values.Object)}
            foreign = not shapes and any(
                value.dotted.endswith("()") for value in self._solver.values(owner, values.External)
            )
            held = map(self._solver.value, self._solver.held[base + one.value])
            if (foreign or values.Shape.ARRAY in shapes) and any(isinstance(value, _STEPPED) for value in held):
                yield from ((span, base + node) for span, node in survey.uses if node == one.value)

    def _handed(self, node: int) -> int | None:
        """The node of the result that an argument is, or gives when it is called; None: it is and gives none."""
        if not self._solver.holds(node, self._giving):
            return None
        for number in sorted(self._giving.intersection(self._solver.held[node])):
            value = self._solver.value(number)
            if number in self._observed:
                continue
            if isinstance(value, _STEPPED):
                return node
            if isinstance(value, values.EnvMethod) and value.name in ("step", "reset"):
                return node
            if isinstance(value, values.FunctionRef):
                function = FunctionId(value.path, value.index)
                result = self._program.bases[value.path] + self._program.function_at(function).result
                held = (self._solver.value(one) for one in self._solver.held[result])
                if any(isinstance(one, _RESULTS) and self._makes(function, one) for one in held):
                    return result
        return None

    @cached_property
    def _observed(self) -> frozenset[int]:
        """What the `step` of a base gave, where it is returned as an observation: `return image, 0.0, False, {}`."""
        firsts = (
            self._program.bases[path] + one.elements[0].node
            for path, survey in self._program.surveys.items()
            for one in survey.operations
            if isinstance(one, ops.Allocate) and one.kind in _TUPLES and len(one.elements) in STEP_WIDTHS
            if not one.stars and one.elements[0].node
        )
        held = (number for node in firsts for number in self._solver.held[node])
        return frozenset(one for one in held if isinstance(self._solver.value(one), values.OwnStepResult))

    def _makes(self, function: FunctionId, result: values.EnvResult) -> bool:
        """Whether a result is made when a function is called, which otherwise reads what was stored: `row.observation`.

        What is stored is reported where it is made.
        """
        home = self._program.home(result.node)
        return home is None or home.number < -1 or function in self._running.called_from(home)

    def _inside(self, node: int) -> int | None:
        """The node of a result that a list, a tuple or a dict holds."""
        owned = self._objects.owned
        fields = (field for number in self._solver.all(node, values.Object) for _, field in owned.get(number, ()))
        return next((result for field in fields if (result := self._handed(field)) is not None), None)

    def _is_followed(self, called: int) -> bool:
        """Whether the analysis knows what a call does with its arguments, or it does nothing with them."""
        held = [self._solver.value(number) for number in self._solver.held[called]]
        return bool(held) and all(
            (isinstance(value, _OF_PROJECT) and not _merges(value))
            or (isinstance(value, values.External) and _last(value.dotted) in array_functions.HARMLESS)
            for value in held
        )

    def _escaping(self, result: int) -> EscapingResult | None:
        """What escapes, where all that is known of the environment is written for old Gym."""
        if not self._usage.is_gym_only(result):
            return None
        held = [self._solver.value(number) for number in self._solver.held[result]]
        envs = [value.env for value in held if isinstance(value, (values.EnvResult, values.EnvMethod))]
        env = self._environments.agreed(envs)
        if env is None or not env.api.five:
            return None
        resets = any(
            isinstance(value, values.ResetResult) or (isinstance(value, values.EnvMethod) and value.name == "reset")
            for value in held
        )
        return EscapingResult(env, "reset" if resets else "step")


def _merges(value: values.Value) -> bool:
    """`row.extend(result)`: the values are those of a longer row now."""
    return isinstance(value, values.ContainerMethod) and value.name == "extend"


def _last(dotted: str) -> str:
    return dotted.removesuffix("()").rpartition(".")[2]
