"""Values in whose place a zero stands where they do not count: what an episode ends with, unless it terminated."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.knowledge.array_functions import PASSING
from done_lint.rewrites.context import Context
from done_lint.syntax.arguments import keyword
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import only_target

#: Functions that make arrays of zeros.
_ZEROS = frozenset({"zeros", "zeros_like"})
_CHOICE = 3


def is_beside_zero(context: Context, value: cst.BaseExpression) -> bool:
    """Whether a zero stands where a value is not taken: in the same choice, under the same name, in another call.

    `worth if truncated else 0`; `last = worth` and elsewhere `last = 0`; `rows.finish(i, worth)`, `rows.finish(i, 0)`.
    """
    inner: cst.CSTNode = value
    for around in context.tree.ancestors(value):
        if isinstance(around, cst.IfExp) and inner is not around.test:
            return is_zero(around.orelse if inner is around.body else around.body)
        if isinstance(around, cst.Call) and last_name(around.func) == "where" and len(around.args) == _CHOICE:
            others = [one.value for one in around.args[1:] if one is not inner]
            return len(others) == 1 and is_zero(others[0])
        if isinstance(around, cst.Assign):
            return around.value is inner and _is_zero_elsewhere(context, around)
        if isinstance(around, cst.Expr):
            return _is_given_zero_elsewhere(context, value, around)
        if isinstance(around, cst.BaseStatement):
            return False
        inner = around
    return False


def is_zero(node: cst.BaseExpression) -> bool:
    """`0`, `0.0`, `[0]`, `np.zeros(3)`, `torch.tensor(0.0)`."""
    if isinstance(node, (cst.Integer, cst.Float)):
        return node.evaluated_value == 0
    if isinstance(node, (cst.List, cst.Tuple)):
        return len(node.elements) == 1 and is_zero(node.elements[0].value)
    if not isinstance(node, cst.Call):
        return False
    name = last_name(node.func)
    return name in _ZEROS or (name in PASSING and bool(node.args) and is_zero(node.args[0].value))


def _is_zero_elsewhere(context: Context, statement: cst.Assign) -> bool:
    """Whether another statement of the function gives zero to the same name."""
    target = only_target(statement)
    if not isinstance(target, cst.Name):
        return False
    bound = context.tree.scopes.bindings(context.tree.scope(target), target.value)
    others = (context.tree.parents[context.tree.parents[one]] for one in bound if one is not target)
    return any(isinstance(one, cst.Assign) and is_zero(one.value) for one in others)


def _is_given_zero_elsewhere(context: Context, value: cst.BaseExpression, statement: cst.Expr) -> bool:
    """Whether another call of the same method in the function is given zero in the place of a value."""
    tree, call = context.tree, statement.value
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return False
    places = [_place(call, one) for one in call.args if tree.within(value, one)]
    return any(
        _place(other, one) in places and is_zero(one.value)
        for other in _same_calls(context, call)
        for one in other.args
    )


def _same_calls(context: Context, call: cst.Call) -> Iterator[cst.Call]:
    tree, written = context.tree, context.tree.source(call.func)
    for other in tree.inside(cst.Call, tree.scope(call)):
        if other is not call and tree.source(other.func) == written:
            yield other


def _place(call: cst.Call, argument: cst.Arg) -> str | int:
    """The name of an argument, or where it stands."""
    return keyword(argument) or call.args.index(argument)
