"""Which families of places cannot change safely: something in them would be left that does not run under Gymnasium."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from done_lint.core.findings import Family, Finding
from done_lint.core.paths import shown

#: The rules whose findings keep a program from running under Gymnasium, or change what it computes, while they stand.
BLOCKING = frozenset(
    {
        *("GYM101", "GYM102", "GYM103", "GYM104", "GYM105", "GYM106", "GYM110"),
        *("GYM301", "GYM302", "GYM303", "GYM308"),
        *("GYM401", "GYM402", "GYM403", "GYM404", "GYM405"),
    }
)

#: By member of a family, the finding that blocks it.
Blocked = Mapping[str, Finding]


def blocked_by(findings: Iterable[Finding]) -> Blocked:
    """The families that these findings block: those that are left once all fixes are applied.

    A finding that rests on a name alone blocks nothing, for it may be about something else; nor does one with a safe
    fix, which another run applies.
    """
    found: dict[str, Finding] = {}
    for finding in findings:
        safe = finding.fix is not None and finding.fix.safety == "safe"
        if finding.code in BLOCKING and finding.certainty == "proven" and not safe:
            for member in finding.family:
                found.setdefault(member, finding)
    return found


def members(finding: Finding) -> Family:
    """What keeps a finding's fix from being applied where it is blocked; without a family, its rule in its file."""
    return finding.family or frozenset((f"{finding.path}:{finding.code}",))


def blocker(finding: Finding, blocked: Blocked) -> Finding | None:
    """The finding that keeps a safe fix from being applied, if there is one."""
    if finding.fix is None or finding.fix.safety != "safe":
        return None
    return next((blocked[member] for member in sorted(members(finding)) if member in blocked), None)


def withheld(finding: Finding, blocked: Blocked) -> Finding:
    """The finding, with an unsafe fix for a safe one where its family is blocked, and the reason."""
    if finding.fix is None or (other := blocker(finding, blocked)) is None:
        return finding
    return replace(finding, fix=replace(finding.fix, safety="unsafe"), unfixed=_reason(finding, other))


def _reason(finding: Finding, other: Finding) -> str:
    """Why a fix is withheld, with the place of the finding that has to be fixed by hand first."""
    place = f"{shown(other.path)}:{other.span.row}" if other.path != finding.path else f"row {other.span.row}"
    if not other.code:
        return f"the fixes were undone: {other.message} ({place})"
    return f"it changes together with {place} ({other.code}), which has no safe fix"
