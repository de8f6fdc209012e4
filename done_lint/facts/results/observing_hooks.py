"""Methods that return a reset as it is, and whose namesakes in other classes below the same base return something else.

The base calls all of them and takes what any of them gives, so it cannot take a pair: `_reset` of one agent returns
`self._env.reset()`, that of another an array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import ResetResult
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.facts.results.env_method_results import OwnResults

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
        if function.owner < 0 or function.name == "reset":
            return False  # what every `reset` gives is agreed on between those who call one
        lineage = self._at.classes.lineage(method.path, function.owner)
        classes = [one for one in lineage if not isinstance(one, str)]
        if any(self._classes.of(*one) is not None for one in classes) or not self._gives_resets(method):
            return False
        bases = classes[1:]
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
        nodes = self._outcomes(method)
        return bool(nodes) and not any(
            self._at.solver.all(node, ResetResult)
            or self._own.answers.is_pair(node)
            or self._own.answers.resets_at(node)
            for node in nodes
        )

    def _gives_resets(self, method: FunctionId) -> bool:
        """Whether a method itself resets what it returns, on every path."""
        nodes = self._outcomes(method)
        return bool(nodes) and all(
            self._at.solver.all(node, ResetResult) and self._own.answers.resets_at(node) for node in nodes
        )

    def _outcomes(self, method: FunctionId) -> list[int]:
        """The nodes of what each `return` of a method gives."""
        base = self._at.program.bases[method.path]
        return [base + node for _, node, _ in self._at.program.function_at(method).outcomes]
