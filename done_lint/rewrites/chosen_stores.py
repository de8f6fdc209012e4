"""Stores of a flag that the program chooses between: `terminated` in one branch, and with truncation in another one.

What chooses may be an option, one side of which cuts at truncations on purpose; a fix of that side takes it away.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.syntax.tree import Tree

_CHOSEN = "another branch (line {}) puts `{}` in the same place: a test chooses between the two flags"
_LEAVING = (cst.Return, cst.Raise, cst.Continue, cst.Break)


def chosen_store(context: Context, flag: cst.BaseExpression, terminated: str) -> str:
    """Why a branch that stores the other flag in the same way makes a fix of this one no promise; empty: none does."""
    tree = context.tree
    place = _place(tree, flag)
    for node in _other_branches(tree, flag) if place else ():
        for name in tree.descend(node):
            is_flag = isinstance(name, (cst.Name, cst.Attribute)) and tree.source(name) == terminated
            if is_flag and _is_alone(tree, name) and _place(tree, name) == place:
                return _CHOSEN.format(tree.span(name).row, terminated)
    return ""


def _other_branches(tree: Tree, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What is not done where a node is, up to its function: other sides of the branches around it."""
    below = node
    for around in tree.ancestors(node):
        if isinstance(around, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            return
        if isinstance(around, cst.If):
            if below is around.body:
                yield from [around.orelse] if around.orelse is not None else []
                yield from _rest(tree, around) if _leaves(around.body) else ()
            elif below is around.orelse:
                yield around.body
        elif isinstance(around, cst.IfExp):
            yield from [one for one in (around.body, around.orelse) if one is not below and around.test is not below]
        elif isinstance(below, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            before = [one for one in tree.siblings(below) if tree.offsets(one)[0] < tree.offsets(below)[0]]
            yield from (one.body for one in before if isinstance(one, cst.If) and _leaves(one.body))
        below = around


def _rest(tree: Tree, statement: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The statements behind one in its block."""
    return (one for one in tree.siblings(statement) if tree.offsets(one)[0] > tree.offsets(statement)[0])


def _leaves(body: cst.BaseSuite) -> bool:
    """Whether what follows a branch is not done after it."""
    last = body.body[-1] if body.body else None
    last = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    return isinstance(last, _LEAVING)


def _place(tree: Tree, node: cst.CSTNode) -> str:
    """Where the statement around a node puts it: the outermost function that is called, or the base of the target."""
    called = ""
    for around in tree.ancestors(node):
        if isinstance(around, cst.Call):
            called = tree.source(around.func)
        elif isinstance(around, cst.Assign):
            target = around.targets[0].target
            return tree.source(target.value if isinstance(target, cst.Subscript) else target)
        elif isinstance(around, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            return called
    return ""


def _is_alone(tree: Tree, name: cst.CSTNode) -> bool:
    """Whether a flag is joined with nothing where it is put somewhere; a conversion is no other flag."""
    for around in tree.ancestors(name):
        if isinstance(around, (cst.BooleanOperation, cst.BinaryOperation, cst.Comparison, cst.If, cst.Attribute)):
            return False
        if isinstance(around, (cst.BaseElement, cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            return True
        if isinstance(around, cst.Call) and len(around.args) > 1:
            return True
    return False
