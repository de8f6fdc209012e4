"""How one value came to where it is kept: by which arguments first, and into what it was put before.

A value that is kept at many places comes to all of them on the same ways, so each step back is found once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from done_lint.analysis.values import Passage, Place, Pred
from done_lint.core.asked_once import asked_once
from done_lint.core.reach import reach
from done_lint.facts.provenance import FORWARD

#: More functions that gave a value back are not told apart.
_INSIDE = 3
#: How something gets into a name or an attribute.
_NAMED = frozenset({"flow", "set"})


class _State(NamedTuple):
    """A node on the way back from a store."""

    node: int
    #: So many functions gave the value back, and were not yet left.
    inside: int = 0
    #: The last argument so far, by its number (see `Ways`); -1: there was none.
    giver: int = -1


def into(node: int, predecessors: Sequence[Sequence[Pred]], wholes: Mapping[int, Collection[int]]) -> Iterator[Pred]:
    """The ways into a node; an item of what a step gave, `rewards[i]`, has its value without an edge."""
    yield from predecessors[node]
    yield from (Pred(source, "flow", None) for source in wholes.get(node, ()))


class Ways:
    """The ways of one value through a solved graph, back from any node that holds it."""

    def __init__(
        self,
        predecessors: Sequence[Sequence[Pred]],
        wholes: Mapping[int, Collection[int]],
        stars: Collection[int],
        holds: Callable[[int], bool],
    ) -> None:
        """Look at nothing yet.

        Args:
            predecessors: the edges into each node.
            wholes: what an item is taken of, by its node.
            stars: the fields of what functions take by `*args`.
            holds: whether a node holds the value; a function that knows who asks would keep the graph in memory.
        """
        self._predecessors = predecessors
        self._wholes = wholes
        self._stars = stars
        self._holds = holds
        #: The arguments that were met, each once, and their numbers: what has many parts is slow to compare.
        self._givers: list[Passage] = []
        self._numbers: dict[Passage, int] = {}

    @asked_once
    def givers(self, node: int) -> list[Passage]:
        """The first arguments on the ways to a node, from where the value was taken out of a step's result.

        Several callers may hand over what one method steps. Where the shortest way has no argument, there are none.
        """
        found: dict[int, None] = {}
        for state in reach([_State(node)], self._before, bound=FORWARD, breadth_first=True):
            if self._into(state.node):
                continue
            if state.giver < 0 and not found:
                return []
            found.setdefault(state.giver)
        return [self._givers[number] for number in found if number >= 0]

    @asked_once
    def puts(self, node: int) -> list[Passage]:
        """How the value was put into something else, before it came to a node; the last one first.

        A function that hands on what it was handed, `add(*args)`, puts nothing.
        """
        found: list[Passage] = []

        def before(at: int) -> list[int]:
            edges = self._edges(at)
            found.extend(
                edge.passage
                for edge in edges
                if edge.way == "store" and edge.passage is not None and edge.source not in self._stars
            )
            return [edge.source for edge in edges]

        deque(reach([node], before, bound=FORWARD, breadth_first=True), maxlen=0)
        return found

    @asked_once
    def places(self, node: int) -> frozenset[Place]:
        """Where that was done."""
        return frozenset(one.place for one in self.puts(node) if one.place is not None)

    def written(self, node: int) -> list[Passage]:
        """Where the value is written as a field of its row; of a row that was handed on by stars, by whom it began."""
        found: list[Passage] = []

        def before(at: int) -> list[int]:
            edges = [edge for edge in self._edges(at) if edge.way == "store"]
            found.extend(edge.passage for edge in edges if edge.passage is not None and edge.source not in self._stars)
            return [edge.source for edge in edges if edge.source in self._stars]

        deque(reach([node], before, bound=FORWARD, breadth_first=True), maxlen=0)
        return [one for one in found if one.place is not None]

    @asked_once
    def joins(self, node: int) -> frozenset[int]:
        """The nodes on the ways to a node at which something else arrives too."""
        near = reach([node], lambda at: [edge.source for edge in self._into(at)], bound=FORWARD)
        return frozenset(at for at in near if any(map(self._is_other, self._predecessors[at])))

    def _is_other(self, edge: Pred) -> bool:
        return edge.way in _NAMED and not self._holds(edge.source)

    def _before(self, state: _State) -> Iterator[_State]:
        for source, way, passage in self._into(state.node):
            # who fills the star of a function that hands it on is before that function
            filled = way == "store" and state.giver >= 0 and state.node in self._stars
            if (way == "argument" or filled) and not state.inside:
                yield _State(source, 0, self._number(passage))
            else:
                deeper = (way in ("return", "hand")) - (way == "argument")
                yield _State(source, min(state.inside + deeper, _INSIDE), state.giver)

    def _number(self, passage: Passage | None) -> int:
        if passage is None:
            return -1
        number = self._numbers.setdefault(passage, len(self._givers))
        if number == len(self._givers):
            self._givers.append(passage)
        return number

    @asked_once
    def _into(self, node: int) -> list[Pred]:
        every = into(node, self._predecessors, self._wholes)
        return [one for one in every if self._holds(one.source)]

    @asked_once
    def _edges(self, node: int) -> list[Pred]:
        return [edge for edge in self._predecessors[node] if self._holds(edge.source)]
