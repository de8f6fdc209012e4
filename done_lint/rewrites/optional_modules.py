"""Functions that return what they import, or None where it is not there, and whose callers ask which of both it is."""

from __future__ import annotations

import libcst as cst

from done_lint.syntax.dotted import dotted
from done_lint.syntax.shapes import is_name, only_target
from done_lint.syntax.tree import Tree


def is_given_or_none(tree: Tree, block: cst.Try | cst.TryStar) -> bool:
    """Whether a `try` returns what it imports, a handler returns None, and each call of its function asks for that.

    The calls are those of this file: a function that is handed on, or called nowhere, says nothing.
    """
    function = next((one for one in tree.ancestors(block) if isinstance(one, (cst.FunctionDef, cst.Lambda))), None)
    if not isinstance(function, cst.FunctionDef) or not _returns_import(tree, block):
        return False
    uses = [one for one in tree.of_type(cst.Name) if one.value == function.name.value and one is not function.name]
    return bool(uses) and all(_is_asked(tree, one) for one in uses)


def _returns_import(tree: Tree, block: cst.Try | cst.TryStar) -> bool:
    """`try: from gym.envs.classic_control import rendering; return rendering`."""
    after = [block.orelse.body] if block.orelse is not None else []
    parts = [one for part in (block.body, *after) for one in tree.descend(part)]
    bound = {
        (alias.evaluated_alias or dotted(alias.name)).partition(".")[0]
        for one in parts
        if isinstance(one, (cst.Import, cst.ImportFrom)) and not isinstance(one.names, cst.ImportStar)
        for alias in one.names
    }
    given = [one.value for one in parts if isinstance(one, cst.Return)]
    return bool(given) and all(isinstance(one, cst.Name) and one.value in bound for one in given)


def _is_asked(tree: Tree, use: cst.Name) -> bool:
    """Whether a use of the function is a call, and what it gives is tested before anything else is done with it."""
    node: cst.CSTNode = use
    if isinstance(parent := tree.parents[node], cst.Attribute) and parent.attr is node:
        node = parent
    call = tree.parents[node]
    if not isinstance(call, cst.Call) or call.func is not node:
        return False
    statement = tree.parents[call]
    if not isinstance(statement, cst.Assign):
        return _is_tested(tree, call)
    target = only_target(statement)
    if not isinstance(target, cst.Name):
        return False
    scope = _scope(tree, statement)
    reads = [one for one in tree.of_type(cst.Name) if one.value == target.value and _scope(tree, one) is scope]
    end = tree.offsets(statement)[1]
    later = sorted((tree.offsets(one)[0], place) for place, one in enumerate(reads) if tree.offsets(one)[0] >= end)
    return bool(later) and _is_tested(tree, reads[later[0][1]])


def _is_tested(tree: Tree, node: cst.CSTNode) -> bool:
    """`if x is None`, `if not x`, `if x and ...`, `x.Viewer() if x else None`, `assert x`."""
    parent = tree.parents[node]
    while True:
        if isinstance(parent, cst.Comparison):
            if parent.left is not node or len(parent.comparisons) != 1:
                return False
            if not is_name(parent.comparisons[0].comparator, "None"):
                return False
        elif isinstance(parent, cst.BooleanOperation):
            if parent.left is not node:
                return False
        elif not isinstance(parent, (cst.UnaryOperation, cst.NamedExpr)):
            break
        node, parent = parent, tree.parents[parent]
    return isinstance(parent, (cst.If, cst.IfExp, cst.While, cst.Assert)) and parent.test is node


def _scope(tree: Tree, node: cst.CSTNode) -> cst.CSTNode | None:
    """The function that a node stands in."""
    return next((one for one in tree.ancestors(node) if isinstance(one, (cst.FunctionDef, cst.Lambda))), None)
