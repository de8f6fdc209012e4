"""Loops that can step one environment only, where the program also has vector environments that might arrive there."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.kinds.rows import Row
from done_lint.rewrites.context import Context
from done_lint.rewrites.vectors.first_steps import given_by_calls
from done_lint.syntax.shapes import is_negation


def steps_alone(context: Context, row: Row) -> bool:
    """Whether the loop that steps tests a flag as it is, where single environments arrive too, or the block does.

    An array of more than one flag fails there. Behind another test, of the number of environments, this says nothing of
    a step before it.
    """
    return row.alone and row.step.path == context.path and steps_one(context, row.step.span)


def steps_one(context: Context, place: Span) -> bool:
    """Whether the loop around a step in this file tests a flag as it is, or the block does."""
    step = context.tree.expressions.get(place)
    around = context.tree.ancestors(step) if step is not None else ()
    loop = next((one for one in around if isinstance(one, (cst.For, cst.While, cst.FunctionDef))), None)
    if not isinstance(loop, (cst.For, cst.While)):
        return False
    statement = context.tree.row(step) if step is not None else None
    beside = context.tree.siblings(statement) if statement is not None else ()
    tests = [one.test for one in (*loop.body.body, *beside) if isinstance(one, cst.If)]
    tests += [loop.test] if isinstance(loop, cst.While) else []
    return any(_is_flag_of_one(context, one) for test in tests for one in _operands(test))


def _operands(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """What a test asks for the truth of."""
    if isinstance(test, cst.BooleanOperation):
        yield from _operands(test.left)
        yield from _operands(test.right)
    elif isinstance(test, cst.UnaryOperation) and is_negation(test):
        yield from _operands(test.expression)
    else:
        yield test


def _is_flag_of_one(context: Context, node: cst.BaseExpression) -> bool:
    """Whether a name has a flag as the step gave it: no call has made one truth value of several before."""
    flag = context.facts.flags.get(context.tree.span(node))
    if flag is None or flag.array is True or not isinstance(node, cst.Name):
        return False
    return not given_by_calls(context.tree, node)
