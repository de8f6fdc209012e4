"""Steps of the project's own environments that pay for every end: there the limit is part of the task.

A target that is cut at each end of such an episode is right. Only what is seen to arrive counts: an instance of the
class, inside the project's own wrappers or in a vector environment of functions that make it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import ClassRef, Environment, FunctionRef, Instance, Object
from done_lint.core.reach import reach
from done_lint.facts.provenance import BACKWARD
from done_lint.flowgraph import operations as ops
from done_lint.knowledge.vector_sizes import OF_FUNCTIONS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: How many wrappers are looked into.
_DEEPEST = 4


class PaidEnds:
    """Finds the flags whose every step is one of an environment that pays for its ends."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._classes = analysis.classes
        self._flags = analysis.flags

    def are_all_of(self, node: int, source: int) -> bool:
        """Whether what a flag comes from is such steps alone; `source` is where one of its ways begins."""
        if not self._is_any:
            return False
        ways = reach([node, source], self._before, bound=BACKWARD)
        made = {self._flags.endings[one].env for one in ways if one in self._flags.endings}
        return all(map(self._pays, made)) if made else self._is_stepped(source)

    def _is_stepped(self, source: int) -> bool:
        """Whether a flag that its name alone shows is taken from the `step` of such classes."""
        place = self._program.owner(source)
        if place is None:
            return False
        base = self._program.bases[place.path]
        unpacks = self._program.surveys[place.path].waits(ops.Unpack)
        calls = (self._program.call_at(base + one.source) for one in unpacks if place.node in one.targets)
        methods = [self._program.attribute_at(one[1]) for one in calls if one is not None]
        return bool(methods) and all(
            one is not None and one[1] == "step" and self._holds_paying(one[0]) for one in methods
        )

    def _before(self, node: int) -> list[int]:
        """The nodes that a flag comes from; a step is where it begins."""
        if node in self._flags.sources:
            return []
        return [edge.source for edge in self._solver.predecessors[node] if self._solver.flags(edge.source)]

    @cached_property
    def _is_any(self) -> bool:
        """Whether the program has such a class."""
        return any(one.pays_end for survey in self._program.surveys.values() for one in survey.classes)

    def _pays(self, env: int) -> bool:
        """Whether the environment of a node is one that pays."""
        if (owner := self._own.get(env)) is not None:
            return self._class_pays(owner)
        made, given = self._analysis.envs.makes.get(env), self._analysis.envs.functions.get(env, 0)
        if made is None or not given or made.function.rpartition(".")[2] not in OF_FUNCTIONS:
            return False
        owned = self._analysis.objects.owned
        elements = [field for number in self._solver.held[given] for _, field in owned.get(number, ())]
        functions = [number for one in elements for number in self._solver.held[one]]
        return bool(functions) and all(map(self._makes_paying, functions))

    @cached_property
    def _own(self) -> dict[int, ClassId]:
        """The classes of the project, by the node that an instance of them has (see `transfer.classes.by_class`)."""
        return {
            self._program.bases[path] + made.bases[0]: ClassId(path, index)
            for path, survey in self._program.surveys.items()
            for index, made in enumerate(survey.classes)
            if made.bases
        }

    def _makes_paying(self, number: int) -> bool:
        """Whether a value is a function, or an object that is called, which returns nothing but such environments."""
        value = self._solver.value(number)
        if isinstance(value, FunctionRef):
            return self._returns_paying(FunctionId(value.path, value.index))
        owners = [ClassId(value.path, value.index)] if isinstance(value, Instance) else []
        made = self._program.call_at(value.node) if isinstance(value, Object) else None
        if made is not None:
            # a record, by the call of its class
            owners = [ClassId(one.path, one.index) for one in self._solver.values(made[1], ClassRef)]
        called = [self._classes.method_of(*one, "__call__") for one in owners]
        return bool(called) and all(one is not None and self._returns_paying(one) for one in called)

    def _returns_paying(self, function: FunctionId) -> bool:
        return self._holds_paying(self._program.bases[function.path] + self._program.function_at(function).result)

    def _holds_paying(self, node: int, depth: int = 0) -> bool:
        """Whether instances of such classes arrive at a node, and no other environment."""
        own = [ClassId(one.path, one.index) for one in self._solver.values(node, Instance)]
        others = [one for one in self._solver.values(node, Environment) if one.node not in self._own]
        return bool(own) and not others and all(self._class_pays(one, depth) for one in own)

    def _class_pays(self, owner: ClassId, depth: int = 0) -> bool:
        step = self._classes.method_of(*owner, "step")
        if self._step_pays(step):
            return True
        if depth > _DEEPEST or (step is not None and not self._hands_on(step)):
            return False
        if not self._classes.is_wrapper(*owner):
            # `return super().step(action)`, taken apart
            number = self._program.function_at(step).owner if step is not None else -1
            if step is None or number < 0:
                return False
            return self._step_pays(self._classes.method_of(step.path, number, "step", after=True))
        inside = self._classes.inside(*owner)
        return bool(inside) and all(self._holds_paying(one, depth + 1) for one in inside)

    def _step_pays(self, step: FunctionId | None) -> bool:
        number = self._program.function_at(step).owner if step is not None else -1
        return step is not None and number >= 0 and self._program.class_at(step.path, number).pays_end

    def _hands_on(self, step: FunctionId) -> bool:
        """Whether a `step` returns the truncation of what it steps, and no other."""
        survey = self._program.surveys[step.path]
        taken = {one.targets[3] for one in survey.waits(ops.Unpack) if one.arity == 5 and one.star < 0}
        rows = self._program.function_at(step).returned
        return bool(rows) and all(len(one) == 5 and one[3].node in taken for one in rows)
