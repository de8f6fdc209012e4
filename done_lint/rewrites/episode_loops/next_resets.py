"""The resets for the next episode, and what they hang on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

import libcst as cst

from done_lint.core.text import one_line
from done_lint.rewrites.context import Context
from done_lint.rewrites.episode_loops.loop_ends import Loop, guards, is_end, loops_around
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.tree import Tree


def resetting(context: Context, unpacking: Unpacking, around: Sequence[Loop]) -> list[cst.BaseExpression]:
    """The tests of the flag that stand around every reset in these loops; none where another one decides."""
    found: list[cst.BaseExpression] = []
    rows = context.tree.span(around[-1])
    for span in context.facts.resets:
        if not rows.row <= span.row <= rows.end_row:
            continue
        call = context.tree.expressions.get(span)
        if call is None or not context.tree.within(call, around[0]):
            return []
        tests = [one for one in guards(context.tree, call, around[0]) if is_end(context, one, unpacking, around[0])]
        if not tests:
            return []
        found.append(tests[0])
    return list(dict.fromkeys(found))


def never_resets(context: Context, unpacking: Unpacking, loop: Loop) -> bool:
    """Whether every reset in sight stands before the loop over the episodes: each begins where the last one ended.

    Behind its limit an environment truncates every step, so that all further episodes would have one step.
    """
    around = list(loops_around(context.tree, loop))[-1:]
    resets = list(_resets_of(context, unpacking))
    return bool(around and resets) and not any(context.tree.within(call, around[0]) for call in resets)


def next_resets(context: Context, unpacking: Unpacking, loop: Loop) -> list[cst.BaseExpression] | None:
    """The tests of the flag inside the loop that the next round's reset hangs on; None where it is another test.

    None are needed where each round begins with a reset of its own, or where no reset is in sight.
    """
    outer = next(loops_around(context.tree, loop), None)
    found: list[cst.BaseExpression] = []
    hangs_on_another = False
    for call in _resets_of(context, unpacking):
        if context.tree.within(call, loop):
            tests = [one for one in guards(context.tree, call, loop) if is_end(context, one, unpacking, loop)]
            found += tests[:1]
            hangs_on_another |= not tests
        elif outer is None or context.tree.within(call, outer):
            if not _is_conditional(context.tree, call, loop):
                return []
            hangs_on_another = True
    return None if hangs_on_another else list(dict.fromkeys(found))


def _resets_of(context: Context, unpacking: Unpacking) -> Iterator[cst.BaseExpression]:
    """The calls of `reset` on what is stepped, in the same function."""
    step = unpacking.value
    if not isinstance(step, cst.Call) or not isinstance(step.func, cst.Attribute):
        return
    env = one_line(context.tree.source(step.func.value))
    for span in context.facts.resets:
        call = context.tree.expressions.get(span)
        if not isinstance(call, cst.Call) or context.tree.scope(call) is not unpacking.scope:
            continue
        if isinstance(call.func, cst.Attribute) and one_line(context.tree.source(call.func.value)) == env:
            yield call


def _is_conditional(tree: Tree, node: cst.CSTNode, loop: Loop) -> bool:
    """Whether the loop may be reached without this: it stands in a branch that has no other one, and not the loop.

    `if __name__ == "__main__":` is around both.
    """
    apart = takewhile(lambda one: not tree.within(loop, one), tree.ancestors(node))
    return any(isinstance(one, cst.If) and one.orelse is None for one in apart)
