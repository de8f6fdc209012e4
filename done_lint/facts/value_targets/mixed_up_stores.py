"""Rows that keep both flags of a step, where it does not show which of the two a value target is cut by.

`terminated` and `terminated or truncated` are put into a row side by side. Where both arrive at one mask, the way there
is one that keeps no places apart: computed columns of a table, keys that are zipped with values. Nothing is said then.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import Object, Shape
from done_lint.facts.provenance import Slice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from done_lint.analysis.context import Analysis
    from done_lint.analysis.values import Place
    from done_lint.facts.provenance import Provenance

#: What holds the parts of one row.
_ROWS = frozenset({Shape.TUPLE, Shape.RETURNED, Shape.DICT, Shape.RECORD, Shape.ZIPPED})
#: Where a flag comes from: a row of a file.
_Row = tuple[str, int]


class MixedUpStores:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, provenance: Provenance) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._provenance = provenance

    def are(self, mask: int, path: str, stores: Iterable[tuple[Place, int]]) -> bool:
        """Whether *terminated* alone is stored beside what cuts a target wrongly, and both arrive at its mask.

        Args:
            mask: its node.
            path: of the file that it stands in.
            stores: the places of what is stored wrongly, and the nodes of the flags.
        """
        wrong = {one: row for one in stores if (row := self._row(one[1], flag_lattice.mixed)) is not None}
        if not wrong:
            return False
        right = Slice(self._provenance, mask, _is_terminated).origins(path).stores
        return all(any(self._is_beside(one, row, other) for other in right) for one, row in wrong.items())

    def _is_beside(self, wrong: tuple[Place, int], row: _Row, right: tuple[Place, int]) -> bool:
        """Whether both are of one step, and kept side by side: in one row, in columns, or under names of their own."""
        if right[0] == wrong[0] or self._row(right[1], _is_terminated) != row:
            return False
        one, other = self._filled(*right), self._filled(*wrong)
        rows, others = self._rows_of(one), self._rows_of(other)
        # of two calls that fill one parameter, or two rows of which one is kept, one may be right
        return one.isdisjoint(other) and (not (rows or others) or not rows.isdisjoint(others))

    def _rows_of(self, fields: set[int]) -> set[int]:
        """The rows that fields belong to."""
        return {self._owners[one] for one in fields if one in self._owners}

    @cached_property
    def _owners(self) -> dict[int, int]:
        """The row that each field of one belongs to."""
        rows = {one for one in self._objects.owned if self._is_row(one)}
        return {field: owner for (owner, _), field in self._objects.fields.items() if owner in rows}

    def _is_row(self, number: int) -> bool:
        value = self._solver.value(number)
        return isinstance(value, Object) and value.shape in _ROWS

    def _filled(self, place: Place, node: int) -> set[int]:
        """What is filled where a node is handed over."""
        behind = self._solver.successors[node]
        return {
            one
            for one in behind
            for edge in self._solver.predecessors[one]
            if edge.source == node and edge.passage is not None and edge.passage.place == place
        }

    def _row(self, node: int, leads: Callable[[int], bool]) -> _Row | None:
        """The row of the step that such a flag comes from."""
        flags = [flag for flag in self._solver.flags(node) if leads(flag)]
        trace = self._provenance.trace(node, max(flags)) if flags else ()
        return (trace[0].path, trace[0].span.row) if trace else None


def _is_terminated(flag: int) -> bool:
    return flag & flag_lattice.CAUSES == flag_lattice.TERMINATED
