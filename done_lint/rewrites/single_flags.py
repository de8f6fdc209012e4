"""Flags of one environment beside the flags of all: `done = terminated[i] or truncated[i]`, `for done in dones`.

What takes the place of the flag of one environment is that environment's entry of `terminated`, never the whole of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.thread_flag.conversions import bound_before, is_join

#: So many assignments are followed back from a name.
_NEAR = 4


def terminated_for(context: Context, flag: cst.BaseExpression, name: str) -> cst.BaseExpression | None:
    """What of the variable `name` says that the episode terminated of which `flag` says that it ended.

    Args:
        context: of the file.
        flag: the expression that is to be replaced.
        name: of a variable or attribute that is in scope there.

    Returns:
        The variable, or the entry of it that the flag was made of; None where one of the two is of one
        environment, and the other of all of them.
    """
    tree, whole = context.tree, cst.parse_expression(name)
    parts = list(_parts(context, flag, flag))
    entries = [one for one in parts if isinstance(one, cst.Subscript) and tree.source(one.value) == name]
    if entries:
        alike = len({tree.source(one) for one in entries}) == 1
        return entries[0] if alike and _is_unchanged(context, entries[0], flag) else None
    single = any(_is_single(context, one, flag) for one in parts)
    others = _parts(context, whole, flag)
    if single == any(_is_single(context, one, flag) for one in others):
        return whole
    # of a flag that comes from where nothing can be seen, nothing tells that it is not of one environment
    return None if single or len(parts) > 1 else whole


def _parts(
    context: Context, value: cst.BaseExpression, flag: cst.BaseExpression, hops: int = _NEAR
) -> Iterator[cst.BaseExpression]:
    """The flags that an expression joins, and what their names were bound to before `flag` is read."""
    if is_join(value):
        for one in _operands(value):
            yield from _parts(context, one, flag, hops)
        return
    yield value
    if isinstance(value, cst.Name) and hops and not _is_loop_target(context, value, flag):
        for bound in _values(context, value.value, flag):
            yield from _parts(context, bound, flag, hops - 1)


def _operands(join: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(join, (cst.BooleanOperation, cst.BinaryOperation)):
        return [join.left, join.right]
    return [one.value for one in join.args] if isinstance(join, cst.Call) else []


def _values(context: Context, name: str, flag: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What a name was bound to: by the last assignment that always happens before, or else by the last before."""
    if (last := bound_before(context, name, flag)) is not None:
        return [last]
    target = _bound_last(context, name, flag)
    statement = context.tree.parents[context.tree.parents[target]] if target is not None else None
    return [statement.value] if isinstance(statement, cst.Assign) else []


def _bound_last(context: Context, name: str, flag: cst.BaseExpression) -> cst.Name | None:
    """The last binding of a name above `flag`, wherever it stands."""
    tree = context.tree
    bindings = tree.scopes.bindings(tree.scope(flag), name)  # in the order of the file
    earlier = bisect_left(bindings, tree.span(flag), key=tree.span)
    return bindings[earlier - 1] if earlier else None


def _is_single(context: Context, value: cst.BaseExpression, flag: cst.BaseExpression) -> bool:
    """Whether an expression is an entry at an index that varies, or what a loop around `flag` takes out."""
    if isinstance(value, cst.Subscript):
        return any(isinstance(one, cst.Name) for part in value.slice for one in context.tree.descend(part))
    return isinstance(value, cst.Name) and _is_loop_target(context, value, flag)


def _is_loop_target(context: Context, name: cst.Name, flag: cst.BaseExpression) -> bool:
    """Whether a loop or a comprehension around `flag` was the last to bind a name."""
    tree = context.tree
    bound = _bound_last(context, name.value, flag)
    for around in tree.ancestors(flag):
        if isinstance(around, cst.For) and bound is not None and tree.within(bound, around.target):
            return True
        if isinstance(around, cst.BaseComp):
            targets = tree.descend(around.for_in.target)
            if any(isinstance(one, cst.Name) and one.value == name.value for one in targets):
                return True
    return False


def _is_unchanged(context: Context, entry: cst.Subscript, flag: cst.BaseExpression) -> bool:
    """Whether the index of an entry is the same where the flag is read: it is not bound again in between."""
    tree = context.tree
    names = {one.value for part in entry.slice for one in tree.descend(part) if isinstance(one, cst.Name)}
    last = (_bound_last(context, name, flag) for name in names)
    return not any(one is not None and tree.span(entry) < tree.span(one) for one in last)
