"""Steps that come directly after a reset, which never are the ones that only reset."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.facts import Row
from done_lint.rewrites.context import Context, per_file
from done_lint.syntax.shapes import method_called
from done_lint.syntax.tree import Tree


def follows_reset(context: Context, row: Row) -> bool:
    """Whether the step of a row is the first one after a reset, each time that it is taken."""
    return row.step.path == context.path and row.step.span in _first_steps(context)


@per_file
def _first_steps(context: Context) -> frozenset[Span]:
    """The steps before which the same function resets the same environment, and nothing steps in between."""
    tree, found = context.tree, set[Span]()
    for calls in _by_scope(context).values():
        before: cst.Call | None = None
        for span, call in sorted(calls.items()):
            if before is not None and _resets_for(tree, before, call):
                found.add(span)
            before = call
    return frozenset(found)


def _by_scope(context: Context) -> Mapping[cst.CSTNode, Mapping[Span, cst.Call]]:
    """The calls that step or reset an environment, by their function."""
    found: dict[cst.CSTNode, dict[Span, cst.Call]] = {}
    for span in (*context.facts.steps, *context.facts.resets):
        call = context.tree.expressions.get(span)
        if isinstance(call, cst.Call) and method_called(call):
            found.setdefault(context.tree.scope(call), {})[span] = call
    return found


def _resets_for(tree: Tree, reset: cst.Call, step: cst.Call) -> bool:
    """Whether the first call resets what the second steps, in the same round of the same loop."""
    if method_called(reset) != "reset" or not isinstance(reset.func, cst.Attribute):
        return False
    if not isinstance(step.func, cst.Attribute) or tree.source(reset.func.value) != tree.source(step.func.value):
        return False
    loop = _loop(tree, step)
    statement = tree.row(reset)
    return loop is _loop(tree, reset) and statement is not None and tree.within(step, tree.parents[statement])


def _loop(tree: Tree, node: cst.CSTNode) -> cst.CSTNode | None:
    """The innermost loop of its function around a node."""
    scope = tree.scope(node)
    for one in tree.ancestors(node):
        if one is scope:
            break
        if isinstance(one, (cst.For, cst.While, cst.CompFor)):
            return one
    return None
