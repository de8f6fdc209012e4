"""Matches that are decided at their limit of steps: what has happened until then says who is paid for it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import libcst as cst

from done_lint.rewrites.env_methods import own_name
from done_lint.rewrites.time_limit.bound_values import assigned, closure
from done_lint.rewrites.time_limit.shown_values import changed
from done_lint.syntax.shapes import is_name, method_called
from done_lint.syntax.tree import Tree


def is_decided(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef, counter: str) -> bool:
    """Whether a branch on the limit pays more than a penalty, by what else the episode has changed.

    `done = self.rounds >= 9`, then `if done:` and in it `if self.mine > self.theirs: reward += 1`. One fixed payment
    for every end proves nothing. A branch on the limit itself may also pay by a value that the episode has changed.
    """
    if _pays_in_branch(tree, limit, method, counter):
        return True
    statement = tree.parents[limit]
    flag = statement.targets[0].target if isinstance(statement, cst.Assign) and len(statement.targets) == 1 else None
    if not isinstance(flag, cst.Name) or len(tree.scopes.bindings(method, flag.value)) != 1:
        return False
    paid, moved = _rewards(tree, method) - {flag.value}, changed(tree, method) - {f"{own_name(method)}.{counter}"}
    added = (one for one in tree.inside(cst.AugAssign, method) if is_name(one.target, *paid) and _is_gain(one))
    return any(_is_by_state(tree, one, flag.value, moved, method) for one in added)


def _pays_in_branch(tree: Tree, limit: cst.Comparison, method: cst.FunctionDef, counter: str) -> bool:
    """`elif self.rounds >= 9: reward += self.lead`, or `reward = self.result()` where no end has come pays nothing."""
    branch = next((one for one in tree.ancestors(limit) if isinstance(one, (cst.If, cst.FunctionDef))), None)
    if not isinstance(branch, cst.If) or not _is_asked(tree, branch.test, limit):
        return False
    paid = _rewards(tree, method)
    moved = changed(tree, method) - {f"{own_name(method)}.{counter}"}
    added = ((one.target, one.value) for one in tree.inside(cst.AugAssign, branch.body))
    given = (pair for pair in assigned(tree, branch.body) if _begins_as_nothing(tree, pair[0], method))
    return any(
        tree.source(node) in moved
        for target, value in (*added, *given)
        if is_name(target, *paid) and not any(is_name(one, *paid) for one in tree.descend(value))
        for node in _with_methods(tree, value, method)
    )


def _is_asked(tree: Tree, test: cst.BaseExpression, limit: cst.Comparison) -> bool:
    """Whether a branch opens at the limit only: `self.rounds >= 9`, `self.rounds >= 9 and not done`."""
    if test is limit:
        return True
    both = isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And)
    return both and isinstance(test, cst.BooleanOperation) and limit in (test.left, test.right)


def _begins_as_nothing(tree: Tree, reward: cst.BaseExpression, method: cst.FunctionDef) -> bool:
    """Whether a variable is 0 at first, and something else only in branches."""
    if not isinstance(reward, cst.Name):
        return False
    bindings = tree.scopes.bindings(method, reward.value)
    value = next((value for target, value in assigned(tree, method) if target is bindings[0]), None)
    zero = isinstance(value, (cst.Integer, cst.Float)) and value.evaluated_value == 0
    return zero and all(any(isinstance(up, cst.If) for up in tree.ancestors(one)) for one in bindings[1:])


def _with_methods(tree: Tree, value: cst.BaseExpression, method: cst.FunctionDef) -> Iterator[cst.Attribute]:
    """The attributes that a value is made of, also those that the methods of the class read which it calls."""
    owner = next((one for one in tree.ancestors(method) if isinstance(one, cst.ClassDef)), None)
    rows = owner.body.body if owner is not None else ()
    methods = {row.name.value: row for row in rows if isinstance(row, cst.FunctionDef)}
    for node in closure(tree, value):
        if isinstance(node, cst.Attribute):
            yield node
        if (asked := methods.get(method_called(node))) is not None:
            yield from (one for one in tree.descend(asked.body) if isinstance(one, cst.Attribute))


def _rewards(tree: Tree, method: cst.FunctionDef) -> set[str]:
    """The variables that may be the reward: of a step the second value, of another method any that it returns."""
    returns = (one.value for one in tree.descend(method, into_functions=False) if isinstance(one, cst.Return))
    found: set[str] = set()
    for value in returns:
        values = [one.value for one in value.elements] if isinstance(value, cst.Tuple) else [value]
        values = values[1:2] if method.name.value == "step" else values
        found |= {one.value for one in values if isinstance(one, cst.Name)}
    return found


def _is_gain(added: cst.AugAssign) -> bool:
    """Whether something is added that is no penalty."""
    return isinstance(added.operator, cst.AddAssign) and not isinstance(added.value, cst.UnaryOperation)


def _is_by_state(tree: Tree, added: cst.AugAssign, flag: str, moved: set[str], method: cst.FunctionDef) -> bool:
    """Whether a branch on such an attribute holds a payment, inside of the one that the flag alone opens."""
    around = takewhile(lambda one: one is not method, tree.ancestors(added))
    asked = False
    for branch in (one for one in around if isinstance(one, cst.If)):
        if is_name(branch.test, flag):
            return asked and tree.within(added, branch.body)
        asked = asked or any(
            isinstance(node, cst.Attribute) and tree.source(node) in moved for node in closure(tree, branch.test)
        )
    return False
