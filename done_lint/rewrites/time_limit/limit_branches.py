"""Code that only runs where old Gym's time limit has cut an episode: `if info["TimeLimit.truncated"]: ...`.

An end that it gives out is a truncation, whatever the code calls it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

import libcst as cst

from done_lint.rewrites.time_limit.info_key import Read
from done_lint.syntax.shapes import is_name, only_target
from done_lint.syntax.tree import Scope, Tree


def runs_at_limit(tree: Tree, node: cst.CSTNode, reads: Sequence[Read]) -> bool | None:
    """Whether a place is only reached at the time limit, by tests of these reads of its key; None: that may be."""
    if not reads:
        return False
    scope = tree.scope(node)
    for outer in takewhile(lambda one: one is not scope, (node, *tree.ancestors(node))):
        above = tree.parents.get(outer)
        if isinstance(above, cst.If) and outer is not above.test and _mentions(tree, scope, above.test, reads):
            if outer is above.body and _implies(tree, scope, above.test, reads):
                return True
            if outer is above.body or not _is_read(tree, scope, above.test, reads):
                return None
        if any(not _is_read(tree, scope, one.test, reads) for one in _left_before(tree, scope, outer, reads)):
            return None
    return False


def _left_before(tree: Tree, scope: Scope, statement: cst.CSTNode, reads: Sequence[Read]) -> Iterator[cst.If]:
    """The branches before a statement of the same block that test the key and may end the function."""
    for one in takewhile(lambda one: one is not statement, tree.siblings(statement)):
        inside = list(tree.descend(one, into_functions=False)) if isinstance(one, cst.If) else []
        if any(isinstance(each, (cst.Return, cst.Raise)) for each in inside):
            yield from (
                each for each in inside if isinstance(each, cst.If) and _mentions(tree, scope, each.test, reads)
            )


def _mentions(tree: Tree, scope: Scope, test: cst.CSTNode, reads: Sequence[Read]) -> bool:
    """Whether a test reads the key, or a name for what was read."""
    nodes = {read.node for read in reads}
    inside = list(tree.descend(test))
    return not nodes.isdisjoint(inside) or any(
        not nodes.isdisjoint(tree.descend(value)) for one in inside if (value := _named(tree, scope, one)) is not None
    )


def _implies(tree: Tree, scope: Scope, test: cst.BaseExpression, reads: Sequence[Read]) -> bool:
    """Whether a test is only true at the limit: `info[KEY]`, `done and info[KEY]`, or a name for it."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        return _implies(tree, scope, test.left, reads) or _implies(tree, scope, test.right, reads)
    value = _named(tree, scope, test)
    return _is_read(tree, scope, test, reads) or (value is not None and _implies(tree, scope, value, reads))


def _is_read(tree: Tree, scope: Scope, test: cst.CSTNode, reads: Sequence[Read]) -> bool:
    """Whether a test is true at the limit, and nowhere else."""
    if isinstance(test, cst.Call) and is_name(test.func, "bool") and len(test.args) == 1:
        return _is_read(tree, scope, test.args[0].value, reads)
    if any(read.node is test and read.kind == "value" for read in reads):
        return True
    value = _named(tree, scope, test)
    return value is not None and _is_read(tree, scope, value, reads)


def _named(tree: Tree, scope: Scope, node: cst.CSTNode) -> cst.BaseExpression | None:
    """What a name of the scope stands for, if it is assigned once and from nothing that has the same name."""
    if not isinstance(node, cst.Name):
        return None
    bindings = tree.scopes.bindings(scope, node.value)
    target = tree.parents[bindings[0]] if len(bindings) == 1 else None
    statement = tree.parents[target] if isinstance(target, cst.AssignTarget) else None
    if not isinstance(statement, cst.Assign) or only_target(statement) is None:
        return None
    return None if any(is_name(one, node.value) for one in tree.descend(statement.value)) else statement.value
