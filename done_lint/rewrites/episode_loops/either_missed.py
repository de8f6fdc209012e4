"""Loops that name both flags of a step, and go on at a truncation all the same.

`while not terminated or truncated` is `(not terminated) or truncated`, and `while not (terminated and truncated)` waits
for both.
"""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.episode_loops.loop_ends import exits, loops_around
from done_lint.rewrites.episode_loops.next_resets import never_resets, next_resets
from done_lint.rewrites.joined_flag import joined_flag
from done_lint.rewrites.outcome import Outcome, fixed
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.edits import replaced
from done_lint.syntax.expressions import fitting

_NEXT_EPISODE = "nothing shows where the next episode begins: it may end with its first step"


def going_on(context: Context, unpacking: Unpacking) -> cst.While | None:
    """The `while` around a step that only both flags, or the first alone, can end."""
    loop = next(loops_around(context.tree, unpacking.statement), None)
    if not isinstance(loop, cst.While) or loop.orelse is not None:
        return None
    flags = [one for one in unpacking.targets[2:4] if isinstance(one, cst.Name)]
    if len(flags) != 2 or [one.value for one in flags] not in [
        [name.value for name in names] for names in _named(loop.test)
    ]:
        return None
    if not all(_is_bound_by_step(context, flag, unpacking, loop) for flag in flags):
        return None
    resets = (context.tree.expressions.get(span) for span in context.facts.resets)
    begins = any(one is not None and context.tree.within(one, loop) for one in resets)
    return None if begins or any(exits(context.tree, loop)) else loop


def _named(test: cst.BaseExpression) -> list[list[cst.Name]]:
    """The two names that such a test asks, the one first without which it cannot end; of two such ones, either."""
    if (both := _negated(test)) is not None:
        is_both = isinstance(both, cst.BooleanOperation) and isinstance(both.operator, cst.And)
        return _either(both.left, both.right) if is_both and isinstance(both, cst.BooleanOperation) else []
    if not isinstance(test, cst.BooleanOperation) or not isinstance(test.operator, cst.Or):
        return []
    left, right = _negated(test.left), _negated(test.right)
    if left is not None and right is not None:
        return _either(left, right)
    asked = (left, test.right) if left is not None else (right, test.left)
    return [[one for one in asked if isinstance(one, cst.Name)]]


def _either(one: cst.BaseExpression, other: cst.BaseExpression) -> list[list[cst.Name]]:
    names = [part for part in (one, other) if isinstance(part, cst.Name)]
    return [names, names[::-1]]


def _negated(test: cst.BaseExpression) -> cst.BaseExpression | None:
    """`flag` of `not flag`."""
    return test.expression if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not) else None


def _is_bound_by_step(context: Context, flag: cst.Name, unpacking: Unpacking, loop: cst.While) -> bool:
    """Whether nothing else in the loop binds the name of a flag."""
    bindings = context.tree.scopes.bindings(unpacking.scope, flag.value)
    return all(one is flag for one in bindings if context.tree.within(one, loop))


def end_at_either(context: Context, unpacking: Unpacking, loop: cst.While) -> Outcome:
    """End the loop on either flag."""
    terminated, truncated = unpacking.targets[2:4]
    either = joined_flag(terminated, truncated, array=unpacking.step.array is True)
    running = cst.UnaryOperation(cst.Not(), fitting(context.tree, loop.test, either, bare_in=()))
    resets = next_resets(context, unpacking, loop)
    unsure = _NEXT_EPISODE if resets is None or never_resets(context, unpacking, loop) else ""
    edits = replaced(context.tree, loop.test, running.with_changes(lpar=loop.test.lpar, rpar=loop.test.rpar))
    return fixed("end the loop on either flag", edits, unsure=unsure)
