"""Steps that only reset and are taken by themselves: nothing of them becomes a row.

`if ended: obs, *_ = envs.step(actions)` behind the row of an episode's end passes over the reset that takes a step.
"""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.rows import Row
from done_lint.rewrites.context import Context
from done_lint.syntax.shapes import method_called


def passes_over_resets(context: Context, row: Row) -> bool:
    """Whether the loop that steps takes another step where an episode ended, of which nothing is kept."""
    tree = context.tree
    step = tree.expressions.get(row.step.span) if row.step.path == context.path else None
    if not isinstance(step, cst.Call) or not isinstance(step.func, cst.Attribute):
        return False
    loop = next((one for one in tree.ancestors(step) if isinstance(one, (cst.For, cst.While, cst.FunctionDef))), None)
    if not isinstance(loop, (cst.For, cst.While)):
        return False
    kept = {one.step.span for one in context.facts.rows if one.step.path == context.path}
    stepped = tree.source(step.func.value)
    branches = (one for one in loop.body.body if isinstance(one, cst.If) and tree.span(one) > tree.span(step))
    return any(
        method_called(call) == "step"
        and isinstance(call.func, cst.Attribute)
        and tree.source(call.func.value) == stepped
        and tree.span(call) not in kept
        for branch in branches
        if _asks_for_ends(context, branch.test)
        for call in tree.inside(cst.Call, branch.body)
    )


def _asks_for_ends(context: Context, test: cst.BaseExpression) -> bool:
    return any(context.tree.span(one) in context.facts.flags for one in (test, *context.tree.descend(test)))
