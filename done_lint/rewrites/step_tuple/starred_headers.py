"""A star in the header of a loop over results of steps: `for *_, done, _ in played(env):`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import libcst as cst

from done_lint.facts.kinds.results import StepResult
from done_lint.rewrites.context import Context
from done_lint.rewrites.outcome import Outcome, unfixed
from done_lint.rewrites.step_tuple.slot_reads import names_new_flag
from done_lint.rewrites.step_tuple.unpacking import gives_five

#: How five values are taken in a header; the number is the place of the old flag among its targets.
Change = Callable[[cst.Tuple | cst.List, StepResult, int], Outcome]


@dataclass(frozen=True)
class Starred:
    """A target that takes other values than it did of four."""

    target: cst.BaseExpression
    step: StepResult
    message: str
    outcome: Outcome


def starred_targets(context: Context, target: cst.BaseExpression, change: Change) -> Iterator[Starred]:
    """The targets with a star in a header that take other values now, in a program for old Gym."""
    if not isinstance(target, (cst.Tuple, cst.List)):
        return
    for one in target.elements:
        # `for t, (*_, done, info) in enumerate(rows):`
        yield from starred_targets(context, one.value, change)
    step = context.facts.steps.get(context.tree.span(target))
    stars = [place for place, one in enumerate(target.elements) if isinstance(one, cst.StarredElement)]
    if step is not None and gives_five(step) and step.is_old and stars:
        found = _starred(context, target, step, stars[0], change)
        if found is not None:
            yield found


def _starred(
    context: Context, target: cst.Tuple | cst.List, step: StepResult, before: int, change: Change
) -> Starred | None:
    targets = [one.value for one in target.elements]
    after, star = len(targets) - before - 1, targets[before]
    slot = flag_slot(before, after, old=True)
    rest = context.tree.source(star)
    longer = unfixed(f"everything that reads `{rest}` would have to change")
    if before + after > 4:
        return None
    if slot is None:
        message = f"`*{rest}` holds one value more than in old Gym: there are two flags now"
        return Starred(target, step, message, longer) if _is_named(star) and before + after < 4 else None
    moved = targets[slot : slot + 1] if before else targets[1 : slot + 1]
    if names_new_flag(context.tree.source(targets[slot])) or not any(map(_is_named, moved)):
        return None
    what = "`terminated`" if before > 2 else "`truncated`"
    message = f"`{context.tree.source(targets[slot])}` is {what} alone: episodes that end in the other way are missed"
    outcome = longer if slot == before - 1 and _is_named(star) else change(target, step, slot)
    return Starred(target, step, message, outcome)


def flag_slot(before: int, after: int, *, old: bool) -> int | None:
    """Which target takes the old `done`, of so many around a star; none where it takes it in, or they are of five.

    `old`: the program is written for old Gym.
    """
    if before == 3:
        return 2
    if (after == 2 and before < 3) or (after == 3 and not before and old):
        return before + after - 1
    return None


def _is_named(target: cst.BaseExpression) -> bool:
    """Whether a target is more than a placeholder."""
    return not isinstance(target, cst.Name) or bool(target.value.strip("_"))
