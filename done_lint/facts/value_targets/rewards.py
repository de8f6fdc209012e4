"""Which values are a step's reward, or a sum of rewards."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.solver import MARKS, TERMS
from done_lint.core.reach import reach
from done_lint.facts.provenance import REWARDS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class Rewards:
    """Finds the rewards of steps behind a value."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._flags = analysis.flags

    def is_one(self, node: int, stored: bool = True) -> bool:
        """The value is a step's reward, or a sum of rewards: `r = 0` where a new episode begins masks no value."""
        return bool(self.at(node, stored))

    def at(self, node: int, stored: bool = True) -> list[int]:
        """The rewards of steps that a value is, or is a sum of; `stored`: that were stored and read back, too."""

        def before(at: int) -> list[int]:
            edges = self._solver.predecessors[at]
            sources = [source for source, kind, _ in edges if kind == "flow" or (stored and kind != "combined")]
            joined = any(self._solver.successors[source].get(at) in (MARKS, TERMS) for source in sources)
            # a sum with a product in it is a target
            return [] if joined and not self.products.isdisjoint((at, *sources)) else sources

        return [at for at in reach([node], before, bound=REWARDS) if at in self._flags.rewards]

    @cached_property
    def products(self) -> set[int]:
        """The nodes of all products."""
        return {node for node, _ in self._flags.products.values()}
