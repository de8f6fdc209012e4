"""Branches that run for vector environments alone: `if getattr(env, "is_vector_env", False):`.

A wrapper of both kinds asks once, and keeps the answer: `self.several = getattr(env, "is_vector_env", False)`. No
environment that a wrapper of today takes says so, which leaves the branch unused.
"""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.wrapper_attributes import OF_VECTORS
from done_lint.syntax.shapes import is_name, string_value
from done_lint.syntax.tree import Tree


def in_branch_of_vectors(tree: Tree, node: cst.Attribute) -> bool:
    """Whether what only vector environments have is read in a branch that an attribute of theirs decides on."""
    if node.attr.value not in OF_VECTORS:
        return False
    below: cst.CSTNode = node
    for around in tree.ancestors(node):
        if isinstance(around, (cst.If, cst.IfExp)) and around.body is below and _asks(tree, around.test):
            return True
        if isinstance(around, cst.FunctionDef):
            return False
        below = around
    return False


def _asks(tree: Tree, test: cst.BaseExpression) -> bool:
    """Whether a test is such a question, or the answer that a variable or an attribute was given."""
    if not isinstance(test, (cst.Name, cst.Attribute)):
        return _is_question(test)
    name = tree.source(test)
    given = [one.value for one in tree.of_type(cst.Assign) if _names(tree, one, name)]
    return bool(given) and all(map(_is_question, given))


def _names(tree: Tree, statement: cst.Assign, name: str) -> bool:
    return any(tree.source(one.target) == name for one in statement.targets)


def _is_question(value: cst.BaseExpression) -> bool:
    """`getattr(env, "is_vector_env", False)`: what is not there means no."""
    if not isinstance(value, cst.Call) or not is_name(value.func, "getattr") or len(value.args) != 3:
        return False
    return bool(string_value(value.args[1].value)) and is_name(value.args[2].value, "False", "None")
