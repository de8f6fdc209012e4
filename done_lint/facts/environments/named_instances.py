"""Instances of classes that only annotations promise: `env: Maze = gym.make("Maze-v0")`."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import Instance
from done_lint.core.asked_once import asked_once
from done_lint.facts.beginnings import Beginnings

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class NamedInstances:
    """Reads from a solved graph where nothing but annotations says that an instance arrives."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._named = analysis.envs.named

    def is_alone(self, number: int, node: int) -> bool:
        """Whether an instance, by its number, arrives at a node from annotations only."""
        return number in self._promised and node in self._only_named(number)

    @cached_property
    def _promised(self) -> frozenset[int]:
        """The numbers that some annotation promises: most instances are only made."""
        return frozenset(number for node in self._named for number in self._solver.held[node])

    @asked_once
    def _only_named(self, number: int) -> frozenset[int]:
        ways = Beginnings(self._holders[number], lambda node: (one.source for one in self._solver.predecessors[node]))
        named = [node for node in ways.all if node in self._named]
        return ways.reached(named) - ways.reached(set(ways.all) - set(named))

    @cached_property
    def _holders(self) -> dict[int, set[int]]:
        """The nodes that hold each of these instances."""
        wanted = self._promised & self._solver.of_kinds(Instance)
        found: defaultdict[int, set[int]] = defaultdict(set)
        for node, held in enumerate(self._solver.held):
            for number in held:
                if number in wanted:
                    found[number].add(node)
        return found
