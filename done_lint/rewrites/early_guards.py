"""What holds behind a statement that leaves where an object lacks an attribute: `if not hasattr(env, "x"): return`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.syntax.shapes import is_name, is_negation, is_same, string_value
from done_lint.syntax.tree import Tree

_LEAVING = (cst.Return, cst.Raise, cst.Continue, cst.Break)


def is_past_guard(tree: Tree, node: cst.CSTNode, receiver: cst.BaseExpression | None, name: str) -> bool:
    """Whether what a node reads of an object, an attribute of this name, is known to be there by a statement above."""
    if receiver is None:
        return False
    below = node
    for ancestor in tree.ancestors(node):
        if isinstance(ancestor, (cst.IndentedBlock, cst.Module)):
            for line in ancestor.body:
                if line is below:
                    break
                if any(_asks(one, receiver, name) for one in _needed(line)):
                    return True
        if isinstance(ancestor, cst.FunctionDef):
            return False
        below = ancestor
    return False


def _needed(line: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """What has to be true for what stands behind a statement to run."""
    if isinstance(line, cst.If) and line.orelse is None and _leaves(line.body):
        yield from _with(line.test, holds=False)
    elif isinstance(line, cst.SimpleStatementLine):
        for one in line.body:
            if isinstance(one, cst.Assert):
                yield from _with(one.test, holds=True)


def _with(test: cst.BaseExpression, *, holds: bool) -> Iterator[cst.BaseExpression]:
    """The tests that are true for certain where a test holds, or where it does not."""
    if isinstance(test, cst.UnaryOperation) and is_negation(test):
        yield from _with(test.expression, holds=not holds)
    elif isinstance(test, cst.BooleanOperation):
        if isinstance(test.operator, cst.And if holds else cst.Or):
            yield from _with(test.left, holds=holds)
            yield from _with(test.right, holds=holds)
    elif isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        (compared,) = test.comparisons
        asked = cst.IsNot if holds else cst.Is
        if is_name(compared.comparator, "None") and isinstance(compared.operator, asked):
            yield test.left
    elif holds:
        yield test


def _leaves(body: cst.BaseSuite) -> bool:
    """Whether a block always goes elsewhere at its end."""
    last = body.body[-1] if body.body else None
    return isinstance(last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last, _LEAVING)


def _asks(test: cst.BaseExpression, receiver: cst.BaseExpression, name: str) -> bool:
    """`hasattr(env, "x")`, `getattr(env, "x", None)`."""
    if not isinstance(test, cst.Call) or not is_name(test.func, "hasattr", "getattr") or len(test.args) < 2:
        return False
    return string_value(test.args[1].value) == name and is_same(test.args[0].value, receiver)
