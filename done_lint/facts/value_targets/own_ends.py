"""Ends of episodes that the program adds to the flag of a step: `if lost: done = True`, `done = done or lost`.

Such an end is as real as one of the environment's, and what follows it has no value. `terminated` in the place of the
flag would not know of it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.core.reach import reach
from done_lint.facts.provenance import BACKWARD

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.analysis.flag_evidence import Condition

_REASON = "the program ends episodes by itself, too, of which `terminated` knows nothing"


class OwnEnds:
    """Finds the ends that a program adds to the flags of its steps."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._arrays = analysis.arrays
        self._flags = analysis.flags

    def hindrance(self, node: int) -> str:
        """Why *terminated* cannot take the place of a flag, in one clause; empty: nothing of this kind."""
        on_the_way = reach([node], self._before, bound=BACKWARD)
        return _REASON if any(map(self._adds_end, on_the_way)) else ""

    def _before(self, node: int) -> list[int]:
        """The nodes that a flag with truncation comes from; a step is where it begins."""
        if node in self._flags.sources:
            return []
        sources = [edge.source for edge in self._solver.predecessors[node]]
        return [one for one in sources if any(map(flag_lattice.mixed, self._solver.flags(one)))]

    def _adds_end(self, node: int) -> bool:
        if node in self._flags.sources:
            return False
        choice, union = self._choices.get(node), self._flags.combinations.get(node)
        if union is not None and (union.partly or not all(map(self._arrays.flat_flags, union.inputs))):
            return union.united
        return choice is not None and self._is_own(choice)

    def _is_own(self, choice: Condition) -> bool:
        """Whether an end is set where a test holds that is about no end that is known, and no limit."""
        kept = any(map(flag_lattice.keeps, self._solver.flags(choice.result)))
        ended = "zero" if kept else "one"
        if (choice.a_constant == ended) == (choice.b_constant == ended):
            return False
        return not (choice.test and self._arrays.flat_flags(choice.test))

    @cached_property
    def _choices(self) -> dict[int, Condition]:
        """By the node of its result."""
        return {one.result: one for one in self._flags.conditions.values()}
