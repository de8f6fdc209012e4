"""Flags of an episode's end that are made *terminated* in place: `end[truncated] = False`, in a loop or by a mask."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from done_lint.facts.kinds.flags import Flag
from done_lint.rewrites.context import Context
from done_lint.rewrites.vectors.ended_alone import is_only_where, of_truncations
from done_lint.syntax.shapes import is_name, is_number, only_target


def repaired(context: Context, value: cst.BaseExpression, flag: Flag) -> Flag:
    """The flag at a name, without truncation if that was taken out of its elements above."""
    if not isinstance(value, cst.Name) or not all(one.terminated and one.truncated for one in flag.meanings):
        return flag
    tree, end = context.tree, context.tree.span(value)
    scope = tree.scope(value)
    bound = [one for one in tree.scopes.bindings(scope, value.value) if tree.span(one) < end]
    start = tree.span(bound[-1]) if bound else None
    for read in tree.scopes.reads(scope, value.value):
        if start is not None and start < tree.span(read) < end and _is_cleared(context, read):
            kept = frozenset(one._replace(truncated=False, own_limit=False) for one in flag.meanings)
            return replace(flag, meanings=kept)
    return flag


def _is_cleared(context: Context, read: cst.Name) -> bool:
    """Whether the elements of a name are set to false where episodes were truncated alone."""
    item = context.tree.parents[read]
    row = context.tree.row(read)
    small = row.body[0] if row is not None and len(row.body) == 1 else None
    if not isinstance(small, cst.Assign) or only_target(small) is not item or not isinstance(item, cst.Subscript):
        return False
    cleared = is_name(small.value, "False") or is_number(small.value, "0")
    return item.value is read and cleared and is_only_where(context, small.value, of_truncations)
