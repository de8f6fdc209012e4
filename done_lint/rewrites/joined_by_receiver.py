"""Files in which whoever gets the rows of workers joins their two flags at once: no value is asked for at any end."""

from __future__ import annotations

import libcst as cst

from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree

_JOINING = frozenset({"zip", "logical_or", "maximum", "bitwise_or"})


def flags_are_joined(tree: Tree) -> bool:
    """Whether `obs, rewards, terms, truncs, infos = zip(*rows)` is all that takes rows apart, and joins the flags."""
    found = [one for one in map(_columns, tree.of_type(cst.Assign)) if one is not None]
    return bool(found) and all(_joins(tree, one) for one in found)


def _columns(statement: cst.Assign) -> cst.Tuple | None:
    """The targets of the five columns of rows."""
    call, target = statement.value, statement.targets[0].target
    if not isinstance(call, cst.Call) or not is_name(call.func, "zip") or not any(one.star for one in call.args):
        return None
    return target if isinstance(target, cst.Tuple) and len(target.elements) == 5 else None


def _joins(tree: Tree, columns: cst.Tuple) -> bool:
    """Whether each read of a flag stands in an expression that joins it with the other one."""
    flags = [one.value.value for one in columns.elements[2:4] if isinstance(one.value, cst.Name)]
    scope = tree.scope(columns)
    reads = [one for name in flags for one in tree.scopes.reads(scope, name)]
    return len(flags) == 2 and bool(reads) and all(_is_joined(tree, one, set(flags)) for one in reads)


def _is_joined(tree: Tree, read: cst.Name, flags: set[str]) -> bool:
    for around in tree.ancestors(read):
        if isinstance(around, (cst.BaseStatement, cst.BaseSmallStatement)):
            return False
        if not flags <= {one.value for one in tree.inside(cst.Name, around)}:
            continue
        name = around.func if isinstance(around, cst.Call) else None
        called = (
            name.attr.value if isinstance(name, cst.Attribute) else name.value if isinstance(name, cst.Name) else ""
        )
        return isinstance(around, (cst.BooleanOperation, cst.BinaryOperation)) or called in _JOINING
    return False
