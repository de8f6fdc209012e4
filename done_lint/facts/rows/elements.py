"""What is taken of each node: items, and what loops, `zip` and `enumerate` take one by one.

An array that nothing is known of has no values that could flow to what is taken of it, so no edge leads there.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import External, Object, Shape
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Functions that make rows of what they are given, and the place of the first in such a row.
_MAKING_ROWS = {"builtins.zip": 0, "builtins.enumerate": 1}


class Elements:
    """Reads it from a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program

    @cached_property
    def taken(self) -> dict[int, list[int]]:
        """The nodes of what is taken of a node."""
        found = {node: [*items] for node, items in self._program.items.items()}
        for whole, element in self._one_by_one():
            found.setdefault(whole, []).append(element)
        return found

    @cached_property
    def wholes(self) -> dict[int, list[int]]:
        """The nodes that something is taken of, by the nodes of that."""
        found: dict[int, list[int]] = {}
        for whole, elements in self.taken.items():
            for one in elements:
                found.setdefault(one, []).append(whole)
        return found

    def _one_by_one(self) -> Iterator[tuple[int, int]]:
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for loop in survey.waits(ops.Iterate):
                yield base + loop.source, base + loop.target
            for call in survey.calls():
                first = self._first_place(base + call.called)
                if first < 0 or call.stars:
                    continue
                for row in self._rows(base + call.result):
                    for place, (node, _) in enumerate(call.args, first):
                        field = self._objects.fields.get((row, IndexKey(place)))
                        if node and field is not None:
                            yield base + node, field

    def _first_place(self, called: int) -> int:
        """The place in a row of the first argument; -1: a call makes no rows."""
        found = {_MAKING_ROWS.get(one.dotted, -1) for one in self._solver.values(called, External)}
        return found.pop() if len(found) == 1 else -1

    def _rows(self, made: int) -> Iterator[int]:
        """The rows of the lists that a call makes."""
        for table in self._solver.all(made, Object):
            for _, field in self._objects.owned.get(table, ()):
                rows = self._solver.all(field, Object)
                yield from (one for one in rows if self._solver.get(one, Object).shape is Shape.ZIPPED)
