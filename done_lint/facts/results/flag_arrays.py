"""Steps of the project's own environments whose flag is an array, list or dictionary, with an entry for each agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis.solver import ALL
from done_lint.analysis.values import External, FunctionRef, Object, Shape
from done_lint.core.reach import reach
from done_lint.facts.provenance import FORWARD
from done_lint.flowgraph.keys import IndexKey
from done_lint.knowledge.array_functions import ARRAYS, MAKING_ARRAYS
from done_lint.knowledge.env_apis import STEP_WIDTHS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_FLAG = IndexKey(2)
_LISTS = (Shape.LIST, Shape.TUPLE, Shape.MANY, Shape.DICT)


class FlagArrays:
    """Looks at what stands third in the tuples that steps return."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program

    def of(self, node: int) -> bool | None:
        """Whether the flag in the result at a node is an array; no: a list or dictionary; None: nothing tells."""
        results = (one for one in self._solver.all(node, Object) if self._objects.widths.get(one) in STEP_WIDTHS)
        fields = [field for one in results if (field := self._objects.fields.get((one, _FLAG))) is not None]
        if any(self._is_array(one) for field in fields for one in reach([field], self._before, bound=FORWARD)):
            return True
        listed = any(one.shape in _LISTS for field in fields for one in self._solver.values(field, Object))
        return False if listed else None

    def _is_array(self, node: int) -> bool:
        """Whether a call at this node makes an array."""
        called = self._program.call_at(node)
        if called is None:
            return False
        names = [one.dotted for one in self._solver.values(called[1], External)]
        return any(_makes_array(name) for name in names)

    def _before(self, node: int) -> list[int]:
        """What is the value of a node, unchanged: what a variable holds, or a function of the project returns."""
        called = self._program.call_at(node)
        if called is not None and not self._solver.all(called[1], FunctionRef):
            return []
        edges = self._solver.predecessors[node]
        return [one.source for one in edges if self._solver.successors[one.source].get(node) == ALL]


def _makes_array(name: str) -> bool:
    root, _, rest = name.partition(".")
    return root in ARRAYS - {"builtins"} and rest.rpartition(".")[2] in MAKING_ARRAYS
