"""What the variables of an expression are bound to in their function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from done_lint.syntax.tree import Tree


def closure(tree: Tree, value: cst.BaseExpression) -> Iterator[cst.CSTNode]:
    """What an expression consists of, with what its variables are bound to."""
    todo: list[cst.BaseExpression] = [value]
    known: set[str] = set()
    while todo:
        for node in tree.descend(todo.pop()):
            yield node
            if isinstance(node, cst.Name) and node.value not in known:
                known.add(node.value)
                todo += (one.value for one in assignments(tree, node))


def assignments(tree: Tree, value: cst.BaseExpression) -> Iterator[cst.Assign | cst.AugAssign]:
    """What binds a variable, or an attribute in the same function."""
    targets: Sequence[cst.BaseExpression] = ()
    if isinstance(value, cst.Name):
        targets = tree.scopes.bindings(tree.scope(value), value.value)
    elif isinstance(value, cst.Attribute):
        found = (one.target for one in tree.inside(cst.AssignTarget, tree.scope(value)))
        targets = [one for one in found if tree.source(one) == tree.source(value)]
    for target in targets:
        statement = next((one for one in tree.ancestors(target) if isinstance(one, cst.BaseSmallStatement)), None)
        if isinstance(statement, (cst.Assign, cst.AugAssign)):
            yield statement
