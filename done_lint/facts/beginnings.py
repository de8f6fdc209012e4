"""At which nodes one value arrives, by where it begins: for all nodes at once, where many of them are asked about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Set

from done_lint.core.reach import reach


class Beginnings:
    """The ways of one value through all nodes that hold it."""

    def __init__(self, holders: Set[int], into: Callable[[int], Iterable[int]], ends: Set[int] = frozenset()) -> None:
        """Look at the ways into each node once.

        Args:
            holders: the nodes that hold the value.
            into: gives the nodes that lead to one, also those that do not hold the value.
            ends: nodes at which no way goes on.
        """
        self._after: defaultdict[int, list[int]] = defaultdict(list)
        #: The nodes to which no way leads.
        self.all: list[int] = []
        for node in holders - ends:
            before = [one for one in into(node) if one in holders]
            if not before:
                self.all.append(node)
            for one in before:
                self._after[one].append(node)

    def reached(self, starts: Iterable[int]) -> frozenset[int]:
        """The nodes to which some beginnings lead, themselves among them."""
        return frozenset(reach(starts, lambda node: self._after.get(node, ())))
