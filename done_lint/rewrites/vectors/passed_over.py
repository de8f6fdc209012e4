"""Steps that only reset, where the code knows of them.

`if ended: obs, *_ = envs.step(actions)` behind the row of an episode's end passes over the reset that takes a step: it
becomes no row. `mask = infos["reset_mask"]` says which environments only reset, for whoever takes the rows.
"""

from __future__ import annotations

import re

import libcst as cst

from done_lint.facts.kinds.rows import Row
from done_lint.rewrites.context import Context
from done_lint.syntax.shapes import method_called, only_index, string_value


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


#: A key that says of a reset, by one of its words.
_OF_RESETS = re.compile(r"(?:^|[\W_])(?:auto_?)?resets?(?:[\W_]|$)", re.IGNORECASE)


def marks_resets(context: Context, row: Row) -> bool:
    """Whether the function that takes the step of a row reads from its infos which environments were reset."""
    place = (row.step.path, row.step.span)
    steps = [one for one in context.unpackings if (one.step.origin.path, one.step.origin.span) == place]
    return any(
        _OF_RESETS.search(_key_read(context, read)) is not None
        for step in steps
        if isinstance(infos := step.targets[-1], cst.Name)
        for read in context.tree.scopes.reads(step.scope, infos.value)
    )


def _key_read(context: Context, read: cst.Name) -> str:
    """`reset_mask` of `infos["reset_mask"]` and `infos.get("reset_mask")`, where that is kept or given to something."""
    tree = context.tree
    around = tree.parents[read]
    found: cst.CSTNode = around
    if isinstance(around, cst.Subscript) and around.value is read:
        key = only_index(around)
    else:
        call = tree.parents[around]
        if method_called(call) != "get" or not isinstance(call, cst.Call) or not call.args or call.func is not around:
            return ""
        found, key = call, call.args[0].value
    return "" if isinstance(tree.parents[found], cst.AssignTarget) else string_value(key)
