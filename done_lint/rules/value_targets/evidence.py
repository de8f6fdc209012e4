"""Whether a rule about value targets can report anything in a file (see `done_lint/rules/sight.py`)."""

from __future__ import annotations

import re

from done_lint.core.findings import Span
from done_lint.facts.facts import SinkKind
from done_lint.rules.sight import Sight

#: Behind an element of a tuple that is not its last one.
_COMMA = re.compile(r",")
#: Before a value that is kept in a container of its own.
_KEPT = re.compile(r"\.append\b|\]\s*=")


def _has(sight: Sight, kind: SinkKind) -> bool:
    """Whether the analysis found a sink of a kind."""
    return any(sink.kind == kind for sink in sight.facts.sinks.values())


def gym201(sight: Sight) -> bool:
    """A mask."""
    return _has(sight, "mask")


def gym202(sight: Sight) -> bool:
    """A branch."""
    return _has(sight, "branch")


def gym203(sight: Sight) -> bool:
    """A store."""
    return _has(sight, "store")


def gym204(sight: Sight) -> bool:
    """A recursion."""
    return _has(sight, "recursion")


def _steps_several(sight: Sight) -> bool:
    """Whether a vector environment is stepped."""
    return any(step.env.api.vector and step.env.api.five for step in sight.facts.steps.values())


def gym205(sight: Sight) -> bool:
    """A flag of a vector environment, beside a step; a reset of another one that replaces its observation; a value."""
    several = _steps_several(sight) and any(flag.array is True for flag in sight.facts.flags.values())
    # what stands behind a later reset stands behind the first one, too
    if sight.facts.reset_values:
        return True
    return several or ((first := _first_replacing(sight)) is not None and _goes_out_after(sight, first))


def _of_agents(sight: Sight) -> bool:
    """Whether something is stepped that returns tables with one flag for each agent, which are no flags themselves."""
    return any(step.env.api.per_agent for step in sight.facts.steps.values())


def _first_replacing(sight: Sight) -> Span | None:
    """The first reset that may give its observation to a name which a step before it gave one to."""
    steps = {span for span, step in sight.facts.steps.items() if step.env.api.five or step.env.api.per_agent}
    # None: the targets cannot be seen
    given: set[tuple[str, ...] | None] = set()
    for span in sorted(steps.union(sight.facts.resets)):
        targets = sight.targets(span)
        name = None if targets is None else targets[:1]
        if span in sight.facts.resets and given and (name is None or None in given or (name and name in given)):
            return span
        if span in steps:
            given.add(name)
    return None


def _goes_out_after(sight: Sight, reset: Span) -> bool:
    """Whether *terminated* and another flag stand behind a reset, in a row or each in a container of its own."""
    if _of_agents(sight):
        return True
    later = {span: flag for span, flag in sight.facts.flags.items() if span > reset}
    if len(later) < 2 or not any(flag.terminated_only for flag in later.values()):
        return False
    return any(sight.starts(span, _COMMA) or _is_kept(sight, span) for span in later)


def _is_kept(sight: Sight, span: Span) -> bool:
    """Whether a container may get a value."""
    before = sight.before(span)
    return before is None or _KEPT.search(before) is not None


def gym206(sight: Sight) -> bool:
    """A leak."""
    return _has(sight, "leak")


def gym207(sight: Sight) -> bool:
    """Rows that a vector environment returned."""
    return bool(sight.facts.rows)


def gym208(sight: Sight) -> bool:
    """The last step of a dm_env episode, or what is said to terminate one."""
    return _has(sight, "last") or _has(sight, "ending")
