"""Which expressions are what `step` returns, and the columns of what several steps returned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis import registrations, values
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.core.findings import Related
from done_lint.facts.api_usage import ApiUsage
from done_lint.facts.classes.constant_truncation import ConstantTruncation
from done_lint.facts.kinds.results import StepResult
from done_lint.facts.results.asked_truncation import AskedTruncation
from done_lint.facts.results.either_result import is_of_either
from done_lint.facts.results.flag_arrays import FlagArrays
from done_lint.facts.results.flags_per_agent import FlagsPerAgent
from done_lint.facts.results.result_calls import ResultCalls
from done_lint.facts.results.step_orders import StepOrders

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class StepResults:
    """Reads them from a solved graph."""

    def __init__(self, analysis: Analysis, calls: ResultCalls, usage: ApiUsage) -> None:
        """Read from a solved graph."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = analysis.classes
        self._usage = usage
        self._calls = calls
        self._called = calls.called
        self._environments = calls.environments
        self._own = calls.own
        self._per_agent = FlagsPerAgent(analysis)
        self._asked_truncation = AskedTruncation(analysis)
        self._truncation = ConstantTruncation(analysis)
        self._flag_arrays = FlagArrays(analysis)
        self._orders = StepOrders(analysis)

    def step(self, node: int) -> StepResult | None:
        """What one step returned."""
        found = self._solver.all(node, values.StepResult)
        found += [
            n for n in self._solver.all(node, values.OwnStepResult) if not self._calls.is_own_api(self._calls.call(n))
        ]
        if not found or self._calls.is_misfit(node, found):
            return None
        if self._called.is_replaced(node, "step") or self._calls.is_replaced_outside(found, "step"):
            return None
        if self._calls.is_adapted(node, found) or self._calls.is_asked_of_unknown(found):
            return None
        functions = self._called.functions(node)
        if any(map(self._own.is_above_adapter, functions)):
            return None  # one of them gives four values on purpose, beside whatever else may arrive
        named = self._own.classes.named
        objects = self._solver.all(node, values.Object)
        fours = {n for n in objects if self._objects.widths.get(n) == 4 or named.is_old(n)}
        own = not fours <= self._own.fours.keys()
        if own and (self._called.is_inner(node) or not self._called.share_an_api(node)):
            return None
        if own and not self._own.fours and self._solver.is_widened(node):
            return None  # where so many results arrive, those that are rightly of four values may be all
        mixed = own or self._calls.may_be_another(node, found)
        env = self._environments.agreed([self._calls.result(n).env for n in found], mixed=mixed)
        if env is None:
            return None
        nearest = min(found, key=lambda number: self._calls.nearness(number, node))
        written = any(isinstance(self._solver.value(number), values.OwnStepResult) for number in found)
        pending = next((self._own.fours[number] for number in sorted(fours) if number in self._own.fours), None)
        return StepResult(
            env,
            self._calls.origin(nearest, "stepped here"),
            pending=pending,
            pending_inside=self._four_inside(found),
            library=self._calls.asks_library(found),
            gym_only=self._usage.is_gym_only(node),
            per_agent=self._per_agent.of(node),
            array=self._flag_arrays.of(node),
            truncation_asked=self._asked_truncation.of(node),
            never_truncated=env.unlimited
            and (not written or self._truncation.of_rows(node) or all(map(self._terminates_always, found))),
            truncates=written and self._truncates(node),
            either=is_of_either(self._solver, node),
            orders=frozenset().union(*(self._orders.of(self._calls.call(number)) for number in found)),
            own=bool(functions),
        )

    def _terminates_always(self, result: int) -> bool:
        """Whether what gave a result says no truncation without a termination."""
        asked = self._calls.asked(result)
        return asked is not None and self._environments.terminates_always(asked[0])

    def _four_inside(self, results: list[int]) -> Related | None:
        """The `step` of a class that a `make` makes by its id, where each of them returns four values."""
        methods = self._calls.made_inside(results, "step")
        fours = [self._four_of(one) if one is not None else None for one in methods]
        return fours[0] if fours and None not in fours else None

    def _four_of(self, step: FunctionId) -> Related | None:
        """Where a `step` of the project returns four values that are to become five."""
        result = self._program.bases[step.path] + self._program.function_at(step).result
        answers = sorted(self._solver.all(result, values.Object))
        return next((self._own.fours[one] for one in answers if one in self._own.fours), None)

    def _truncates(self, call: int) -> bool:
        """Whether a call steps classes of the project alone, no wrappers, each with a limit that only truncates."""
        steps = self._called.functions(call)
        made = [self._called.instance(function) for function in steps]
        owners = [ClassId(one.path, one.index) for one in made if one is not None]
        return (
            bool(steps)
            and len(owners) == len(steps)
            and not any(self._classes.is_wrapper(*one) for one in owners)
            and all(registrations.may_truncate(self._analysis, one) for one in owners)
            and all(map(self._own.limits.truncates, steps, owners))
        )

    def columns(self, node: int) -> StepResult | None:
        """The columns of several steps."""
        found = [
            n for n in self._solver.all(node, values.StepColumns) if not self._calls.is_own_api(self._calls.call(n))
        ]
        env = self._environments.agreed(self._calls.result(number).env for number in found)
        if env is None:
            return None
        results = [one for number in found for one in self._solver.all(self._calls.call(number), values.Object)]
        pending = next((self._own.fours[one] for one in sorted(results) if one in self._own.fours), None)
        gym_only = self._usage.is_gym_only(node)
        return StepResult(env, self._calls.origin(min(found), "stepped here"), pending=pending, gym_only=gym_only)
