"""The edges that leave a node: nearly all nodes have a few alike, and a dictionary takes four times their memory."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import ClassVar, TypeAlias

#: So many edges are kept in a tuple.
_FEW = 5


class FewEdges(tuple[int, ...]):
    """The targets of edges that carry values in the same way; asked as a dictionary by target would be."""

    __slots__ = ()
    mode: ClassVar[int]

    def get(self, target: int) -> int | None:
        """How the edge to a target carries values; None: there is none."""
        return self.mode if target in self else None

    def items(self) -> Iterable[tuple[int, int]]:
        """The targets, and how the edges carry values."""
        return zip(self, repeat(self.mode))


#: By target, how the edge to it carries values.
Edges: TypeAlias = dict[int, int] | FewEdges


def _of_mode(mode: int) -> type[FewEdges]:
    class OfMode(FewEdges):
        __slots__ = ()

    OfMode.mode = mode
    return OfMode


#: A class for each way to carry values: what all edges of a tuple have in common costs nothing.
_KINDS = tuple(map(_of_mode, range(9)))


def with_edge(known: Edges, target: int, mode: int) -> Edges:
    """The edges of a node, and one more; edges that are no tuple are changed."""
    if not known:
        return _KINDS[mode]((target,))
    if isinstance(known, dict):
        known[target] = mode
        return known
    if known.mode == mode and len(known) < _FEW:
        return _KINDS[mode]((*known, target))
    return {**dict.fromkeys(known, known.mode), target: mode}
