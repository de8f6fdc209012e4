"""Recursions over errors that have discounted the next value themselves: a GAE whose lambda is 1.

`errors = rewards + gamma * going * following - values` may stand before the loop, as may the mask of the carry.
"""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import ProductMark
from done_lint.core.reach import reach
from done_lint.facts.value_targets.marks import marks_at
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.flowgraph.schema import Product

#: How many nodes are looked at behind a mask that is made before a loop.
_BEHIND = 100


class ErrorSums:
    """Finds them among the products of a solved graph."""

    def __init__(self, analysis: Analysis, discounted: Set[tuple[str, int]]) -> None:
        """Of a solved graph, and the products that discount a value, by file and number."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._flags = analysis.flags
        self._discounted = discounted

    def carries(self, path: str, carry: Product) -> bool:
        """`carry = errors[t] + gamma * mask[t] * carry`, of errors that discount the next value themselves.

        It is a GAE whose lambda is 1: its mask has to cut at each end of an episode, and no value is in it.
        """
        if not carry.carried or carry.gae:
            return False
        survey, base = self._program.surveys[path], self._program.bases[path]
        sums = (one for one in survey.waiting.get(carry.node, ()) if isinstance(one, ops.Sum))
        added = (marks_at(self._analysis, base + node) for one in sums for node in one.inputs if node != carry.node)
        marks = {self._solver.value(number) for numbers in added for number in numbers}
        return any(isinstance(one, ProductMark) and self._is_next_value(one) for one in marks)

    def keeps(self, path: str, product: Product) -> bool:
        """`kept = gamma * mask`, made before the loop, where nothing but the carry of such a sum takes it."""
        reached = set(reach([self._program.bases[path] + product.node], self._after, bound=_BEHIND))
        taking = [
            (other, self._program.surveys[other].products[index])
            for (other, index), (_, nodes) in self._flags.products.items()
            if not reached.isdisjoint(nodes)
        ]
        return bool(taking) and all(self.carries(*one) for one in taking)

    def _after(self, node: int) -> list[int]:
        """Where a value goes to, and its rows."""
        return [*self._solver.successors[node], *self._items.get(node, ())]

    @cached_property
    def _items(self) -> dict[int, list[int]]:
        """What is read of each value by an index."""
        found: dict[int, list[int]] = {}
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for one in survey.waits(ops.Item):
                found.setdefault(base + one.source, []).append(base + one.target)
        return found

    def _is_next_value(self, mark: ProductMark) -> bool:
        """Whether what a mark stands for is discounted once, and carried on by no loop."""
        place = mark.path, mark.index
        return place in self._discounted and not self._program.surveys[mark.path].products[mark.index].carried
