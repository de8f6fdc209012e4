"""What a program adds up along an episode: `length += 1`, `cost += info["cost"]`.

Such a sum starts again where an episode ends, as a value is cut there; but it says what has been, and is no estimate of
what follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.solver import TERMS
from done_lint.core.reach import reach
from done_lint.facts.provenance import REWARDS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class EpisodeSums:
    """Finds them among the variables of a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._flags = analysis.flags

    def is_one(self, node: int) -> bool:
        """Whether a variable holds such a sum."""
        return any(self._adds_up(one) for one in self._before([node]) if self._is_sum(one))

    def _adds_up(self, total: int) -> bool:
        """Whether a sum has its own value of before in it, and nothing that is multiplied, as a target is."""
        terms = set(self._before(self._sources(total)))
        return total in terms and terms.isdisjoint(self._products)

    @cached_property
    def _products(self) -> set[int]:
        """The nodes of all products."""
        return {node for node, _ in self._flags.products.values()}

    def _is_sum(self, node: int) -> bool:
        return any(self._solver.successors[source].get(node) == TERMS for source in self._sources(node))

    def _before(self, nodes: Iterable[int]) -> Iterator[int]:
        return reach(nodes, self._sources, bound=REWARDS)

    def _sources(self, node: int) -> list[int]:
        """What flows to a variable; an attribute, or an element of an array, may keep one value for each state."""
        sources = (edge.source for edge in self._solver.predecessors[node] if edge.way == "flow")
        return [one for one in sources if self._program.owner(one) is not None]
