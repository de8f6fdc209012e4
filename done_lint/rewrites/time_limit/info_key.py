"""Reads of keys of an info: `info["TimeLimit.truncated"]`, which old Gym's time limit set and Gymnasium's does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import libcst as cst

from done_lint.facts.kinds.results import Info
from done_lint.rewrites.context import Context, per_file
from done_lint.syntax.expressions import fitting
from done_lint.syntax.shapes import is_negation, only_index, string_value

KEY = "TimeLimit.truncated"


@dataclass(frozen=True)
class Read:
    """One read of a key: `info[KEY]`, `info.get(KEY)` or `KEY in info`."""

    node: cst.BaseExpression
    #: What the whole expression says: that the key has a value, or that it is there at all.
    kind: Literal["value", "present", "absent"]
    info: cst.BaseExpression
    fact: Info


@per_file
def time_limit_reads(context: Context) -> Sequence[Read]:
    """Every read of the key from the info of a step that returns five values, in the order of the source.

    Where the program may set the key itself, the read is right.
    """
    return [read for read in reads_of(context, KEY) if not read.fact.limit_may_be_set]


@per_file
def own_limit_reads(context: Context) -> Sequence[Read]:
    """Those of an info in which the program may set the key itself: of a limit inside they say nothing any more."""
    return [read for read in reads_of(context, KEY) if read.fact.limit_may_be_set]


def reads_of(context: Context, key: str) -> Sequence[Read]:
    """Every read of a key from the info of a step that returns five values, in the order of the source."""
    if key not in context.tree.text:
        return ()
    tree = context.tree
    found = [
        read
        for span, fact in context.facts.infos.items()
        if fact.env.api.five and not fact.may_be_of_four and (node := tree.expressions.get(span)) is not None
        for read in [_read(context, node, fact, key)]
        if read is not None
    ]
    return sorted(found, key=lambda read: tree.span(read.node))


def key_of(read: Read) -> cst.BaseExpression:
    """The text that names the key."""
    if isinstance(read.node, cst.Call):
        return read.node.args[0].value
    if isinstance(read.node, cst.Comparison):
        return read.node.left
    assert isinstance(read.node, cst.Subscript)
    found = only_index(read.node)
    assert found is not None
    return found


def replacement(
    read: Read, context: Context, names: tuple[cst.BaseExpression, cst.BaseExpression], done: str, array: bool
) -> tuple[cst.BaseExpression, cst.BaseExpression]:
    """The expression to replace, and what stands there instead.

    In old Gym the key says "the limit was reached, and the environment had not terminated":
    `done and not info.get(KEY, False)` is exactly *terminated*.
    """
    terminated, truncated = names
    outer = _narrowed(read, context, done)
    if outer is not None:
        return outer, _fitting(context, outer, terminated)
    if read.kind == "present":
        return read.node, _fitting(context, read.node, truncated)
    if read.kind == "absent":
        return read.node, _fitting(context, read.node, _not(truncated, array))
    both: cst.BaseExpression
    if array:
        both = cst.BinaryOperation(truncated, cst.BitAnd(), _not(terminated, array))
    else:
        both = cst.BooleanOperation(truncated, cst.And(), _not(terminated, array))
    return read.node, _fitting(context, read.node, both)


def _read(context: Context, info: cst.BaseExpression, fact: Info, key: str) -> Read | None:
    """The read of the key that this info expression takes part in."""
    parents = context.tree.parents
    parent = parents.get(info)
    if isinstance(parent, cst.Attribute) and parent.value is info:
        call = parents[parent]
        if not isinstance(call, cst.Call) or call.func is not parent:
            return None
        if parent.attr.value == "get" and call.args and string_value(call.args[0].value) == key:
            return Read(call, "value", info, fact)
        if parent.attr.value == "keys":
            return _membership(context, call, info, fact, key)
        return None
    if isinstance(parent, cst.Subscript) and parent.value is info:
        stored = isinstance(parents[parent], (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.Del))
        asks = string_value(only_index(parent)) == key and not stored
        return Read(parent, "value", info, fact) if asks else None
    return _membership(context, info, info, fact, key)


def _membership(
    context: Context, node: cst.BaseExpression, info: cst.BaseExpression, fact: Info, key: str
) -> Read | None:
    """`key in node`, or `key not in node`."""
    target = context.tree.parents.get(node)
    comparison = context.tree.parents.get(target) if isinstance(target, cst.ComparisonTarget) else None
    if not isinstance(comparison, cst.Comparison) or len(comparison.comparisons) != 1:
        return None
    if string_value(comparison.left) != key:
        return None
    operator = comparison.comparisons[0].operator
    if isinstance(operator, cst.In):
        return Read(comparison, "present", info, fact)
    if isinstance(operator, cst.NotIn):
        return Read(comparison, "absent", info, fact)
    return None


def flag_beside(read: Read, context: Context, done: str) -> cst.BaseExpression | None:
    """The flag of `done and not <read>` and of `not done or <read>`: what *terminated* says as well, whoever set it."""
    tree = context.tree
    whole: cst.CSTNode | None = _narrowed(read, context, done)
    if isinstance(whole, cst.BooleanOperation):
        return whole.right if tree.within(read.node, whole.left) else whole.left
    whole = tree.parents[read.node]
    if read.kind == "absent" or not isinstance(whole, cst.BooleanOperation) or not isinstance(whole.operator, cst.Or):
        return None
    other = whole.left if whole.right is read.node else whole.right
    if isinstance(other, cst.UnaryOperation) and isinstance(other.operator, cst.Not):
        return other.expression if tree.source(other.expression) == done else None
    return None


def _narrowed(read: Read, context: Context, done: str) -> cst.BaseExpression | None:
    """The whole of `done and not <read>`, either way round."""
    negated: cst.CSTNode = read.node
    if read.kind != "absent":
        negated = context.tree.parents[read.node]
        if not is_negation(negated):
            return None
    whole = context.tree.parents[negated]
    if not isinstance(whole, cst.BooleanOperation) or not isinstance(whole.operator, cst.And):
        return None
    other = whole.left if whole.right is negated else whole.right
    flag = context.facts.flags.get(context.tree.span(other))
    is_done = context.tree.source(other) == done if done else False
    if is_done or (flag is not None and flag.truncation and not any(meaning.keep for meaning in flag.meanings)):
        return whole
    return None


def _not(flag: cst.BaseExpression, array: bool) -> cst.BaseExpression:
    """The flag negated."""
    return cst.UnaryOperation(cst.BitInvert() if array else cst.Not(), flag)


#: Where an operator needs no parentheses around it.
_BARE_IN = (
    cst.Assign,
    cst.AnnAssign,
    cst.Arg,
    cst.Return,
    cst.Expr,
    cst.If,
    cst.While,
    cst.Assert,
    cst.Index,
    cst.Element,
    cst.DictElement,
    cst.FormattedStringExpression,
)


def _fitting(context: Context, old: cst.BaseExpression, new: cst.BaseExpression) -> cst.BaseExpression:
    """The new expression, in parentheses where it takes the place of one that binds tighter."""
    # `not x` may stand as an operand of `and` and `or` as it is.
    if isinstance(new, cst.UnaryOperation) and isinstance(context.tree.parents[old], cst.BooleanOperation):
        return new
    return fitting(context.tree, old, new, bare_in=_BARE_IN)
