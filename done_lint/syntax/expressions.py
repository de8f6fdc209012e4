"""New expressions: parentheses, tuples, assignments."""

from __future__ import annotations

import libcst as cst

from done_lint.syntax.tree import Tree

_COMPOUND = (cst.BooleanOperation, cst.BinaryOperation, cst.UnaryOperation, cst.IfExp)


def parenthesized(node: cst.BaseExpression) -> cst.BaseExpression:
    """The expression in parentheses; those that it has are enough."""
    return node if node.lpar else node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def fitting(
    tree: Tree, old: cst.BaseExpression, new: cst.BaseExpression, bare_in: tuple[type[cst.CSTNode], ...]
) -> cst.BaseExpression:
    """`new` for the place of `old`: an operator gets parentheses there, unless the parent is one of `bare_in`."""
    compound = isinstance(new, _COMPOUND)
    return parenthesized(new) if compound and not isinstance(tree.parents[old], bare_in) else new


def bare_tuple(*values: cst.BaseExpression) -> cst.Tuple:
    """`a, b` without parentheses."""
    return cst.Tuple([cst.Element(value) for value in values], lpar=(), rpar=())


def assignment(target: cst.BaseAssignTargetExpression, value: cst.BaseExpression) -> cst.Assign:
    """`target = value`."""
    return cst.Assign([cst.AssignTarget(target)], value)
