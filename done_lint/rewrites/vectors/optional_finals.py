"""Final observations of vector environments that an option of the program asks for: without it, there are none."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.core.findings import Span
from done_lint.knowledge.vector_info_keys import OF_OBSERVATIONS
from done_lint.rewrites.context import Context
from done_lint.rewrites.vectors.same_step import resets_at_once
from done_lint.syntax.shapes import string_value
from done_lint.syntax.tree import Tree

_OPTION = "the final observations are taken behind a test (line {}) alone, which nothing of the step decides"


def final_by_option(context: Context, flag: cst.BaseExpression) -> str:
    """Why final observations that an option alone asks for make a fix no promise; empty: they come in any case."""
    tree = context.tree
    for step in context.unpackings:
        loop = next((one for one in tree.ancestors(step.statement) if isinstance(one, (cst.For, cst.While))), None)
        if loop is None or not tree.within(flag, loop) or not resets_at_once(context, step.step.env):
            continue
        keys = [one for one in tree.descend(loop) if string_value(one) in OF_OBSERVATIONS]
        behind = [_option_around(tree, one, loop, flag) for one in keys]
        if keys and all(behind):
            return _OPTION.format(behind[0].row) if behind[0] else ""
    return ""


def _option_around(tree: Tree, key: cst.CSTNode, loop: cst.CSTNode, flag: cst.CSTNode) -> Span | None:
    """The test around a key that nothing in a loop decides, and that says nothing of the flag; None: there is none."""
    bound = {one.value for one in _bound_in(tree, loop)}
    for branch in tree.ancestors(key):
        if branch is loop:
            return None
        if isinstance(branch, cst.If) and not tree.within(flag, branch) and not tree.within(key, branch.test):
            names = {one.value for one in (branch.test, *tree.descend(branch.test)) if isinstance(one, cst.Name)}
            if names and names.isdisjoint(bound):
                return tree.span(branch.test)
    return None


def _bound_in(tree: Tree, loop: cst.CSTNode) -> Iterator[cst.Name]:
    """The names that a loop binds."""
    for name in tree.inside(cst.Name, loop):
        if any(one is name for one in tree.scopes.bindings(tree.scope(name), name.value)):
            yield name
