"""A `step` that returns the four values of an object that is no environment, which has to stay as it is."""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.syntax.edits import added_before, replaced
from done_lint.syntax.expressions import assignment, bare_tuple

_NAMES = ("obs", "reward", "done", "info")


def five_for_four(context: Context, value: cst.BaseExpression) -> Outcome:
    """The fix that takes a returned value apart and returns five: its flag is a termination, and nothing truncates.

    Args:
        context: the file.
        value: what the method returns.
    """
    tree = context.tree
    if tree.span(value) in context.facts.steps:
        return unfixed("an environment that returns five values is stepped here too")
    statement = tree.parents[value]
    line = tree.parents.get(statement)
    if not isinstance(statement, cst.Return) or not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return unfixed("what it returns cannot be taken apart here")
    scope = tree.scope(statement)
    if any(tree.scopes.mentions(scope, name) for name in _NAMES):
        return unfixed("the method has other uses for the names of the four values")
    obs, reward, done, info = map(cst.Name, _NAMES)
    five = statement.with_changes(value=bare_tuple(obs, reward, done, cst.Name("False"), info))
    return fixed(
        "return five values",
        added_before(tree, statement, assignment(bare_tuple(obs, reward, done, info), value)),
        replaced(tree, statement, five),
    )
