"""Masks whose rows are set at truncations too: `alive[truncated] = False`, beside the flags that a step gave."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import Object
from done_lint.core.reach import reach
from done_lint.facts.provenance import FORWARD

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class RowsSet:
    """Tells which masks such an assignment changes."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._analysis = analysis

    def at_truncations(self, mask: int) -> bool:
        """Whether a mask is made of an array of which rows are set where an episode was truncated, or at a limit."""
        nodes, arrays = self._set
        if not nodes:
            return False
        leading = set(reach([mask], self._before, bound=FORWARD))
        return not nodes.isdisjoint(leading) or any(not arrays.isdisjoint(self._arrays(node)) for node in leading)

    @cached_property
    def _set(self) -> tuple[frozenset[int], frozenset[int]]:
        """The nodes of the arrays, and their numbers."""
        asked = flag_lattice.TRUNCATED | flag_lattice.LIMIT
        nodes = frozenset(
            base + array
            for path, survey in self._analysis.program.surveys.items()
            for base in (self._analysis.program.bases[path],)
            for array, index in survey.rows_set
            if array and index and any(flag & asked for flag in self._analysis.arrays.flat_flags(base + index))
        )
        return nodes, frozenset(number for node in nodes for number in self._arrays(node))

    def _arrays(self, node: int) -> list[int]:
        objects = self._analysis.objects
        return [number for number in self._analysis.solver.all(node, Object) if objects.is_array(number)]

    def _before(self, node: int) -> list[int]:
        return [*self._analysis.inputs(node), *self._analysis.program.wholes.get(node, ())]
