"""Which findings `fix` would fix: those before a trial in memory are compared with those after it.

The fixes that rules offer do not show it: a finding without a fix of its own disappears where another fix changes its
cause, and a fix that breaks its file is undone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from done_lint.core.findings import Finding
from done_lint.core.text import Lines
from done_lint.engine.blocked import Blocked, blocker
from done_lint.engine.fix_loop import Applied, FixLoop, settled
from done_lint.engine.lint_project import LintedProject

#: The rules whose fixes a finding of another rule may wait for. One about value targets that is not listed waits until
#: `done` is split into terminated and truncated at the step, or where it is stored.
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
#: The rules about value targets: the values that they follow come from other files.
_ABOUT_VALUES = "GYM2"


@dataclass(frozen=True)
class Foreseen:
    """What `fix` would do."""

    #: The findings that it would fix, by identity, each with the code of the finding that it is fixed together with:
    #: empty for a finding with a safe fix of its own.
    fixed: Mapping[int, str] = field(default_factory=dict)
    #: The families that it would leave alone.
    blocked: Blocked = field(default_factory=dict)


def foreseen(linted: LintedProject) -> Foreseen:
    """What `fix` would do: the fixes are tried in memory, if there are any."""
    findings = (finding for found in linted.findings.values() for finding in found)
    safe = any(finding.fix and finding.fix.safety == "safe" for finding in findings)
    if not safe or linted.link_failed:
        return Foreseen()
    trial = settled(linted)
    return Foreseen(_fixed_by(trial), trial.blocked)


def _fixed_by(trial: FixLoop) -> dict[int, str]:
    """The findings that a trial fixed (see `Foreseen.fixed`)."""
    found: dict[int, str] = {}
    companions = Companions(trial.applied)
    sources = trial.linted.program.sources
    lines = {path: Lines(trial.before.get(path, source).text) for path, source in sources.items()}
    for path, first in trial.first.items():
        left = trial.offsets_at_first(path, trial.linted.findings.get(path, []))
        for code in {finding.code for finding in first}:
            by_offset: defaultdict[int, list[Finding]] = defaultdict(list)
            for finding in first:
                if finding.code == code:
                    by_offset[lines[path].offset(*finding.span[:2])].append(finding)
            for finding in fixed(by_offset, [offset for other, offset in left if other == code]):
                own = finding.fix is not None and finding.fix.safety == "safe" and not blocker(finding, trial.blocked)
                offset = lines[path].offset(*finding.span[:2])
                found[id(finding)] = "" if own else companions.of(finding, offset, _trace(finding, lines))
    return found


def _trace(finding: Finding, lines: Mapping[str, Lines]) -> list[tuple[str, int, int]]:
    """Path, start and end of the places of a finding's trace, as far as their files are known."""
    return [
        (place.path, lines[place.path].offset(*place.span[:2]), lines[place.path].offset(*place.span[2:]))
        for place in finding.related
        if place.path in lines
    ]


def fixed(first: Mapping[int, Sequence[Finding]], left: Iterable[int]) -> list[Finding]:
    """The findings of one rule in one file that are fixed: those at no place that is left, nor nearest to one.

    Args:
        first: the findings before the fixes, by the offset of their place.
        left: where findings are left, as offsets in the text before the fixes.
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
    """Finds the fix of a run that fixed a finding without a fix of its own."""

    def __init__(self, made: Iterable[Applied]) -> None:
        """Sort the fixes by rule and file."""
        self._offsets: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        self._families: defaultdict[str, set[str]] = defaultdict(set)
        for path, code, offset in sorted({(one.path, one.code, one.offset) for one in made}):
            self._offsets[code][path].append(offset)
        for one in made:
            self._families[one.code].update(one.family)

    def of(self, finding: Finding, offset: int, trace: Sequence[tuple[str, int, int]]) -> str:
        """The code of the fix that most likely fixed a finding too; empty if none is known.

        A fix that the rule is known to wait for comes first, then any other one: one at a place of the finding's trace,
        the nearest one in its file, and one elsewhere that changes together with it. A fix of its own that came later
        is none of these: it waited for one of them.

        Args:
            finding: one that was fixed.
            offset: where it was.
            trace: path, start and end of the places of its trace.
        """
        awaited = _WAITS_FOR.get(finding.code, _VALUE_TARGETS if finding.code.startswith(_ABOUT_VALUES) else ())
        others = sorted(self._offsets.keys() - {*awaited})
        return self._first(awaited, finding, offset, trace) or self._first(others, finding, offset, trace)

    def _first(self, codes: Iterable[str], finding: Finding, offset: int, trace: Sequence[tuple[str, int, int]]) -> str:
        found = [code for code in codes if code in self._offsets]
        for code in found:
            if any(self._within(code, *place) for place in trace):
                return code
        near = {code: offsets for code in found if (offsets := self._beside(code, finding, offset))}
        if near:
            return min(near, key=lambda code: abs(near[code][_nearest(near[code], offset)] - offset))
        followed = finding.code.startswith(_ABOUT_VALUES)
        elsewhere = (code for code in found if self._offsets[code].keys() - {finding.path})
        return next((one for one in elsewhere if followed or not finding.family.isdisjoint(self._families[one])), "")

    def _beside(self, code: str, finding: Finding, offset: int) -> list[int]:
        """Where fixes of a rule were applied in the file of a finding, but for its own."""
        own = {offset} if code == finding.code else ()
        return [one for one in self._offsets[code].get(finding.path, ()) if one not in own]

    def _within(self, code: str, path: str, start: int, end: int) -> bool:
        offsets = self._offsets[code].get(path, [])
        index = bisect_left(offsets, start)
        return index < len(offsets) and offsets[index] <= end
