"""Which environments are seen to be those whose episodes nothing ever truncates.

A class of the project whose `step` returns `False` in the place of truncation has no limit, nor has the library's
wrapper around it, unless that is one of the time, nor a wrapper of the project that hands the flag on. A vector
environment puts none around what its functions make either: where an episode ends, it has terminated.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import registrations
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.promises import never_truncates
from done_lint.analysis.values import Environment, FunctionRef, Instance, Value
from done_lint.facts.classes.constant_truncation import ConstantTruncation
from done_lint.facts.environments.own_wrappers import hands_truncation_on
from done_lint.knowledge import env_apis
from done_lint.knowledge.vector_sizes import OF_FUNCTIONS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class EndlessEpisodes:
    """Looks at what is inside of wrappers, and at what is given to the calls that make vector environments."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = analysis.classes
        self._envs = analysis.envs
        self._truncation = ConstantTruncation(analysis)
        self._known: dict[int, bool] = {}
        self._known_ends: dict[int, bool] = {}
        self._known_wrappers: dict[int, bool] = {}
        self._known_alike: dict[int, bool] = {}

    @cached_property
    def around(self) -> dict[int, int]:
        """By the result of a wrapper of the library around an instance of a class of the project, what is inside."""
        return {result: inside for inside, result, _ in self._envs.wrapped if self._solver.all(inside, Instance)}

    def of(self, env: Environment) -> bool:
        """Whether nothing ever truncates the episodes of an environment, alone or in a vector environment."""
        if env.unlimited:
            return True
        limited = env_apis.TIME_LIMIT in env.layers
        if env.node in self._envs.make_calls:
            wrapping = registrations.wrapping(self._analysis, env.node)
            if (wrapping.endless and not limited) or (wrapping.limit is False and self._made_endless(env.node)):
                return True
        if env.api.vector and self.is_endless(env.node):
            return True
        around = self.around.get(env.node)
        if around is None or limited:
            return False
        return never_truncates(self._analysis, around) or self.terminates_always(around)

    def terminates_always(self, node: int) -> bool:
        """Whether a node holds nothing but objects that are seen to say no truncation without a termination."""
        held = self._solver.held[node]
        return bool(held) and all(map(self._terminates_too, held))

    def is_endless(self, node: int) -> bool:
        """Whether the call at a node makes a vector environment, of functions that are all in sight."""
        if node not in self._known:
            # what is made of itself proves nothing
            self._known[node] = False
            self._known[node] = self._makes_all(node, self._never_truncates)
        return self._known[node]

    def ends_terminated(self, node: int) -> bool:
        """Whether the environments in a vector environment are begun anew at terminations alone.

        Where a `step` gives one flag in both places (`return obs, reward, done, done, info`), what it calls terminated
        is every end that is seen from outside.
        """
        if node not in self._known_ends:
            self._known_ends[node] = False
            self._known_ends[node] = self.is_endless(node) or self._makes_all(node, self._terminates_too)
        return self._known_ends[node]

    def _made_endless(self, made: int) -> bool:
        """Whether a `make` without a limit makes classes of the project whose steps give nothing but `False`."""
        classes = registrations.entries(self._analysis, made)
        return bool(classes) and all(map(self._truncation.of_class, classes))

    def _makes_all(self, node: int, fits: Callable[[int], bool]) -> bool:
        """Whether all that is in the vector environment which is made at a node is seen, and fits."""
        made, given = self._envs.makes.get(node), self._envs.functions.get(node, 0)
        if made is None or not given or made.function.rpartition(".")[2] not in OF_FUNCTIONS:
            return False
        elements = [field for number in self._solver.held[given] for _, field in self._objects.owned.get(number, ())]
        functions = [number for one in elements for number in self._solver.held[one]]
        return bool(functions) and all(self._gives(number, fits) for number in functions)

    def _gives(self, number: int, fits: Callable[[int], bool]) -> bool:
        """Whether a value is a function that returns nothing but what fits."""
        function = self._solver.value(number)
        if not isinstance(function, FunctionRef):
            return False
        result = self._program.bases[function.path]
        result += self._program.function_at(FunctionId(function.path, function.index)).result
        made = self._solver.held[result]
        return bool(made) and all(map(fits, made))

    def _never_truncates(self, number: int) -> bool:
        """Whether a value is a class's instance whose `step` always returns `False` for truncation, or that wrapped."""
        made = self._solver.value(number)
        if isinstance(made, Environment):
            return made.certainty == "proven" and self.of(made)
        result = self._step_of(made)
        if result is not None and self._truncation.of(result):
            return True
        return isinstance(made, Instance) and self._is_endless_wrapper(number, made)

    def _is_endless_wrapper(self, number: int, made: Instance) -> bool:
        """Whether a value is a wrapper of the project that hands the flag on of what never truncates."""
        if number not in self._known_wrappers:
            self._known_wrappers[number] = False
            self._known_wrappers[number] = hands_truncation_on(self._analysis, made, self._never_truncates)
        return self._known_wrappers[number]

    def _terminates_too(self, number: int) -> bool:
        """Whether a value never truncates, or terminates whenever it does.

        Then it is an instance of a class whose `step` gives one flag in both places, or a wrapper of the project that
        hands both flags of such a thing on.
        """
        made = self._solver.value(number)
        if not isinstance(made, Instance) or self._never_truncates(number):
            return self._never_truncates(number)
        if number not in self._known_alike:
            self._known_alike[number] = False
            self._known_alike[number] = self._gives_one_flag(made) or hands_truncation_on(
                self._analysis, made, self._terminates_too, both=True
            )
        return self._known_alike[number]

    def _gives_one_flag(self, made: Instance) -> bool:
        """Whether the `step` of a class gives five values, and truncates nothing that it does not terminate."""
        method = self._classes.method_of(made.path, made.index, "step")
        if method is None or set(self._program.function_at(method).arities) != {5}:
            return False
        return registrations.may_truncate(self._analysis, ClassId(made.path, made.index)) is False

    def _step_of(self, made: Value) -> int | None:
        """What the `step` of a class's instance returns."""
        method = self._classes.method_of(made.path, made.index, "step") if isinstance(made, Instance) else None
        return self._program.bases[method.path] + self._program.function_at(method).result if method else None
