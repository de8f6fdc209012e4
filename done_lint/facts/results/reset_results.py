"""Which expressions are what `reset` returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis import values
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import FunctionRef
from done_lint.core.findings import Related
from done_lint.core.reach import reach
from done_lint.facts.api_usage import ApiUsage
from done_lint.facts.kinds.results import ResetResult
from done_lint.facts.results.handed_resets import HandedResets
from done_lint.facts.results.observing_hooks import ObservingHooks
from done_lint.facts.results.reset_origins import ResetOrigins
from done_lint.facts.results.resets_taken_apart import ResetsTakenApart
from done_lint.facts.results.result_calls import ResultCalls

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class ResetResults:
    """Reads them from a solved graph."""

    def __init__(
        self, analysis: Analysis, calls: ResultCalls, handed: HandedResets, usage: ApiUsage, hooks: ObservingHooks
    ) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._usage = usage
        self._hooks = hooks
        self._calls = calls
        self._called = calls.called
        self._environments = calls.environments
        self._own = calls.own
        self._origins = ResetOrigins(analysis, calls, handed, usage)
        self._taken_apart = ResetsTakenApart(analysis, calls, usage)

    def reset(self, node: int) -> ResetResult | None:
        """What a reset returned."""
        resets = self._solver.all(node, values.ResetResult)
        if self._program.call_at(node) is None:
            # hundreds of results arrive at many places, most of which are no calls
            found = [n for n in resets if self._calls.call(n) == node]
        else:
            found = [n for n in resets if self._origins.gives(node, n)]
        if (
            not found
            or self._calls.is_own_api(node)
            or not self._called.share_an_api(node)
            or self._calls.is_adapted(node, found)
        ):
            return None
        if (
            self._calls.is_misfit(node, found)
            or self._calls.is_replaced_outside(found, "reset")
            or self._is_chosen(node)
        ):
            return None
        functions = self._called.functions(node)
        called = [FunctionId(one.path, one.index) for one in functions]
        if (
            any(map(self._answers_both, functions))
            or self._called.is_replaced(node, "reset")
            or self._calls.is_asked_of_unknown(found)
        ):
            return None
        if not self._own.turned_back.isdisjoint(called) or self._give_nothing(called):
            return None  # one of them gives the observation alone on purpose, beside whatever else may arrive
        if self._usage.is_gym_only(node) and any(self._hooks.has(one) for one in reach(called, self._helpers)):
            return None  # it will give the observation (see `ObservingHooks`)
        if functions and all(self._is_unseen(one, self._usage.is_gym_only(node)) for one in functions):
            return None
        answering = sorted(reach(called, self._own.delegates))
        if self._called.asks_a_protocol(node) and any(map(self._called.builds_own, answering)):
            return None  # what it asks may be one of its kind, which answers as the project wants it
        mixed = self._own_reset(node) or self._calls.may_be_another(node, found)
        env = self._environments.agreed([self._calls.result(n).env for n in found], mixed=mixed)
        if env is None:
            return None
        nearest = min(found, key=lambda number: self._calls.nearness(number, node))
        return ResetResult(
            env,
            self._calls.origin(nearest, "reset here"),
            handled=self._taken_apart.handles(found, node),
            pending=next((self._own.bare[one] for one in answering if one in self._own.bare), None),
            pending_inside=self._bare_inside(found),
            library=self._calls.asks_library(found),
            own=bool(functions),
            uncertain=not self._own.uncertain.isdisjoint(answering),
            gym_only=self._usage.is_gym_only(node),
            used_as_gym=self._usage.is_used_as_gym(node),
            numbers=self._usage.takes_numbers(node),
        )

    def _bare_inside(self, results: list[int]) -> Related | None:
        """The `reset` of a class that a `make` makes by its id, where each of them returns the observation alone."""
        methods = self._calls.made_inside(results, "reset")
        bare = [self._own.bare.get(one) if one is not None else None for one in methods]
        return bare[0] if bare and None not in bare else None

    def _give_nothing(self, methods: list[FunctionId]) -> bool:
        """Whether each `reset` that is called does its work and returns nothing: there is no pair to be taken apart."""
        return bool(methods) and all(map(self._gives_nothing, methods))

    def _gives_nothing(self, method: FunctionId) -> bool:
        function = self._program.function_at(method)
        # a lambda has no `return`
        return function.name == "reset" and not (function.outcomes or function.abstract or function.decorated)

    def _is_unseen(self, function: FunctionRef, gym_only: bool) -> bool:
        """A `reset` that returns what came out of a pipe: observations, if these are what was sent.

        What a program for old Gym sends is the observation, and will be: its reset is taken apart where it is sent.
        """
        method = FunctionId(function.path, function.index)
        if method not in self._own.unseen or method in self._own.bare:
            return False
        return gym_only or not any(
            self._solver.all(node, values.ResetResult) for node in self._called.outcomes(function)
        )

    def _answers_both(self, function: FunctionRef) -> bool:
        """A `reset` that returns a pair here and something else there: what arrives is for the caller to know."""
        pairs = [
            bool(self._solver.all(node, values.ResetResult)) or self._own.answers.is_pair(node)
            for node in self._made_outcomes(function)
        ]
        return any(pairs) and not all(pairs)

    def _made_outcomes(self, function: FunctionRef) -> list[int]:
        """What each `return` of a function gives; of one that returns what a helper gives, those of the helper."""
        nodes = reach(self._called.outcomes(function), self._helped)
        return [node for node in nodes if not self._helped(node)]

    def _helped(self, node: int) -> list[int]:
        """Where a node is the result of calls of the project's functions: what each `return` of these gives."""
        if self._own.answers.resets_at(node):
            return []
        return [one for function in self._called.functions(node) for one in self._called.outcomes(function)]

    def _helpers(self, function: FunctionId) -> list[FunctionId]:
        """The functions whose results a function of the project returns."""
        base = self._program.bases[function.path]
        outcomes = self._program.function_at(function).outcomes
        helpers = (one for _, node, _ in outcomes for one in self._called.functions(base + node))
        return [FunctionId(one.path, one.index) for one in helpers]

    def _is_chosen(self, call: int) -> bool:
        """`getattr(env, name)()`, where the name may be that of another method: it may give anything."""
        made = self._program.call_at(call)
        names = {one.name for one in self._solver.values(made[1], values.EnvMethod)} if made is not None else set()
        return len(names) > 1

    def _own_reset(self, node: int) -> bool:
        """What is called can also be a method of the project that builds its own result."""
        for one in self._called.functions(node):
            function = self._program.function_at(FunctionId(one.path, one.index))
            result = self._program.bases[one.path] + function.result
            if function.abstract or self._calls.of_environment(one):
                continue
            if not self._solver.all(result, values.ResetResult):
                return True
        return False
