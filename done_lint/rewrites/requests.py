"""Code that runs on request alone: behind a test of an option, a parameter or a setting that is off by default."""

from __future__ import annotations

import libcst as cst

from done_lint.facts.facts import Facts
from done_lint.facts.kinds.environments import Requested
from done_lint.syntax.shapes import string_value
from done_lint.syntax.tree import Tree

#: Operators that a value has to be equal for, or has to be not.
_EQUAL = {cst.Equal: True, cst.NotEqual: False, cst.Is: True, cst.IsNot: False}


def is_on_request(tree: Tree, facts: Facts, node: cst.CSTNode) -> bool:
    """Whether a program reaches a place only where it is asked to."""
    below = node
    for one in tree.ancestors(node):
        if isinstance(one, (cst.If, cst.IfExp)) and below is not one.test:
            if _asks(tree, facts, one.test, holds=below is one.body):
                return True
        elif isinstance(one, cst.FunctionDef):
            return tree.span(one).row in facts.requested.functions
        elif isinstance(one, (cst.ClassDef, cst.Try, cst.TryStar)):
            return False  # what is caught there is not seen
        below = one
    return False


def _asks(tree: Tree, facts: Facts, test: cst.BaseExpression, *, holds: bool) -> bool:
    """Whether a test that holds, or that does not, says that something was asked for."""
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return _asks(tree, facts, test.expression, holds=not holds)
    if isinstance(test, cst.BooleanOperation):
        parts = [_asks(tree, facts, one, holds=holds) for one in (test.left, test.right)]
        return any(parts) if isinstance(test.operator, cst.And) is holds else all(parts)
    if isinstance(test, cst.Comparison):
        return _compares(tree, facts, test, holds=holds)
    known = facts.requested.asked.get(tree.span(test))
    return known is not None and Requested.is_request(known, holds)


def _compares(tree: Tree, facts: Facts, test: cst.Comparison, *, holds: bool) -> bool:
    """`directory is not None`, `args.mode == "record"`."""
    known = facts.requested.asked.get(tree.span(test.left))
    if known is None or len(test.comparisons) != 1:
        return False
    equal = _EQUAL.get(type(test.comparisons[0].operator))
    other = test.comparisons[0].comparator
    if equal is None:
        return False
    if isinstance(other, cst.Name) and other.value in ("None", "False", "True"):
        return Requested.is_request(known, (other.value == "True") is (equal is holds))
    text = string_value(other)
    return bool(text) and equal is holds and text not in known
