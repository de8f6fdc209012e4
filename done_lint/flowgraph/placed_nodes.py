"""Places of nodes, packed: a survey has thousands, and as objects they took more than a quarter of its memory."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import repeat

from done_lint.core.findings import Span
from done_lint.flowgraph.keys import PlainData

#: How many numbers a place is.
WIDTH = len(Span._fields)
_span = tuple.__new__


class PlacedNodes(PlainData):
    """Rows of a node and a place."""

    __slots__ = ("nodes", "numbers")

    def __init__(self, nodes: Iterable[int] = (), numbers: Iterable[int] = ()) -> None:
        """Take nodes, and the numbers of their places one after the other.

        Raises:
            ValueError: these are not as many places, or a number is too large.
        """
        try:
            self.nodes, self.numbers = array("i", nodes), array("i", numbers)
        except OverflowError as error:
            raise ValueError("a number is too large") from error
        if len(self.numbers) != WIDTH * len(self.nodes):
            raise ValueError("not a place for each node")

    def _operands(self) -> tuple[object, ...]:
        return self.nodes, self.numbers

    def __len__(self) -> int:
        return len(self.nodes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlacedNodes) and self._operands() == other._operands()

    __hash__ = None  # type: ignore[assignment]

    def add(self, node: int, at: Span) -> None:
        """One more row."""
        self.nodes.append(node)
        self.numbers.extend(at)

    def span(self, row: int) -> Span:
        """The place in a row."""
        return _span(Span, self.numbers[WIDTH * row : WIDTH * row + WIDTH])


class Uses(PlacedNodes):
    """Expressions and their nodes, in the order of the source."""

    __slots__ = ()

    def __iter__(self) -> Iterator[tuple[Span, int]]:
        return self.since(0)

    def __getitem__(self, row: int) -> tuple[Span, int]:
        return self.span(row), self.nodes[row]

    def since(self, row: int) -> Iterator[tuple[Span, int]]:
        """Those from a row on."""
        columns = [self.numbers[WIDTH * row + column :: WIDTH] for column in range(WIDTH)]
        return zip(map(_span, repeat(Span), zip(*columns)), self.nodes[row:])


class Places(PlacedNodes):
    """Places by node; nodes come in the order of their numbers."""

    __slots__ = ()

    def get(self, node: int) -> Span | None:
        """The place of a node, if it has one."""
        row = bisect_left(self.nodes, node)
        return self.span(row) if row < len(self.nodes) and self.nodes[row] == node else None

    def __contains__(self, node: int) -> bool:
        return self.get(node) is not None

    def __getitem__(self, node: int) -> Span:
        if (found := self.get(node)) is None:
            raise KeyError(node)
        return found
