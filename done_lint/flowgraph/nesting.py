"""Which of many places stand inside, or around, another one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from done_lint.core.findings import Span


class Nesting:
    """Places by where they start, so that a question need not look at all of them."""

    def __init__(self, spans: Iterable[Span]) -> None:
        """The places, which the answers name by their numbers."""
        self._spans = list(spans)
        self._order = sorted(range(len(self._spans)), key=lambda number: self._spans[number][:2])
        self._starts = [self._spans[number][:2] for number in self._order]
        #: The furthest end of all that starts no later.
        self._reach = list(accumulate((self._spans[number][2:] for number in self._order), max))

    def inside(self, outer: Span) -> Sequence[int]:
        """The numbers of the places that lie in another one or are the same, in ascending order."""
        first, last = bisect_left(self._starts, outer[:2]), bisect_right(self._starts, outer[2:])
        return sorted(number for number in self._order[first:last] if self._spans[number].within(outer))

    def around(self, inner: Span) -> Sequence[int]:
        """The numbers of the places that another one lies in or is the same as, in ascending order."""
        found: list[int] = []
        place = bisect_right(self._starts, inner[:2]) - 1
        while place >= 0 and self._reach[place] >= inner[2:]:
            if inner.within(self._spans[self._order[place]]):
                found.append(self._order[place])
            place -= 1
        return sorted(found)
