"""Which findings a run of `fix` leaves, found by comparing those before it with those after it.

What a rule offers by itself is not what `fix` reaches: a finding without a fix of its own goes away where another fix
changes what it rests on, and a fix that meets an obstacle is taken back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from done_lint.findings import Edit, Finding

#: The rules whose fixes a finding of another rule may wait for. What is not listed waits for a value target's `done`
#: to be told apart at the step, or where it is stored.
_WAITS_FOR = {
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


def gone(first: Mapping[int, Sequence[Finding]], left: Sequence[int]) -> list[Finding]:
    """Those findings of one rule in one file that are not left, the rest being the nearest ones.

    Args:
        first: the findings before, by the offset of their place.
        left: where findings are left, as offsets in the text before.
    """
    waiting = [(offset, finding) for offset, findings in sorted(first.items()) for finding in findings]
    for place in sorted(left, key=lambda place: place not in first):
        if waiting:
            waiting.remove(min(waiting, key=lambda one: abs(one[0] - place)))
    return [finding for _, finding in waiting]


def companion(finding: Finding, offset: int, related: Iterable[tuple[str, int, int]], made: Sequence[Applied]) -> str:
    """The code of the fix that most likely took a finding without a fix of its own away; empty if none is in sight.

    A fix that the rule is known to wait for comes first, then one at a place of the finding's trace, then the nearest
    one in its file.

    Args:
        finding: what is gone.
        offset: where it stood.
        related: path, start and end of the places of its trace.
        made: all fixes of the run.
    """
    spans: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for path, start, end in related:
        spans[path].append((start, end))

    awaited = _WAITS_FOR.get(finding.code, _VALUE_TARGETS)

    def distance(fix: Applied) -> tuple[bool, bool, bool, int]:
        on_trace = any(start <= fix.offset <= end for start, end in spans[fix.path])
        here = fix.path == finding.path
        return fix.code not in awaited, not on_trace, not here, abs(fix.offset - offset) if here else 0

    others = [fix for fix in made if (fix.path, fix.code, fix.offset) != (finding.path, finding.code, offset)]
    return min(others, key=distance).code if others else ""
