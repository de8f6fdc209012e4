"""Where a flag that is stored or multiplied was converted: `mask = 0.0 if done else 1.0`, `done = float(done)`.

`terminated` must go through the same conversion: put in the place of a mask it would mean the opposite, and
in the place of a float it would be of another type.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.syntax.dotted import last_name

#: Functions that join flags.
_JOINING = frozenset({"logical_or", "bitwise_or"})


class Converted(NamedTuple):
    """An expression computed from a flag, and the flag inside it that contains truncation."""

    whole: cst.BaseExpression
    flag: cst.BaseExpression
    #: The name that is bound to the whole is read at one place only: where it was asked for.
    once: bool


def conversion(context: Context, flag: cst.BaseExpression) -> Converted | None:
    """What the name was bound to, if that is more than another name of the joined flag."""
    if not isinstance(flag, cst.Name) or (value := bound_before(context, flag.value, flag)) is None:
        return None
    inner = joined_flags(context, value)
    if inner == [value]:
        inner = [_without_methods(value)]
    if len(inner) != 1 or _is_joined(context, inner[0], value):
        return None
    scopes, scope = context.tree.scopes, context.tree.scope(flag)
    # `done = float(done)`: the read inside is of the name's value before.
    others = {*scopes.reads(scope, flag.value)} - {flag, inner[0]}
    return Converted(value, inner[0], once=not others)


def is_retyped(context: Context, flag: cst.BaseExpression) -> bool:
    """Whether a name was bound to what a call made of flags: it may be of another type than they are."""
    value = bound_before(context, flag.value, flag) if isinstance(flag, cst.Name) else None
    return isinstance(value, cst.Call) and not is_join(value)


def _without_methods(value: cst.BaseExpression) -> cst.BaseExpression:
    """`a | b` of `(a | b).float()`; the value itself where no method is called on such a join."""
    inner = value
    while isinstance(inner, cst.Call) and isinstance(inner.func, cst.Attribute) and not is_join(inner):
        inner = inner.func.value
    return inner if is_join(inner) else value


def is_join(node: cst.CSTNode) -> bool:
    """`a or b`, `a | b`, `np.logical_or(a, b)`."""
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, cst.BitOr)
    joined = isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or)
    return joined or (isinstance(node, cst.Call) and last_name(node.func) in _JOINING)


def is_mask(context: Context, flag: cst.BaseExpression) -> bool:
    """Whether the expression is 1 where the episode goes on."""
    fact = context.facts.flags.get(context.tree.span(flag))
    return fact is not None and any(meaning.keep for meaning in fact.meanings)


def made_of_flag_alone(context: Context, converted: Converted) -> bool:
    """Whether nothing but the flag and functions stands in the expression, so that it can stand elsewhere too."""
    tree = context.tree
    return all(
        tree.within(node, converted.flag) or any(_is_function(context, one) for one in (node, *tree.ancestors(node)))
        for node in tree.descend(converted.whole)
        if isinstance(node, cst.Name)
    )


def _is_function(context: Context, node: cst.CSTNode) -> bool:
    """What is called in `float(done)` and `np.float32(done)`."""
    parent = context.tree.parents.get(node)
    return isinstance(parent, cst.Call) and parent.func is node and isinstance(node, (cst.Name, cst.Attribute))


def _is_joined(context: Context, flag: cst.BaseExpression, whole: cst.BaseExpression) -> bool:
    """Whether the whole is the flag itself, or joins it with an end of the loop's own (`done or steps > 500`)."""
    between = [node for node in context.tree.ancestors(flag) if context.tree.within(node, whole)]
    return flag is whole or any(
        isinstance(node, cst.BooleanOperation)
        or (isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.BitOr, cst.BitAnd)))
        for node in between
    )


def bound_before(context: Context, name: str, flag: cst.BaseExpression) -> cst.BaseExpression | None:
    """The value of the last assignment to a name, where that always happens before the flag is read."""
    tree = context.tree
    bindings = tree.scopes.bindings(tree.scope(flag), name)  # in the order of the file
    earlier = bisect_left(bindings, tree.span(flag), key=tree.span)
    statement = tree.parents.get(tree.parents[bindings[earlier - 1]]) if earlier else None
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    row = tree.row(statement)
    block = tree.parents.get(row) if row is not None else None
    return statement.value if block is not None and tree.within(flag, block) else None


def joined_flags(context: Context, value: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The smallest expressions inside that hold termination and truncation in one flag."""
    found: list[cst.BaseExpression] = []
    for node in context.tree.descend(value):
        if not isinstance(node, cst.BaseExpression):
            continue
        fact = context.facts.flags.get(context.tree.span(node))
        if fact is None or not fact.truncation or is_mask(context, node):
            continue
        # The walk goes downwards: a flag inside takes the place of the one around it.
        found = [one for one in found if not context.tree.within(node, one)]
        found.append(node)
    return found
