"""Which families of places cannot change safely: something in them would be left that does not run under Gymnasium."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from done_lint.core.findings import Family, Finding, Span

if TYPE_CHECKING:
    from done_lint.facts.obstacles import Obstacle

#: The rules whose findings keep a program from running under Gymnasium, or change what it computes, while they stand,
#: each with what the code does that it finds.
BLOCKING = {
    "GYM101": "unpacks four values",
    "GYM102": "takes the values of a step by their old places",
    "GYM103": "calls `seed`",
    "GYM104": "takes the result of `reset` for the observation",
    "GYM105": "passes a mode to `render`",
    "GYM106": "asks the info for the time limit",
    "GYM110": "passes an argument of old Gym",
    "GYM301": "returns four values",
    "GYM302": "takes no `seed` and no `options`",
    "GYM303": "returns the observation alone",
    "GYM308": "has a name that Gymnasium never calls",
    "GYM401": "needs Gym",
    "GYM402": "uses `Monitor`",
    "GYM403": "uses a module that is gone",
    "GYM404": "makes an environment that is gone",
    "GYM405": "uses a wrapper by its old name",
    "GYM406": "reads an attribute that is not there any more",
}
#: Of these, a fix on request is enough: the program stops at the place, with the name of what to ask for.
_ENOUGH_ON_REQUEST = frozenset({"GYM402", "GYM404"})


@dataclass(frozen=True, slots=True)
class Blocker:
    """A place that keeps its families from being changed."""

    path: str
    span: Span
    #: The function or class that it stands in, `RemoteEnv.step`; empty at the level of the file.
    owner: str
    #: What it does, and why it stays: "returns four values and has no fix".
    which: str
    #: What would be wrong there with the fixes.
    broken: str = ""

    def reason(self, place: str) -> str:
        """Why a fix is withheld; `place` is that of the blocker as it is shown, `remote.py:41`."""
        if self.broken:
            return f"the fixes were undone: {self.broken} ({place})"
        return f"blocked by {f'`{self.owner}` ({place})' if self.owner else place}, which {self.which}"


class Left(NamedTuple):
    """A finding that is left once all fixes are applied."""

    finding: Finding
    #: Why no fix changes it; empty: by what fix it has.
    why: str = ""


#: By member of a family, what blocks it.
Blocked = Mapping[str, Blocker]


def blocked_by(left: Iterable[Left], blocked: Blocked) -> dict[str, Blocker]:
    """The families that are blocked by what is left, beside those that were `blocked` before.

    A finding with a safe fix blocks nothing, for another run applies it, unless a reason why not is given with it. But
    a fix that is withheld for one of its families is withheld for all of them, so that these are blocked too.
    """
    found: dict[str, Blocker] = {}
    withheld_for: list[tuple[Finding, Blocker]] = []
    for finding, why in left:
        if finding.code not in BLOCKING or (not why and _is_enough(finding)):
            continue
        if not why and finding.fix is not None and finding.fix.safety == "safe":
            if (first := blocker(finding, blocked)) is not None:
                withheld_for.append((finding, first))
            continue
        why = why or ("has no safe fix" if finding.fix is not None else "has no fix")
        first = Blocker(finding.path, finding.span, finding.owner, f"{BLOCKING[finding.code]} and {why}")
        found |= dict.fromkeys(finding.family - found.keys(), first)
    for finding, first in withheld_for:
        found |= dict.fromkeys(finding.family - found.keys(), first)
    return found


def members(finding: Finding) -> Family:
    """What keeps a finding's fix from being applied where it is blocked; without a family, its rule in its file."""
    return finding.family or frozenset((f"{finding.path}:{finding.code}",))


def obstructed(obstacles: Iterable[Obstacle]) -> dict[str, Blocker]:
    """The families that are blocked by callers and results that cannot be followed."""
    found: dict[str, Blocker] = {}
    for one in obstacles:
        first = Blocker(one.path, one.span, one.owner, one.which)
        found |= dict.fromkeys(one.family - found.keys(), first)
    return found


def _is_enough(finding: Finding) -> bool:
    """Whether the program stops at the place itself, with what to write there instead."""
    return finding.code in _ENOUGH_ON_REQUEST and finding.fix is not None


def blocker(finding: Finding, blocked: Blocked) -> Blocker | None:
    """What keeps a safe fix from being applied, if there is anything."""
    if finding.fix is None or finding.fix.safety != "safe":
        return None
    return next((blocked[member] for member in sorted(members(finding)) if member in blocked), None)


def withheld(finding: Finding, reason: str) -> Finding:
    """The finding, with an unsafe fix for a safe one, and the reason."""
    return replace(finding, fix=finding.fix and replace(finding.fix, safety="unsafe"), unfixed=reason)
