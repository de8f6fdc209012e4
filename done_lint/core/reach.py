"""What can be reached in a graph: every search of the analysis is this one."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Set
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reach(
    starts: Iterable[Node],
    follow: Callable[[Node], Iterable[Node]],
    *,
    bound: int = sys.maxsize,
    breadth_first: bool = False,
) -> Iterator[Node]:
    """The starts and everything that can be reached from them, each node once, when its turn comes.

    Depth-first, the node that was found last comes next: the last of the starts before the others, and behind each
    node the last that it leads to. Breadth-first, the node that was found first comes next.

    Args:
        starts: where the search begins.
        follow: what a node leads to; asked when the node after it is wanted.
        bound: the search ends when so many nodes have had their turn.
        breadth_first: whether nodes that are near to the starts come before those that are far.
    """
    waiting = deque(starts)
    take = waiting.popleft if breadth_first else waiting.pop
    seen: set[Node] = set()
    while waiting and len(seen) < bound:
        node = take()
        if node not in seen:
            seen.add(node)
            yield node
            waiting.extend(follow(node))


def reaches(start: Node, goal: Node, follow: Callable[[Node], Iterable[Node]], bound: int) -> bool:
    """Whether a search for `goal` that begins at `start` ends there, depth-first as that of `reach`."""
    waiting, seen = [start], set[Node]()
    while waiting and len(seen) < bound:
        node = waiting.pop()
        if node not in seen:
            if node == goal:
                return True
            seen.add(node)
            waiting.extend(follow(node))
    return False


def closure(starts: Iterable[Node], graph: Mapping[Node, Set[Node]]) -> set[Node]:
    """The same as a set, where all that a node leads to is known before."""
    found = set(starts)
    waiting = list(found)
    while waiting:
        new = graph.get(waiting.pop(), frozenset()) - found
        found |= new
        waiting += new
    return found
