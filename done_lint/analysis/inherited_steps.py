"""The `step` that a wrapper of the project inherits, where the program has turned what is inside into four values.

`class Start(Wrapper)` around `class Joined(Wrapper)`, whose `step` takes five values apart and returns four, steps as
`Joined` does: the library's `Wrapper.step` hands everything on.
"""

from __future__ import annotations

from functools import partial
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

    def of(self, owner: ClassId, name: str, around: frozenset[ClassId] = frozenset()) -> list[FunctionRef]:
        """The methods that `step` or `reset` means on a class that inherits it, if all that is inside has such a one.

        So has a wrapper with a method of its own around such classes; `around` are those that ask for it.
        """
        if not self._turning or name not in ("step", "reset") or owner in around:
            return []
        within = list(reach([owner], partial(self._inheriting_inside, name)))
        nodes = [node for one in within for node in self._classes.inside(*one)]
        if any(self._solver.all(node, Environment) for node in nodes):
            return []
        found: dict[FunctionRef, None] = {}
        for one in (one for node in nodes for one in self._solver.values(node, Instance)):
            made = ClassId(one.path, one.index)
            method = self._classes.method_of(*made, name)
            if method is not None and (method in self._turning or self.of(made, name, around | {owner})):
                found[FunctionRef(method.path, method.number, self._solver.find(one))] = None
            elif method is not None or made not in within:
                return []
        return list(found)

    def arrive_at(self, node: int) -> bool:
        """Whether the objects in a node are known to have such a method."""
        return any(self.of(ClassId(one.path, one.index), "step") for one in self._solver.values(node, Instance))

    def _inheriting_inside(self, name: str, owner: ClassId) -> list[ClassId]:
        """The wrapper classes inside a wrapper class that inherit the method as well."""
        inside = (one for node in self._classes.inside(*owner) for one in self._solver.values(node, Instance))
        return [
            ClassId(one.path, one.index)
            for one in inside
            if self._classes.is_wrapper(one.path, one.index)
            and self._classes.method_of(one.path, one.index, name) is None
        ]
