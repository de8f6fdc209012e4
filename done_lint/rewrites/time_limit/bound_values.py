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


def paired(tree: Tree, element: cst.BaseElement) -> cst.BaseExpression | None:
    """`t` for `self.t` in `t, end = self.t, self.end`."""
    whole = tree.parents[element]
    statement = tree.parents.get(whole)
    if not isinstance(whole, cst.Tuple) or not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0].target
    if not isinstance(target, cst.Tuple) or len(target.elements) != len(whole.elements):
        return None
    place = next(place for place, one in enumerate(whole.elements) if one is element)
    return target.elements[place].value


def single_value(tree: Tree, name: cst.Name) -> cst.BaseExpression | None:
    """What a variable stands for that is bound once: `self.t` also for `t` of `t, end = self.t, self.end`."""
    bindings = tree.scopes.bindings(tree.scope(name), name.value)
    place = tree.parents[bindings[0]] if len(bindings) == 1 else None
    statement = (
        next((one for one in tree.ancestors(bindings[0]) if isinstance(one, cst.Assign)), None) if place else None
    )
    if statement is None or len(statement.targets) != 1:
        return None
    if isinstance(place, cst.AssignTarget):
        return statement.value
    values = statement.value.elements if isinstance(statement.value, cst.Tuple) else ()
    return next((one.value for one in values if paired(tree, one) is bindings[0]), None)


def assigned(tree: Tree, function: cst.CSTNode) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """The targets in a function or class, each with its value: those of `self.length, self.at = length, 0` singly."""
    for statement in tree.inside(cst.Assign, function):
        for target in (one.target for one in statement.targets):
            yield target, statement.value
            if isinstance(target, cst.Tuple) and isinstance(statement.value, cst.Tuple):
                yield from zip((one.value for one in target.elements), (one.value for one in statement.value.elements))
