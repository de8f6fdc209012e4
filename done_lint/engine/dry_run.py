"""Which findings a run of `fix` leaves, found by comparing those before it with those after it.

What a rule offers by itself is not what `fix` reaches: a finding without a fix of its own goes away where another fix
changes what it rests on, and a fix that meets an obstacle is taken back.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from done_lint.core.findings import Edit, Finding

#: The rules whose fixes a finding of another rule may wait for. What is not listed waits for a value target's `done`
#: to be told apart at the step, or where it is stored.
_WAITS_FOR = {
    "GYM203": ("GYM101",),
    "GYM101": ("GYM301", "GYM308"),
    "GYM102": ("GYM301", "GYM308"),
    "GYM103": ("GYM302", "GYM304"),
    "GYM104": ("GYM303", "GYM308"),
    "GYM301": ("GYM301", "GYM308"),
    "GYM302": ("GYM302", "GYM308"),
    "GYM303": ("GYM303", "GYM308"),
    "GYM304": ("GYM302", "GYM309"),
    "GYM307": ("GYM301",),
}
_VALUE_TARGETS = ("GYM203", "GYM101")


class Applied(NamedTuple):
    """A fix that was made: of which rule, and where in the file as it was at first."""

    path: str
    code: str
    offset: int


def before(offset: int, edits: Iterable[Edit]) -> int:
    """Where a character of an edited text was in the text before; of new text, where it was put."""
    shift = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        start = edit.start + shift
        if offset < start:
            break
        if offset < start + len(edit.text):
            return edit.start
        shift += len(edit.text) - (edit.end - edit.start)
    return offset - shift


def gone(first: Mapping[int, Sequence[Finding]], left: Iterable[int]) -> list[Finding]:
    """Those findings of one rule in one file that are not left: the places of those that are, or the nearest, go.

    Args:
        first: the findings before, by the offset of their place.
        left: where findings are left, as offsets in the text before.
    """
    waiting = {offset: list(findings) for offset, findings in first.items()}
    elsewhere = []
    for place in left:
        if waiting.get(place):
            waiting[place].pop(0)
        else:
            elsewhere.append(place)
    offsets = sorted(offset for offset, findings in waiting.items() for _ in findings)
    for place in elsewhere:
        if offsets:
            waiting[offsets.pop(_nearest(offsets, place))].pop(0)
    return [finding for offset in sorted(waiting) for finding in waiting[offset]]


def _nearest(offsets: Sequence[int], place: int) -> int:
    """Index of the number that is nearest, of sorted ones."""
    index = bisect_left(offsets, place)
    around = range(max(index - 1, 0), min(index + 1, len(offsets)))
    return min(around, key=lambda index: abs(offsets[index] - place))


class Companions:
    """The fixes of a run, asked for the one that took a finding without a fix of its own away."""

    def __init__(self, made: Iterable[Applied]) -> None:
        """Sort them by rule and file."""
        self._offsets: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for fix in sorted(set(made)):
            self._offsets[fix.code][fix.path].append(fix.offset)

    def of(self, finding: Finding, offset: int, trace: Sequence[tuple[str, int, int]]) -> str:
        """The code of the fix that most likely did it; empty if none is in sight.

        A fix that the rule is known to wait for comes first, then one at a place of the finding's trace, then the
        nearest one in its file.

        Args:
            finding: what is gone.
            offset: where it stood.
            trace: path, start and end of the places of its trace.
        """
        awaited = _WAITS_FOR.get(finding.code, _VALUE_TARGETS)
        others = sorted(self._offsets.keys() - {finding.code, *awaited})
        return self._first(awaited, finding.path, offset, trace) or self._first(others, finding.path, offset, trace)

    def _first(self, codes: Iterable[str], path: str, offset: int, trace: Sequence[tuple[str, int, int]]) -> str:
        found = [code for code in codes if code in self._offsets]
        for code in found:
            if any(self._within(code, *place) for place in trace):
                return code
        near = {code: offsets for code in found if (offsets := self._offsets[code].get(path))}
        if near:
            return min(near, key=lambda code: abs(near[code][_nearest(near[code], offset)] - offset))
        return found[0] if found else ""

    def _within(self, code: str, path: str, start: int, end: int) -> bool:
        offsets = self._offsets[code].get(path, [])
        index = bisect_left(offsets, start)
        return index < len(offsets) and offsets[index] <= end
