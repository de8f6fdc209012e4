"""Which families of places cannot change safely: something in them would be left that does not run under Gymnasium."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from done_lint.core.codes import CODES
from done_lint.core.findings import OF_CALL, OF_CLASS, SINCE_ONE, Family, Finding, Span
from done_lint.source.documents.example_functions import is_example

if TYPE_CHECKING:
    from done_lint.facts.facts import Facts
    from done_lint.facts.kinds.obstacles import Obstacle


_GYM_IMPORT = "GYM401"
#: What a place does that stays, if its rule does not say it.
_OTHERWISE = "does something else since Gymnasium 1.0"
#: The rules about the classes of environments.
_CLASSES = "GYM3"


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
    #: It is in the code or the text around examples, whose places are others than theirs.
    around: bool = False

    def reason(self, place: str) -> str:
        """Why a fix is withheld; `place` is that of the blocker as it is shown, `remote.py:41`."""
        if self.broken:
            return f"the fixes were undone: {self.broken} ({place})"
        first, _, rest = self.owner.partition(".")
        owner = rest if is_example(first) else self.owner
        return f"blocked by {f'`{owner}` ({place})' if owner else place}, which {self.which}"


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
    a fix that is withheld for one of its families is withheld for all of them, so that these are blocked too. What is
    left because of that names what blocked first: it would have changed.
    """
    found: dict[str, Blocker] = {}
    withheld_for: list[tuple[Family, Blocker]] = []
    for finding, why in left:
        stops = not finding.incompatibility or (not why and finding.stops_with_advice)
        blocking = finding.border if stops else finding.family | finding.border
        if not blocking:
            continue
        if not why and finding.fix is not None and finding.fix.safety == "safe":
            if (first := blocker(finding, blocked)) is not None:
                withheld_for.append((blocking, first))
            continue
        why = why or ("has no safe fix" if finding.fix is not None else "has no fix")
        first = _first(finding, blocked)
        if first is None:
            which = finding.incompatibility or _OTHERWISE
            first = Blocker(finding.path, finding.span, finding.owner, f"{which} and {why}")
        found |= dict.fromkeys(blocking - found.keys(), first)
    for blocking, first in withheld_for:
        found |= dict.fromkeys(blocking - found.keys(), first)
    return found


def idle(moving: Iterable[Finding], left: Iterable[Finding]) -> dict[str, Blocker]:
    """The families of imports that no environment goes with, where all that uses environments stays with Gym.

    Moving them changes nothing, but that the project needs both libraries.
    """
    imports = [one for one in moving if one.code == _GYM_IMPORT]
    first = next((one for one in left if one.code == _GYM_IMPORT and _has_environments(one)), None)
    if first is None or any(map(_has_environments, imports)):
        return {}
    other = Blocker(first.path, first.span, first.owner, "stays with Gym, as all that uses environments here")
    return dict.fromkeys((member for one in imports for member in members(one)), other)


def _has_environments(finding: Finding) -> bool:
    """Whether an environment, or the class of one, belongs to the family of an import, and not only files."""
    return any(OF_CLASS in member or OF_CALL in member for member in finding.family)


def members(finding: Finding) -> Family:
    """What keeps a finding's fix from being applied where it is blocked; without a family, its rule in its file."""
    own = finding.family or frozenset((_alone(finding.path, finding.code),))
    return own | {border_of(finding.path)} if finding.fix is not None and finding.fix.since_one else own


def border_of(path: str) -> str:
    """What stands for the fixes of a file that no release before 1.0 runs."""
    return f"{path}{SINCE_ONE}"


def all_members(path: str, facts: Facts) -> Family:
    """What keeps every fix of a file from being applied where it is blocked."""
    return facts.all_families | {_alone(path, code) for code in CODES}


def _alone(path: str, code: str) -> str:
    """What stands for the findings of a rule in a file that have no family."""
    return f"{path}:{code}"


def obstructed(obstacles: Iterable[Obstacle]) -> dict[str, Blocker]:
    """The families that are blocked by callers and results that cannot be followed."""
    found: dict[str, Blocker] = {}
    for one in obstacles:
        first = Blocker(one.path, one.span, one.owner, one.which, around=one.around)
        found |= dict.fromkeys(one.family - found.keys(), first)
    return found


def blocker(finding: Finding, blocked: Blocked) -> Blocker | None:
    """What keeps a safe fix from being applied, if there is anything."""
    if finding.fix is None or finding.fix.safety != "safe":
        return None
    return _first(finding, blocked)


def _first(finding: Finding, blocked: Blocked) -> Blocker | None:
    """What blocks a family of a finding, if there is anything."""
    return next((blocked[member] for member in sorted(members(finding)) if member in blocked), None)


def unmoved(finding: Finding, blocked: Blocked) -> Blocker | None:
    """What keeps the import of Gym or a class for it as it is, if this is a finding about one that stays."""
    if not finding.code.startswith((_GYM_IMPORT, _CLASSES)) or not finding.incompatibility:
        return None
    return blocker(finding, blocked) or next(iter(blocked_by([Left(finding)], blocked).values()), None)


def withheld(finding: Finding, reason: str) -> Finding:
    """The finding, with an unsafe fix for a safe one, and the reason."""
    return replace(finding, fix=finding.fix and replace(finding.fix, safety="unsafe"), unfixed=reason, held_back=True)
