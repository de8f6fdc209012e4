"""Whether a rule about value targets can report anything in a file (see `done_lint/rules/sight.py`)."""

from __future__ import annotations

from done_lint.facts.facts import SinkKind
from done_lint.rules.sight import Sight


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
    """A flag of a vector environment, beside a step; or a step and a reset of another one."""
    several = _steps_several(sight) and any(flag.array is True for flag in sight.facts.flags.values())
    return several or bool(sight.facts.steps and sight.facts.resets)


def gym206(sight: Sight) -> bool:
    """A leak."""
    return _has(sight, "leak")


def gym207(sight: Sight) -> bool:
    """Rows that a vector environment returned."""
    return bool(sight.facts.rows)


def gym208(sight: Sight) -> bool:
    """The last step of a dm_env episode."""
    return _has(sight, "last")
