"""Old checks for a time limit, which count the steps up to `env._max_episode_steps`.

With old Gym's `done`, `float(done) if steps < env._max_episode_steps else 0` is what `float(terminated)` is today,
which is right also where the task ends in the very last step. The fix of GYM101 replaces one by the other. An
environment without a `TimeLimit` keeps the check: a class of the project may return its own limit as termination.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import libcst as cst

from done_lint.core.findings import Span
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.edits import exchanged
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree

_REACHED = (cst.Equal, cst.GreaterThanEqual)
_BEFORE = (cst.NotEqual, cst.LessThan)
_CASTS = frozenset({"bool", "int", "float"})
#: What a flag, and what a keep-mask, says where the episode goes on.
_GOES_ON = {False: frozenset({"False", "0", "0.0", "0."}), True: frozenset({"True", "1", "1.0", "1."})}


def limit_emulations(
    tree: Tree, unpacking: Unpacking, done: cst.BaseExpression, terminated: str
) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """Expressions behind this step that ask by count whether `done` was the limit, and what they become."""
    row = tree.row(unpacking.statement)
    if not isinstance(done, cst.Name) or row is None or unpacking.step.env.unlimited:
        return
    start, block = tree.span(unpacking.statement), tree.parents[row]
    bindings = tree.scopes.bindings(unpacking.scope, done.value)
    *_, end_row, end_column = tree.span(block)
    end = Span(end_row, end_column, end_row, end_column)
    later = (one for one in tree.behind(bindings, start, end) if not tree.within(one, unpacking.statement))
    until = next(map(tree.span, later), end)
    choices = (tree.behind(tree.of_type(kind), start, until) for kind in (cst.IfExp, cst.BooleanOperation))
    for node in chain.from_iterable(choices):
        if not isinstance(node, (cst.IfExp, cst.BooleanOperation)) or not tree.within(node, block):
            continue
        part = _part_before_limit(node, done.value)
        if part is not None:
            names = [one for one in tree.descend(part) if is_name(one, done.value)]
            yield node, exchanged(part, dict.fromkeys(names, cst.Name(terminated)))


def _part_before_limit(node: cst.IfExp | cst.BooleanOperation, done: str) -> cst.BaseExpression | None:
    """The part that holds where the limit was not reached, if the rest only takes the limit out."""
    if isinstance(node, cst.BooleanOperation):
        plain = isinstance(node.operator, cst.And) and _is_limit(node.right) is False
        return node.left if plain and _keeps(node.left, done) is False else None
    reached = _is_limit(node.test)
    if reached is None:
        return None
    at_limit, otherwise = (node.body, node.orelse) if reached else (node.orelse, node.body)
    keeps = _keeps(otherwise, done)
    if keeps is None or not isinstance(at_limit, (cst.Name, cst.Integer, cst.Float)):
        return None
    return otherwise if at_limit.value in _GOES_ON[keeps] else None


def _is_limit(test: cst.BaseExpression) -> bool | None:
    """Whether a comparison with `env._max_episode_steps` holds at the limit (`None`: it is another test)."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    target = test.comparisons[0]
    limit = target.comparator
    if not isinstance(limit, cst.Attribute) or not _is_environments(limit):
        return None
    return True if isinstance(target.operator, _REACHED) else False if isinstance(target.operator, _BEFORE) else None


def _is_environments(limit: cst.Attribute) -> bool:
    """`env._max_episode_steps`, `env.spec.max_episode_steps`: the environment's limit, not one of the program's own."""
    if limit.attr.value == "_max_episode_steps":
        return True
    inside = limit.value
    return limit.attr.value == "max_episode_steps" and isinstance(inside, cst.Attribute) and inside.attr.value == "spec"


def _keeps(value: cst.BaseExpression, done: str) -> bool | None:
    """Whether `done`, `float(done)`, `not done`, `1 - done` is a keep-mask (`None`: it is something else)."""
    if isinstance(value, cst.Name):
        return False if value.value == done else None
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Name) and value.func.value in _CASTS:
        return _keeps(value.args[0].value, done) if len(value.args) == 1 else None
    inner: bool | None = None
    if isinstance(value, cst.UnaryOperation) and isinstance(value.operator, cst.Not):
        inner = _keeps(value.expression, done)
    elif isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Subtract):
        one = isinstance(value.left, (cst.Integer, cst.Float)) and float(value.left.value) == 1
        inner = _keeps(value.right, done) if one else None
    return None if inner is None else not inner
