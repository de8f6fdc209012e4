"""Steps of the project's own whose results say `False` for truncation, wherever they come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId
from done_lint.analysis.values import Object
from done_lint.core.reach import reach
from done_lint.flowgraph.keys import IndexKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Where a step returns truncation, of how many values.
_TRUNCATED, _VALUES = IndexKey(3), 5
#: How far a flag is followed back.
_WAYS = 50


class ConstantTruncation:
    """Looks at the tuples that a node holds."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._classes = analysis.classes
        self._objects = analysis.objects
        self._program = analysis.program

    def of(self, node: int) -> bool:
        """Whether a node holds nothing but results of five values that are never truncated."""
        return self._is_false_in(self._rows(node))

    def of_rows(self, node: int) -> bool:
        """The same of what a node holds beside results that no tuple of the project is."""
        return self._is_false_in(one for one in self._rows(node) if one)

    def of_class(self, owner: ClassId) -> bool:
        """Whether every result that the `step` of a class returns says `False`, wherever that comes from."""
        method = self._classes.method_of(*owner, "step")
        if method is None:
            return False
        result = self._program.bases[method.path] + self._program.function_at(method).result
        rows = list(self._rows(result))
        fields = [self._objects.fields.get((one, _TRUNCATED), 0) for one in rows]
        return bool(rows) and all(map(self._comes_from_false, fields))

    def _comes_from_false(self, field: int) -> bool:
        """Whether only `False` arrives at a field, by names, attributes and functions of the project."""
        every = list(reach([field], self._before, bound=_WAYS)) if field else []
        ends = [one for one in every if not self._before(one)]
        return bool(ends) and len(every) < _WAYS and all(map(self._is_constant, ends))

    def _before(self, node: int) -> list[int]:
        return [edge.source for edge in self._solver.predecessors[node] or ()]

    def _is_false_in(self, rows: Iterator[int]) -> bool:
        truncated = [self._objects.fields.get((one, _TRUNCATED), 0) for one in rows]
        return bool(truncated) and all(map(self._is_false, truncated))

    def _rows(self, result: int) -> Iterator[int]:
        """The tuples that a node holds; 0 for anything else."""
        for number in self._solver.held[result]:
            is_row = isinstance(self._solver.value(number), Object) and self._objects.widths.get(number) == _VALUES
            yield number if is_row else 0

    def _is_false(self, field: int) -> bool:
        """Whether nothing but `False` is put into a field."""
        sources = [edge.source for edge in self._solver.predecessors[field] or ()] if field else []
        return bool(sources) and all(map(self._is_constant, sources))

    def _is_constant(self, node: int) -> bool:
        owner = self._program.owner(node)
        return owner is not None and self._program.surveys[owner.path].booleans.get(owner[1]) is False
