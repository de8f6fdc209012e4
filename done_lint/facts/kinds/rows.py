"""What is kept of the steps of vector environments, row by row."""

from __future__ import annotations

from dataclasses import dataclass

from done_lint.core.findings import Related, Span
from done_lint.facts.kinds.environments import Env


@dataclass(frozen=True, slots=True)
class Row:
    """What one step of a vector environment returned is kept as a transition of each environment."""

    env: Env
    step: Related
    #: Where the reward is handed on to be kept.
    place: Span
    #: Where flags are, in the same file.
    flags: tuple[Span, ...] = ()
    #: Somewhere behind the loop that steps, flags of the step choose rows or weigh them.
    chosen: bool = False
    #: It is not seen who makes the environment, nor how the program's own ones reset, and nothing names a mode.
    unasked: bool = False
    #: Environments that are no vectors arrive at the same step.
    alone: bool = False
    #: Nothing keeps it: a target is made of it as it comes.
    at_once: bool = False
    #: And that target is cut where episodes terminate, and nowhere else.
    at_terminations: bool = False
    #: Where observations are, in the same file.
    observed: tuple[Span, ...] = ()
    #: Something that runs with the file asks for final observations.
    final: bool = False
    #: A branch keeps no row of an environment that was truncated.
    untruncated: bool = False
    #: The flags, in the same file, that the loop hands to functions which choose rows by them.
    chosen_by: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class ResetValue:
    """A delta bootstraps at truncations from the value one row on, of the rollouts of vector environments."""

    #: The environments of all programs that run this, and their steps.
    envs: tuple[Env, ...]
    steps: tuple[Related, ...]
    #: Where the value is written.
    place: Span
    #: Those of the steps at which environments arrive that are no vectors.
    alone: frozenset[Related] = frozenset()
