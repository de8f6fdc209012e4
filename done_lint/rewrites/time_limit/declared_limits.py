"""Ends of an episode that a class calls truncations itself, in its info: `info["TimeLimit.truncated"] = True`.

Who trained on such a class asked for that key, as old Gym's `TimeLimit` set it. Of five values a flag says it.
"""

from __future__ import annotations

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.returns import OldReturn
from done_lint.rewrites.time_limit.info_key import KEY
from done_lint.rewrites.tuple_targets import Pair
from done_lint.syntax.edits import added_before
from done_lint.syntax.expressions import assignment, parenthesized
from done_lint.syntax.shapes import is_name, is_place
from done_lint.syntax.tree import Tree

#: What may do something, and what reads a place that this may change.
_CALLING = (cst.Call, cst.Await, cst.Yield, cst.NamedExpr, cst.BaseComp, cst.Lambda)
_LOOKING = (cst.Attribute, cst.Subscript)


def declared_flags(context: Context, old: OldReturn, truncated: str) -> tuple[Pair, tuple[Edit, ...]] | None:
    """The two flags by what the info says, and the line before the return that asks it.

    Args:
        context: the file.
        old: what is returned.
        truncated: a free name for what the info says.

    Returns:
        None where the flag or the info is written out and must not be computed twice, or nothing can stand before it.
    """
    tree, flag, info = context.tree, old.flag, old.info
    always = is_name(flag, "True")
    if old.owner.api.vector or not is_place(info) or not all(_may_be_repeated(tree, old, one) for one in (flag, info)):
        return None
    statement = tree.parents[old.node]
    row = tree.parents[statement]
    if not isinstance(statement, cst.Return) or not isinstance(row, cst.SimpleStatementLine) or len(row.body) > 1:
        return None
    key, default = cst.Arg(cst.SimpleString(f'"{KEY}"')), cst.Arg(cst.Name("False"))
    asked: cst.BaseExpression = cst.Call(cst.Attribute(info, cst.Name("get")), [key, default])
    name = cst.Name(truncated)
    terminated: cst.BaseExpression = cst.UnaryOperation(cst.Not(), name)
    if not always:
        flag = parenthesized(flag) if isinstance(flag, (cst.BooleanOperation, cst.IfExp)) and not flag.lpar else flag
        asked = cst.BooleanOperation(flag, cst.And(), asked)
        terminated = cst.BooleanOperation(flag, cst.And(), terminated)
    return (terminated, name), added_before(tree, statement, assignment(name, asked))


def is_declared(old: OldReturn) -> bool:
    """Whether the info may say of this end that it is a truncation; `False` is no end."""
    return old.limit_declared and not is_name(old.flag, "False")


def _may_be_repeated(tree: Tree, old: OldReturn, value: cst.BaseExpression) -> bool:
    """Whether a value is the same when it is computed first and once more: no call can change it."""
    called = any(isinstance(one, _CALLING) for one in tree.descend(old.node))
    changing = (*_CALLING, *_LOOKING) if called else _CALLING
    return not any(isinstance(one, changing) for one in tree.descend(value))
