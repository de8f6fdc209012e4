"""How many values of a kind a node of the solved graph takes: where thousands arrive, anything does.

What all of them cost together stays linear by that, and nothing is said of a place that is full.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import itemgetter

from done_lint.analysis.values import (
    ChosenNone,
    ClassRef,
    ContainerMethod,
    Count,
    Environment,
    External,
    FunctionRef,
    Info,
    Instance,
    Object,
    Partial,
    ResetResult,
    Template,
    Text,
    Value,
)

#: A node that holds more objects than this is widened to unknown: all kinds of objects arrive there.
MOST_OBJECTS = 8
#: Each string counts by itself: a function that makes environments may be called with many ids.
MOST_TEXTS = 64
#: So many resets may arrive at one place: a program has fewer, and what they cost together stays linear.
MOST_RESETS = 256
#: So many names of other packages, functions, classes, their counts or choices of None arrive at one place, and so
#: many methods of containers. Of 250 public trees seven have more at a place (functions 66, 84, 100 and 136, classes
#: 144, names 67 and 545, methods 152), and one library of 840 files had thousands.
MOST_NAMES = 64
MOST_METHODS = 128
#: Groups of kinds of which a place takes no more once it is full of one of them: anything arrives there.
_MANY = frozenset({1, *range(7, 16)})
#: A node that holds fewer values has room for any.
FEW = MOST_OBJECTS
#: The group of objects, and of those that tests make: they take no room from those of the program.
_OF_PROGRAM, _OF_TESTS = 0, 16
#: The kinds of values that a node takes a few of, each with the group that it is counted in, and the most of a group.
_COUNTED: dict[type[Value], tuple[int, int]] = {
    Object: (_OF_PROGRAM, MOST_OBJECTS),
    Instance: (_OF_PROGRAM, MOST_OBJECTS),
    Text: (1, MOST_TEXTS),
    Environment: (2, MOST_OBJECTS),
    Info: (3, MOST_OBJECTS),
    # in a long script the observation of every reset before may still be there
    ResetResult: (7, MOST_RESETS),
    External: (8, MOST_NAMES),
    FunctionRef: (9, MOST_NAMES),
    ClassRef: (10, MOST_NAMES),
    Count: (11, MOST_NAMES),
    Template: (12, MOST_NAMES),
    Partial: (13, MOST_NAMES),
    ContainerMethod: (14, MOST_METHODS),
    ChosenNone: (15, MOST_NAMES),
}
_OBJECTS: frozenset[type[Value]] = frozenset({Object, Instance})
#: Groups there can be: the infos are counted by what their steps return.
_GROUPS = 17


class Room:
    """What the nodes hold, by groups of kinds."""

    def __init__(self, interned: Sequence[Value]) -> None:
        """Nothing is counted yet.

        Args:
            interned: every value by its number.
        """
        self._interned = interned
        #: How many values of each group a node holds, if it holds more than a few.
        self._counts: dict[int, list[int]] = {}
        #: Nodes that are full of names.
        self._full: set[int] = set()
        #: The nodes of files that hold tests: the first of each file, in order, and the one behind its last.
        self.of_tests: list[tuple[int, int]] = []
        #: Environments and instances that arrive at a node which has no room for them.
        self.left_out: dict[int, set[int]] = {}

    def admits(self, node: int, number: int, held: Sequence[int]) -> bool:
        """Whether there is room for one more value at a node that holds these; it is counted."""
        if type(self._interned[number]) not in _COUNTED:
            return True
        counts = self._counts.get(node) or self._counted(node, held)
        group, most = self._group(number)
        if group in _MANY and node in self._full:
            return False
        # what the program makes has its room whatever tests make, which has what is left of it
        taken = counts[group] + (counts[_OF_PROGRAM] if group == _OF_TESTS else 0)
        if taken < most:
            counts[group] += 1
            return True
        if group in _MANY:
            self._full.add(node)
        elif isinstance(self._interned[number], (Environment, Instance)):
            self.left_out.setdefault(node, set()).add(number)
        return False

    def _counted(self, node: int, held: Sequence[int]) -> list[int]:
        """How many values of each group a node holds, which is counted from now on."""
        counts = self._counts[node] = [0] * _GROUPS
        for number in held:
            if type(self._interned[number]) in _COUNTED:
                counts[self._group(number)[0]] += 1
        return counts

    def _group(self, number: int) -> tuple[int, int]:
        """The group that a value is counted in, and the most of it."""
        value = self._interned[number]
        group, most = _COUNTED[type(value)]
        if isinstance(value, Object) and self._is_of_test(value):
            return _OF_TESTS, most
        if isinstance(value, Info):
            # environments, and steps alike, agree or they do not: more of them change nothing
            env = self._interned[value.env]
            assert isinstance(env, Environment)
            group += 2 * (value.arity == 5) + env.api.five
        return group, most

    def is_used_up(self, held: Sequence[int]) -> bool:
        """Whether so many objects are held that they stand for anything.

        The arrays that a dozen of tests hand to a function say nothing of what the program hands to it.
        """
        if len(held) < MOST_OBJECTS:
            return False
        objects = [value for number in held if type(value := self._interned[number]) in _OBJECTS]
        own = [one for one in objects if not (isinstance(one, Object) and self._is_of_test(one))]
        return len(own or objects) >= MOST_OBJECTS

    def _is_of_test(self, value: Object) -> bool:
        """Whether a test makes this object."""
        place = bisect_right(self.of_tests, value.node, key=itemgetter(0)) - 1
        return place >= 0 and value.node < self.of_tests[place][1]
