"""Methods that return a reset as it is, and whose namesakes in other classes below the same base return something else.

The base calls all of them and takes what any of them gives, so it cannot take a pair: `_reset` of one agent returns
`self._env.reset()`, that of another an array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import ResetResult
from done_lint.facts.env_classes import EnvClasses
from done_lint.facts.env_method_results import OwnResults

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class ObservingHooks:
    """Finds them in a solved graph."""

    def __init__(self, at: Analysis, classes: EnvClasses, own: OwnResults) -> None:
        """Look at nothing before a method is asked for."""
        self._at = at
        self._classes = classes
        self._own = own
        self._known: dict[FunctionId, bool] = {}

    def has(self, method: FunctionId) -> bool:
        """Whether a function is such a method."""
        if method.number < 0:
            return False
        if method not in self._known:
            self._known[method] = self._is_hook(method)
        return self._known[method]

    def _is_hook(self, method: FunctionId) -> bool:
        function = self._at.program.function_at(method)
        if function.owner < 0 or self._classes.of(method.path, function.owner) is not None:
            return False
        base = self._at.program.bases[method.path]
        if not any(self._at.solver.all(base + node, ResetResult) for _, node, _ in function.outcomes):
            return False
        lineage = self._at.classes.lineage(method.path, function.owner)
        bases = [one for one in lineage[1:] if not isinstance(one, str)]
        beside = {one for base in bases for one in self._namesakes(base, function.name)}
        return any(map(self._gives_something_else, beside - {method}))

    def _namesakes(self, base: ClassId, name: str) -> list[FunctionId]:
        """What a method means on instances of a base and of the classes below it."""
        own = self._at.classes.method_of(base.path, base.number, name)
        if own is None:
            return []  # the base knows nothing of it
        return [own, *(one for _, one in self._at.classes.heirs_with(base.path, base.number, name))]

    def _gives_something_else(self, method: FunctionId) -> bool:
        """Whether a method returns something, and nowhere what a reset gives, or may give: `self.simulator.reset()`."""
        function, base = self._at.program.function_at(method), self._at.program.bases[method.path]
        nodes = [base + node for _, node, _ in function.outcomes]
        return bool(nodes) and not any(
            self._at.solver.all(node, ResetResult) or self._own.is_pair(node) or self._own.resets_at(node)
            for node in nodes
        )
