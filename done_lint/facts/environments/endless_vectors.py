"""Which vector environments are made of classes of the project that never truncate an episode.

The vector environment puts no limit around what its functions make, and a class whose `step` returns `False` in the
place of truncation has none: where an episode ends, it has terminated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import FunctionRef, Instance
from done_lint.facts.classes.constant_truncation import ConstantTruncation
from done_lint.knowledge.vector_sizes import OF_FUNCTIONS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class EndlessVectors:
    """Looks at what is given to the calls that make vector environments."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._classes = analysis.classes
        self._envs = analysis.envs
        self._truncation = ConstantTruncation(analysis)
        self._known: dict[int, bool] = {}

    def is_endless(self, node: int) -> bool:
        """Whether the call at a node makes one, of functions that are all in sight."""
        if node not in self._known:
            self._known[node] = self._steps_endless(node)
        return self._known[node]

    def _steps_endless(self, node: int) -> bool:
        made, given = self._envs.makes.get(node), self._envs.functions.get(node, 0)
        if made is None or not given or made.function.rpartition(".")[2] not in OF_FUNCTIONS:
            return False
        elements = [field for number in self._solver.held[given] for _, field in self._objects.owned.get(number, ())]
        functions = [number for one in elements for number in self._solver.held[one]]
        return bool(functions) and all(map(self._makes_endless, functions))

    def _makes_endless(self, number: int) -> bool:
        """Whether a value is a function that returns nothing but such environments."""
        function = self._solver.value(number)
        if not isinstance(function, FunctionRef):
            return False
        result = self._program.bases[function.path]
        result += self._program.function_at(FunctionId(function.path, function.index)).result
        made = self._solver.held[result]
        return bool(made) and all(map(self._never_truncates, made))

    def _never_truncates(self, number: int) -> bool:
        """Whether a value is an instance of a class whose `step` returns `False` for truncation, in every place."""
        made = self._solver.value(number)
        if not isinstance(made, Instance):
            return False
        method = self._classes.method_of(made.path, made.index, "step")
        if method is None:
            return False
        result = self._program.bases[method.path] + self._program.function_at(method).result
        return self._truncation.of(result)
