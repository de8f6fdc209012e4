"""Resets whose results the program takes for pairs already, or for either form."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import values
from done_lint.facts.api_usage import ApiUsage
from done_lint.facts.results.result_calls import ResultCalls
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class ResetsTakenApart:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, calls: ResultCalls, usage: ApiUsage) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._envs = analysis.envs
        self._usage = usage
        self._calls = calls
        self._called = calls.called
        self._own = calls.own

    def handles(self, resets: Iterable[int], call: int) -> bool:
        """Whether one of the results that a call gives is taken for a pair, or tested for what it is."""
        return any(self._is_taken_apart(one, call) for one in resets) or not self._adapted.isdisjoint(resets)

    def _is_taken_apart(self, reset: int, call: int) -> bool:
        """Some use takes the value as a pair; a place where a step's observation arrives too is no such use.

        But for what is taken apart right where it is made: what else arrives there came by the project's own `reset`.
        No such use either is one in another function, which may take an observation apart for what it holds; but for a
        file that is on Gymnasium already, where `first(env.reset())` knows what a reset gives.
        """
        if self._usage.takes_numbers(call):
            return False  # position and velocity
        here = self._program.home(call)
        anywhere = here is not None and _is_migrated(self._program.surveys[here.path])
        taken = self._envs.taken.get(reset, ())
        if any(home is None or source == call for home, source in taken):
            return True
        # what a method gives beside observations tells nothing of those who call it, but something of what it calls
        bare = here in self._own.bare
        sources = {
            source
            for home, source in taken
            if home == here or (anywhere and (not bare or call in self._calls.before([source])))
        }
        return bool(self._without_own_pairs({one for one in sources if not self._is_something_else(one)}))

    @cached_property
    def _adapted(self) -> frozenset[int]:
        """The results of resets that some function returns as a whole behind a test of what they are.

        `if isinstance(result, tuple): return result`, and behind it `return result, {}`: it takes care of both forms.
        """
        tested = (
            self._program.bases[path] + node
            for path, survey in self._program.surveys.items()
            for function in survey.functions
            for _, node, guard in function.outcomes
            if guard and node
        )
        return frozenset(number for node in tested for number in self._solver.all(node, values.ResetResult))

    def _without_own_pairs(self, sources: set[int]) -> set[int]:
        """What is left when each pair that the program wrote itself, and sent the same way, has its place."""
        sent = {
            source for source in sources if self._program.call_at(source) and not self._own.answers.resets_at(source)
        }
        pairs = {n for one in sent for n in self._solver.all(one, values.Object) if self._objects.widths.get(n) == 2}
        return sources if len(sent) > len(pairs) else sources - sent

    def _is_something_else(self, source: int) -> bool:
        """Whether what is taken apart may be an observation, or a message of the program's own."""
        if self._objects.takes_messages(source):
            return True
        return bool(self._solver.all(source, values.Observation)) and not self._gets_resets_alone(source)

    def _gets_resets_alone(self, source: int) -> bool:
        """Whether only results of resets arrive, some of the library's alone: the others have yet to change."""
        made = [one for one in self._calls.before([source]) if not any(self._calls.handed_on(one))]
        functions = [self._called.functions(one) for one in made]
        resets = [bool(self._solver.all(one, values.ResetResult) or self._own.answers.resets_at(one)) for one in made]
        return all(resets) and any(not one for one in functions)


def _is_migrated(survey: Survey) -> bool:
    """The file imports Gymnasium, and nothing of Gym."""
    return "gymnasium" in survey.packages and "gym" not in survey.packages
