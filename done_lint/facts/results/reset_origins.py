"""Calls that give the result of a reset: the reset itself, or functions of the project that hand it on as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis import values
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import FunctionRef
from done_lint.core.asked_once import asked_once
from done_lint.facts.api_usage import ApiUsage
from done_lint.facts.results.handed_resets import HandedResets
from done_lint.facts.results.result_calls import ResultCalls

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class ResetOrigins:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, calls: ResultCalls, handed: HandedResets, usage: ApiUsage) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._usage = usage
        self._running = calls.environments.provenance.running
        self._calls = calls
        self._called = calls.called
        self._own = calls.own
        self._handed = handed

    def gives(self, call: int, reset: int) -> bool:
        """The call is the reset itself, or one of a `reset` of the project that returns it as it is."""
        origin = self._calls.call(reset)
        if origin == call:
            return True
        site = self._program.origin_site(origin)
        if site is None or not (self._own.answers.resets_at(call) or self._only_resets(call, origin)):
            return False
        if not self._handed.is_returned(origin, site):
            return False
        return all(map(self._hands_on_alone, self._called.functions(call)))

    @asked_once
    def _hands_on_alone(self, function: FunctionRef) -> bool:
        """A function hands on what resets give, and nothing else, and no other function is called in its place."""
        if self._handed.is_beside_another(FunctionId(function.path, function.index)):
            return False
        return not (self._translates(function) or self._takes_rows(function))

    def _only_resets(self, call: int, origin: int) -> bool:
        """Whatever it is called, each function that a call can mean resets an old environment and hands that on.

        What one was given, or reads where it was stored, is taken apart before, where it was reset.
        """
        if not self._usage.is_gym_only(call):
            return False
        functions = self._called.functions(call)
        results = [self._program.bases[one.path] + self._result_of(one) for one in functions]
        if not results or not all(self._solver.all(node, values.ResetResult) for node in results):
            return False
        if not all(self._handed.hands_on(FunctionId(one.path, one.index)) for one in functions):
            return False
        home = self._program.home(origin)
        resetting = self._running.called_from(home) if home is not None else ()
        return any(FunctionId(one.path, one.index) in resetting for one in functions)

    def _takes_rows(self, function: FunctionRef) -> bool:
        """A function returns what comes out of a pipe, results of steps as well: what was sent is for its sender."""
        return any(
            self._solver.all(node, values.StepResult)
            or self._solver.all(node, values.OwnStepResult)
            or any(self._objects.widths.get(one) in (4, 5) for one in self._solver.all(node, values.Object))
            for node in self._called.outcomes(function)
        )

    def _translates(self, function: FunctionRef) -> bool:
        """A class of no library's hands one `reset` on as it is, and takes another apart: its callers get the same."""
        if self._calls.of_environment(function):
            return False
        held = [bool(self._solver.all(node, values.ResetResult)) for node in self._called.outcomes(function)]
        return any(held) and not all(held)

    def _result_of(self, function: FunctionRef) -> int:
        return self._program.function_at(FunctionId(function.path, function.index)).result
