"""The `step` that a wrapper of the project inherits, where the program has turned what is inside into four values.

`class Start(Wrapper)` around `class Joined(Wrapper)`, whose `step` takes five values apart and returns four, steps as
`Joined` does: the library's `Wrapper.step` hands everything on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId
from done_lint.analysis.turned_back import turning_methods
from done_lint.analysis.values import Environment, FunctionRef, Instance
from done_lint.core.reach import reach

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class InheritedSteps:
    """Reads from a solved graph what is inside of wrappers."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a graph in which everything has arrived that is no promise."""
        self._solver = analysis.solver
        self._classes = analysis.classes
        self._turning = turning_methods(analysis.program)

    def of(self, owner: ClassId) -> list[FunctionRef]:
        """The methods that `step` means on a class that inherits it, if all that is seen inside has such a one."""
        if not self._turning:
            return []
        within = list(reach([owner], self._inheriting_inside))
        nodes = [node for one in within for node in self._classes.inside(*one)]
        if any(self._solver.all(node, Environment) for node in nodes):
            return []
        found: dict[FunctionRef, None] = {}
        for one in (one for node in nodes for one in self._solver.values(node, Instance)):
            step = self._classes.method_of(one.path, one.index, "step")
            if step is not None and step in self._turning:
                found[FunctionRef(step.path, step.number, self._solver.intern(one))] = None
            elif step is not None or ClassId(one.path, one.index) not in within:
                return []
        return list(found)

    def arrive_at(self, node: int) -> bool:
        """Whether the objects in a node are known to have such a method."""
        return any(self.of(ClassId(one.path, one.index)) for one in self._solver.values(node, Instance))

    def _inheriting_inside(self, owner: ClassId) -> list[ClassId]:
        """The wrapper classes inside a wrapper class that inherit `step` as well."""
        inside = (one for node in self._classes.inside(*owner) for one in self._solver.values(node, Instance))
        return [
            ClassId(one.path, one.index)
            for one in inside
            if self._classes.is_wrapper(one.path, one.index)
            and self._classes.method_of(one.path, one.index, "step") is None
        ]
