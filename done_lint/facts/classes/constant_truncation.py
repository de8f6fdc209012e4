"""Steps of the project's own whose results say `False` for truncation, wherever they come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.values import Object
from done_lint.flowgraph.keys import IndexKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Where a step returns truncation, of how many values.
_TRUNCATED, _VALUES = IndexKey(3), 5


class ConstantTruncation:
    """Looks at the tuples that a node holds."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program

    def of(self, node: int) -> bool:
        """Whether a node holds nothing but results of five values that are never truncated."""
        return self._is_false_in(self._rows(node))

    def of_rows(self, node: int) -> bool:
        """The same of what a node holds beside results that no tuple of the project is."""
        return self._is_false_in(one for one in self._rows(node) if one)

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
