"""Callers that a run does not change, though a method of the project that they call changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from done_lint.core.findings import Finding
from done_lint.core.paths import shown
from done_lint.project.settings import Settings

if TYPE_CHECKING:
    from done_lint.facts.facts import Facts

#: The rule that changes what a `reset` returns, and the one that then changes its callers in the next round.
_METHODS, _CALLERS = "GYM303", "GYM104"

#: By file and method (`Maze.reset`), the first place that takes its value and stays as it is.
Unselected = Mapping[tuple[str, str], str]


def unselected(paths: Iterable[str], facts: Callable[[str], Facts], settings: Settings) -> Unselected:
    """The methods whose callers stay as they are, because their rule is off.

    Args:
        paths: all files of the program, asked for or not.
        facts: gives those of a file.
        settings: of the project.
    """
    found: dict[tuple[str, str], str] = {}
    for path in sorted(path for path in paths if not settings.enabled(_CALLERS, path)):
        for span, reset in sorted(facts(path).resets.items()):
            if (method := reset.pending) is not None and not reset.dropped:
                found.setdefault((method.path, method.message.strip("`")), f"{shown(path)}:{span.row}")
    return found


def with_callers(finding: Finding, left: Unselected) -> Finding:
    """The finding, with no safe fix where a caller would take the pair for the observation."""
    place = left.get((finding.path, finding.owner)) if finding.code == _METHODS else None
    if place is None or finding.fix is None or finding.fix.safety != "safe":
        return finding
    reason = f"{place} takes what it returns, and {_CALLERS} is not selected"
    return replace(finding, fix=replace(finding.fix, safety="unsafe"), unfixed=reason)
