"""Matches that are decided at their limit of steps: what has happened until then says who is paid for it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import libcst as cst

from done_lint.rewrites.env_methods import own_name
from done_lint.rewrites.time_limit.bound_values import closure
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree

#: Methods that prepare an episode: what they alone set does not change in it.
_PREPARING = frozenset({"__init__", "reset"})


def is_decided(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef, counter: str) -> bool:
    """Whether a branch on the limit pays more than a penalty, by what else the episode has changed.

    `done = self.rounds >= 9`, then `if done:` and in it `if self.mine > self.theirs: reward += 1`. One fixed payment
    for every end proves nothing.
    """
    statement = tree.parents[limit]
    flag = statement.targets[0].target if isinstance(statement, cst.Assign) and len(statement.targets) == 1 else None
    if not isinstance(flag, cst.Name) or len(tree.scopes.bindings(method, flag.value)) != 1:
        return False
    paid, changed = _rewards(tree, method) - {flag.value}, _changed(tree, method) - {f"{own_name(method)}.{counter}"}
    added = (one for one in tree.inside(cst.AugAssign, method) if is_name(one.target, *paid) and _is_gain(one))
    return any(_is_by_state(tree, one, flag.value, changed, method) for one in added)


def _rewards(tree: Tree, method: cst.FunctionDef) -> set[str]:
    """The variables that may be the reward: of a step the second value, of another method any that it returns."""
    returns = (one.value for one in tree.descend(method, into_functions=False) if isinstance(one, cst.Return))
    found: set[str] = set()
    for value in returns:
        values = [one.value for one in value.elements] if isinstance(value, cst.Tuple) else [value]
        values = values[1:2] if method.name.value == "step" else values
        found |= {one.value for one in values if isinstance(one, cst.Name)}
    return found


def _changed(tree: Tree, method: cst.FunctionDef) -> set[str]:
    """The attributes that the class changes in an episode."""
    owner = next((one for one in tree.ancestors(method) if isinstance(one, cst.ClassDef)), None)
    rows = owner.body.body if owner is not None else ()
    found: set[str] = set()
    for row in rows:
        if isinstance(row, cst.FunctionDef) and row.name.value not in _PREPARING:
            found.update(tree.source(one) for one in _targets(tree, row) if isinstance(one, cst.Attribute))
    return found


def _targets(tree: Tree, function: cst.FunctionDef) -> Iterator[cst.BaseExpression]:
    for given in tree.inside(cst.Assign, function):
        for target in (one.target for one in given.targets):
            yield from (one.value for one in target.elements) if isinstance(target, cst.Tuple) else (target,)
    yield from (one.target for one in tree.inside(cst.AugAssign, function))


def _is_gain(added: cst.AugAssign) -> bool:
    """Whether something is added that is no penalty."""
    return isinstance(added.operator, cst.AddAssign) and not isinstance(added.value, cst.UnaryOperation)


def _is_by_state(tree: Tree, added: cst.AugAssign, flag: str, changed: set[str], method: cst.FunctionDef) -> bool:
    """Whether a branch on such an attribute holds a payment, inside of the one that the flag alone opens."""
    around = takewhile(lambda one: one is not method, tree.ancestors(added))
    asked = False
    for branch in (one for one in around if isinstance(one, cst.If)):
        if is_name(branch.test, flag):
            return asked and tree.within(added, branch.body)
        asked = asked or any(
            isinstance(node, cst.Attribute) and tree.source(node) in changed for node in closure(tree, branch.test)
        )
    return False
