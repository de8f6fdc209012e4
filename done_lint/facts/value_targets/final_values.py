"""Values of final observations that replace what a mask drops of the next value.

They are kept in arrays, a row a step: `last[t, ended] = value(infos["final_obs"][ended])`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.core.reach import reach
from done_lint.facts.value_targets.final_observations import are_asked_for
from done_lint.facts.value_targets.marks import is_mask
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.flowgraph.schema import Product
from done_lint.knowledge.vector_info_keys import OF_OBSERVATIONS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.value_targets.rewards import Rewards

#: How many nodes are looked at behind what is put into an array.
_BEHIND = 200


class FinalValues:
    """Finds where they are added: nothing is missing there at a truncation."""

    def __init__(self, analysis: Analysis, rewards: Rewards) -> None:
        """Of a solved graph."""
        self._analysis = analysis
        self._program = analysis.program
        self._rewards = rewards

    def is_added_to(self, path: str, masked: Product) -> bool:
        """`next_value * mask + final_values[t]`, before the sum is discounted.

        That is what a value is added for in a program that asks for these observations, wherever it is from.
        """
        return self._are_asked_for and bool(self._beside(path, masked))

    @cached_property
    def loops(self) -> set[tuple[str, int]]:
        """The loops, by file, that add rows of them: what else the mask is a factor of there is the carry."""
        found: set[tuple[str, int]] = set()
        for (path, index), (_, nodes) in self._analysis.flags.products.items() if self._are_asked_for else ():
            product = self._program.surveys[path].products[index]
            in_loop = product.loop >= 0 and not product.discounted
            masks = in_loop and any(is_mask(self._analysis.arrays, node) for node in nodes)
            if masks and not self._rows.isdisjoint(self._beside(path, product)):
                found.add((path, product.loop))
        return found

    def _beside(self, path: str, product: Product) -> list[int]:
        """What is added to a product that is no product itself, and no reward."""
        base = self._program.bases[path]
        sums = (one.inputs for one in self._program.surveys[path].waits(ops.Sum) if product.node in one.inputs)
        others = [base + node for inputs in sums for node in inputs if node != product.node]
        return [node for node in others if node not in self._rewards.products and not self._rewards.is_one(node)]

    @cached_property
    def _are_asked_for(self) -> bool:
        return are_asked_for(self._analysis)

    @cached_property
    def _rows(self) -> frozenset[int]:
        """The nodes of what reads such rows."""
        return frozenset(row for path in self._program.surveys for row in self._rows_of(path))

    def _rows_of(self, path: str) -> Iterator[int]:
        survey, base = self._program.surveys[path], self._program.bases[path]
        read: defaultdict[int, list[int]] = defaultdict(list)
        final: set[int] = set()
        for one in survey.waits(ops.Item):
            read[base + one.target].append(base + one.source)
            if any(isinstance(key, TextKey) and key.text in OF_OBSERVATIONS for key in one.keys):
                final.add(base + one.target)

        def behind(node: int) -> list[int]:
            return [*self._analysis.inputs(node), *self._given(node), *read.get(node, ())]

        filled: set[int] = set()
        for put in survey.waits(ops.SetItem) if final else ():
            made_of = reach([base + put.value], behind, bound=_BEHIND)
            if not final.isdisjoint(made_of):
                filled.add(base + put.owner)
        yield from (row for row, sources in read.items() if not filled.isdisjoint(sources))

    def _given(self, node: int) -> list[int]:
        """What a call is given, and the object whose method it calls: `value(obs).view(-1)`."""
        called = self._program.call_at(node)
        receiver, _ = (self._program.attribute_at(called[1]) if called is not None else None) or (0, "")
        return [*self._program.given_at(node), *([receiver] if receiver else [])]
