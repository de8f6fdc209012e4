"""Which library a file is written for, by what it takes of resets and of steps."""

from __future__ import annotations

from done_lint.facts.kinds.results import ResetResult
from done_lint.rewrites.context import Context, per_file


@per_file
def is_on_gymnasium(context: Context) -> bool:
    """Whether the file takes pairs of resets, or five values of steps, somewhere."""
    handled = any(one.handled for one in context.facts.resets.values())
    return handled or any(len(one.targets) == 5 for one in context.unpackings)


@per_file
def is_on_gym(context: Context) -> bool:
    """Whether the file takes four values of a step, and nothing as Gymnasium gives it."""
    return not is_on_gymnasium(context) and any(len(one.targets) == 4 for one in context.unpackings)


@per_file
def takes_four(context: Context) -> bool:
    """Whether the file takes four values of steps, and nowhere five."""
    return {len(one.targets) for one in context.unpackings} & {4, 5} == {4}


def is_beside_four(context: Context, reset: ResetResult) -> bool:
    """Whether the file takes four values of steps of the same environment, and nowhere five."""
    return takes_four(context) and any(one.step.env.made == reset.env.made for one in context.unpackings)


def is_beside_pending_step(context: Context, reset: ResetResult) -> bool:
    """Whether a step of the same environment in the file waits for its class: both change in one pass.

    Else `env.reset()[0]` would be an element of an observation there, as it is in a program for old Gym.
    """
    steps = (one.step for one in context.unpackings)
    return any(one.pending is not None and one.env.made == reset.env.made for one in steps)
