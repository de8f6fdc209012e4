"""Environments whose last step is part of the task: the limit of steps is then the real end."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.rewrites.env_methods import own_name
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree


def is_horizon(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef, counter: str, both: bool) -> bool:
    """Whether `step` shows that the task ends at its limit.

    Either the limit alone ends it and the reward is computed from it, so that nothing is left after it; or it is
    returned as both flags (`both`), and the observation says how much time is left. A reward that a branch changes at
    the limit (`if done: reward = total`) proves neither.
    """
    values = [one.value for one in tree.descend(method, into_functions=False) if isinstance(one, cst.Return)]
    tuples = [one for one in values if isinstance(one, cst.Tuple) and len(one.elements) in (4, 5)]
    if both and any(_reads_counter(tree, part, counter, method) for one in tuples for part in _parts(tree, one, 0)):
        return True
    flags = _names(tree, limit)
    ends = [one.elements[2].value for one in tuples]
    if not ends or not all(any(is_name(end, name) for name in flags) for end in ends):
        return False
    if any(len(tree.scopes.bindings(method, name)) > 1 for name in flags):
        return False
    deciding = [part for one in tuples for part in _parts(tree, one, 1)]
    return any(isinstance(node, cst.Name) and node.value in flags for part in deciding for node in tree.descend(part))


def _names(tree: Tree, limit: cst.Comparison) -> frozenset[str]:
    """The variables that are the limit and nothing else: `terminated = truncated = self.steps >= 9`."""
    statement = tree.parents[limit]
    if not isinstance(statement, cst.Assign) or statement.value is not limit:
        return frozenset()
    return frozenset(one.target.value for one in statement.targets if isinstance(one.target, cst.Name))


def _parts(tree: Tree, returned: cst.Tuple, place: int) -> Iterator[cst.CSTNode]:
    """A value that `step` returns, and where it is a variable, what that is assigned."""
    value = returned.elements[place].value
    yield value
    if isinstance(value, cst.Name):
        for target in tree.scopes.bindings(tree.scope(value), value.value):
            statement = next((one for one in tree.ancestors(target) if isinstance(one, cst.BaseSmallStatement)), None)
            if isinstance(statement, (cst.Assign, cst.AugAssign)):
                yield statement.value


def _reads_counter(tree: Tree, start: cst.CSTNode, counter: str, method: cst.FunctionDef) -> bool:
    """Whether an expression reads the count of steps, by itself or in methods of the class that it calls."""
    owner = next((one for one in tree.ancestors(method) if isinstance(one, cst.ClassDef)), None)
    rows = owner.body.body if owner is not None else ()
    methods = {row.name.value: row for row in rows if isinstance(row, cst.FunctionDef)}
    todo, own = [start], own_name(method)
    while todo:
        for node in tree.descend(todo.pop()):
            if isinstance(node, cst.Attribute) and is_name(node.value, own):
                if node.attr.value == counter:
                    return True
                if (called := methods.pop(node.attr.value, None)) is not None:
                    todo.append(called)
    return False
