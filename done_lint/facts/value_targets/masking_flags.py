"""Where *terminated*, read out of a step's result by its index, cuts one-step targets: there it is right alone.

A flag that also tells where episodes end misses truncations there, but joined with *truncated* it would spoil the
targets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.provenance import FORWARD
from done_lint.facts.value_targets.def_use_forward import SecondUses
from done_lint.facts.value_targets.target_masks import Cut
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: The place of *terminated*.
_SLOT = (IndexKey(2),)
#: Of the kinds of cuts: a recursion has to be cut at every end.
_ONE_STEP = ("mask", "branch")


class MaskingFlags:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, cuts: Iterable[Cut], uses: SecondUses) -> None:
        """`cuts` are all the places where a mask or a test cuts a value; `uses` knows what else flags are for."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._arrays = analysis.arrays
        self._products = analysis.flags.products
        self._sources = analysis.flags.sources
        self._uses = uses
        self._cuts = {cut.node for cut in cuts if cut.kind in _ONE_STEP or cut.next_value}

    def of(self, survey: Survey) -> dict[Span, bool]:
        """The reads of such flags in one file, and whether the flag is used for something else as well."""
        base, found = self._program.bases[survey.path], dict[Span, bool]()
        for one in survey.waits(ops.Item) if self._cuts else ():
            at = survey.places.get(one.target)
            if one.keys == _SLOT and at is not None and base + one.target in self._sources:
                reached = set(reach([base + one.target], self._after, bound=FORWARD))
                if not reached.isdisjoint(self._masks):
                    found[at] = any(self._uses.use(node) or node in self._others for node in reached)
        return found

    def _after(self, node: int) -> Iterator[int]:
        """Where *terminated* arrives next, by itself; as an element of an array, it is there where the array is."""
        following = [*self._solver.successors[node], *self._program.items.get(node, ())]
        following += [self._whole[node]] if node in self._whole else []
        return (one for one in following if any(map(_is_terminated, self._arrays.flat_flags(one))))

    @cached_property
    def _whole(self) -> dict[int, int]:
        """By the node of the flags of an array's elements: that of the array."""
        return {flat: node for node, flat in self._arrays.flats.items()}

    @cached_property
    def _masks(self) -> frozenset[int]:
        """What cuts a one-step target, and the elements of arrays that do."""
        return frozenset(self._cuts).union(flats[one] for one in self._cuts if one in (flats := self._arrays.flats))

    @cached_property
    def _others(self) -> frozenset[int]:
        """The factors of all other products: of a running sum that an end sets back, say."""
        factors = {node for _, nodes in self._products.values() for node in nodes}
        return frozenset(factors - self._masks - {self._arrays.flats.get(one, one) for one in self._masks})


def _is_terminated(flag: int) -> bool:
    return flag & flag_lattice.CAUSES == flag_lattice.TERMINATED
