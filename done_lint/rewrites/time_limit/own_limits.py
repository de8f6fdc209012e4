"""An environment's own limit of steps: which comparison of a count is one, and which is a part of the task."""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.classes import OwnLimit
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import class_of, method_around, own_name
from done_lint.rewrites.env_methods import method as method_named
from done_lint.rewrites.time_limit.bound_values import single_value
from done_lint.rewrites.time_limit.data_ends import is_end_of_data
from done_lint.rewrites.time_limit.decided_ends import is_decided
from done_lint.rewrites.time_limit.finite_horizon import is_guard, is_horizon, is_move, is_observed, is_paid
from done_lint.rewrites.time_limit.full_boards import is_full
from done_lint.syntax.shapes import is_number


def is_of_task(context: Context, node: cst.Comparison, method: cst.FunctionDef, limit: OwnLimit) -> bool:
    """Whether the end at a limit is one of the task itself: nothing is left to be done there, or it is seen coming."""
    tree, counter = context.tree, limit.counter
    if is_guard(tree, node, method, counter) or is_full(tree, node, method, counter):
        return True
    if is_move(tree, node, method) or is_horizon(tree, node, method, counter, limit.both):
        return True
    if is_decided(tree, node, method, counter) or is_end_of_data(tree, node, method, counter):
        return True
    body = class_of(context, method)
    step = method_named(body, "step") if body is not None else None
    if step is None or step is method:
        return False
    return is_observed(tree, node, step, counter) or is_paid(tree, node, method, step)


def says_limit(context: Context, test: cst.BaseExpression) -> bool | None:
    """Whether a test is only true at the limit of a wrapper's steps; None: it may be, for it asks for a count of them.

    `self.steps >= self.limit`, with more behind `and`, or a name for it.
    """
    method = method_around(context, test)
    if method is None:
        return False
    if isinstance(test, cst.Name):
        value = single_value(context.tree, test)
        return says_limit(context, value) if value is not None and not isinstance(value, cst.Name) else False
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        sides = [says_limit(context, one) for one in (test.left, test.right)]
        return True if True in sides else None if None in sides else False
    if not isinstance(test, cst.Comparison):
        return False
    limit = context.facts.limits.get(context.tree.span(test))
    if limit is not None and not is_of_task(context, test, method, limit):
        return True
    return None if limit is None and _asks_for_count(context, test, method) else False


def _asks_for_count(context: Context, test: cst.Comparison, method: cst.FunctionDef) -> bool:
    """Whether a comparison asks for an attribute to which each run of the method adds one, or takes one away."""
    asked = {context.tree.source(one) for one in context.tree.descend(test) if isinstance(one, cst.Attribute)}
    rows = (one for row in method.body.body if isinstance(row, cst.SimpleStatementLine) for one in row.body)
    counts = (one for one in rows if isinstance(one, cst.AugAssign) and is_number(one.value, "1"))
    own = f"{own_name(method)}."
    return any((text := context.tree.source(one.target)) in asked and text.startswith(own) for one in counts)
