"""Environment classes with an API of their own, whatever they inherit: nobody steps them as an environment of Gym's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.solver import Solver
from done_lint.analysis.values import Object, OwnStepResult, StepResult
from done_lint.facts.classes.named_results import NamedResults
from done_lint.facts.classes.own_steps import OwnSteps

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Bases whose `step` does nothing but tell that there is none, and those that have none.
_STEPLESS = frozenset(
    {"gym.Env", "gym.core.Env", "gymnasium.Env", "gymnasium.core.Env", "object", "abc.ABC", "typing.Generic"}
)
#: What a step is called in Gym, in what is ancient of it, and in its vector environments.
_STEPS = frozenset({"step", "_step", "step_wait", "step_async"})


class OwnApis:
    """Looks for them in a solved graph."""

    def __init__(
        self,
        analysis: Analysis,
        named: NamedResults,
        heirs: Mapping[ClassId, Sequence[ClassId]],
        made: Set[ClassId],
    ) -> None:
        """Read from a solved graph.

        Args:
            analysis: the graph.
            named: which results are named tuples of old Gym.
            heirs: the classes that inherit from each class of the project.
            made: the classes that are registered, or that a `make` in sight gives.
        """
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = analysis.classes
        self._named = named
        self._heirs = heirs
        self._made = made
        self._own_steps = OwnSteps(analysis)
        #: Some id is registered for what is not in sight.
        self._hidden_entries = bool(analysis.envs.unseen_entries)

    def has(self, path: str, index: int, *, foreign: bool) -> bool:
        """Its own `step` asks for more than an action, or returns neither four values nor five: an API of its own.

        Or five in an order that no library's code takes, or it turns today's API back into the old one, or steps by
        another method alone.

        `foreign`: some base of the class is not in the project, and in no table.
        """
        if ClassId(path, index) in self._classes.turned_back:
            return True
        method = self._classes.method_of(path, index, "step")
        if method is None:
            return not foreign and self._steps_otherwise(path, index)
        function = self._program.function_at(method)
        if function.required > 2 and function.kind == "function":
            return True
        if 0 in function.arities:
            return False  # `(obs, *rest)` may have any number of values
        result = self._program.bases[method.path] + function.result
        if self._is_of_own_order(path, index, method):
            return True
        objects = self._solver.all(result, Object)
        known = any(self._objects.widths.get(one) in (4, 5) or self._named.is_old(one) for one in objects)
        return bool(function.outcomes) and not known and not is_step(self._solver, result)

    def _is_of_own_order(self, path: str, index: int, step: FunctionId) -> bool:
        """The project steps it in five values of its own, by hand: no `make` and no library's code ever does."""
        lineage = [one for one in self._classes.lineage(path, index) if isinstance(one, ClassId)]
        family = {*lineage, *(heir for one in lineage for heir in self._heirs.get(one, ()))}
        if self._hidden_entries or not self._made.isdisjoint(family) or self._classes.is_wrapper(path, index):
            return False
        return self._own_steps.has(step, family)

    def _steps_otherwise(self, path: str, index: int) -> bool:
        """`step_dynamics`, and `step` in no class above or below: nothing steps it as an environment of Gym."""
        lineage = self._classes.lineage(path, index)
        plain = all(isinstance(one, ClassId) or one in _STEPLESS for one in lineage)
        if not plain:
            return False
        own = [one for one in (*lineage, *self._heirs.get(ClassId(path, index), ())) if not isinstance(one, str)]
        names = {name for one in own for name in self._program.class_at(*one).methods}
        return names.isdisjoint(_STEPS) and any(name.startswith("step_") or name.endswith("_step") for name in names)


def is_step(solver: Solver, node: int) -> bool:
    """Whether the node holds what a step returned: of the library's, or of the project's own."""
    return bool(solver.all(node, StepResult) or solver.all(node, OwnStepResult))
