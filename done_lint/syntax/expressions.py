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


def is_tight(statement: cst.Assign) -> bool:
    """Whether an assignment is written without spaces: `obs=env.reset()`."""
    equals = statement.targets[-1]
    return not equals.whitespace_before_equal.value and not equals.whitespace_after_equal.value


def spaced_like(statement: cst.Assign, other: cst.Assign) -> cst.Assign:
    """An assignment to one target, with or without spaces as another one is written."""
    if not is_tight(other):
        return statement
    none = cst.SimpleWhitespace("")
    (target,) = statement.targets
    return statement.with_changes(
        targets=[target.with_changes(whitespace_before_equal=none, whitespace_after_equal=none)]
    )
