"""Where a program documents how many values a step has: docstrings, and assertions beside an unpacking."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.compared import compared_with
from done_lint.syntax.dotted import last_name
from done_lint.syntax.edits import Edits
from done_lint.syntax.shapes import is_name, is_number
from done_lint.syntax.tree import Scope, Tree

_NAMES = re.compile(r"(?<=, )done(?=, \w*info)")
_FOUR = re.compile(r"\b(?:four|4)\b")
_FIVE = {"four": "five", "4": "5"}


def named_values(tree: Tree, text: cst.CSTNode) -> Iterator[Edits]:
    """A text that says "obs, reward, done, info"."""
    start = tree.offsets(text)[0]
    for found in _NAMES.finditer(tree.source(text)):
        yield (Edit(start + found.start(), start + found.end(), "terminated, truncated"),)


def asserted_lengths(context: Context, unpacking: Unpacking) -> Iterator[Edits]:
    """`assert len(result) == 4, "four values"` beside `obs, reward, done, info = result`."""
    asked = _by_text(context).get((unpacking.scope, context.tree.source(unpacking.value)), ())
    return (edits for one in asked for edits in _edits(context.tree, one))


def asserted_length(context: Context, result: cst.BaseExpression) -> list[Edits]:
    """The same where the number of values of one result is asked for; empty: no assertion asks for it."""
    asked = _lengths(context).get(result)
    return [] if asked is None else list(_edits(context.tree, asked))


def is_only_counted(context: Context, result: cst.BaseExpression) -> bool:
    """Whether an assertion counts the four values that a class still gives, and nothing beside it unpacks them.

    What unpacks them changes the assertion with it.
    """
    step = context.facts.steps.get(context.tree.span(result))
    if step is None or step.pending is None or result not in _lengths(context):
        return False
    place = (context.tree.scope(result), context.tree.source(result))
    return all((one.scope, context.tree.source(one.value)) != place for one in context.unpackings)


class _Asked(NamedTuple):
    """An assertion that says how many values a result has."""

    four: cst.Integer
    message: cst.BaseExpression | None


def _edits(tree: Tree, asked: _Asked) -> Iterator[Edits]:
    yield (Edit(*tree.offsets(asked.four), "5"),)
    if isinstance(asked.message, cst.SimpleString):
        start = tree.offsets(asked.message)[0]
        for found in _FOUR.finditer(asked.message.value):
            yield (Edit(start + found.start(), start + found.end(), _FIVE[found[0]]),)
        yield from named_values(tree, asked.message)


@per_file
def _by_text(context: Context) -> Mapping[tuple[Scope, str], Sequence[_Asked]]:
    """The assertions by their scope and the text of the result that they ask."""
    found: dict[tuple[Scope, str], list[_Asked]] = {}
    for result, asked in _lengths(context).items():
        found.setdefault((context.tree.scope(result), context.tree.source(result)), []).append(asked)
    return found


@per_file
def _lengths(context: Context) -> Mapping[cst.BaseExpression, _Asked]:
    """The assertions that results of five values have four, by the results."""
    calls = context.tree.of_type(cst.Call)
    asked = {one: _asserted(context.tree, one) for one in calls if is_name(one.func, "len") and len(one.args) == 1}
    found = {call.args[0].value: one for call, one in asked.items() if one is not None and is_number(one.four, "4")}
    return {result: one for result, one in found.items() if _has_five(context, result)}


def _has_five(context: Context, result: cst.BaseExpression) -> bool:
    step = context.facts.steps.get(context.tree.span(result))
    return step is not None and step.env.api.five


def _asserted(tree: Tree, length: cst.Call) -> _Asked | None:
    """`assert len(result) == 4 and result, "four values"`, `self.assertEqual(len(result), 4, "four values")`."""
    four = compared_with(tree, length)
    if not isinstance(four, cst.Integer):
        return None
    whole = next(one for one in tree.ancestors(length) if isinstance(one, (cst.Comparison, cst.Call)))
    if isinstance(whole, cst.Call):
        message = whole.args[2].value if len(whole.args) == 3 else None
        return None if "not" in last_name(whole.func).lower() else _Asked(four, message)
    above = next(one for one in tree.ancestors(whole) if not _is_conjunction(one))
    equal = isinstance(whole.comparisons[0].operator, cst.Equal)
    return _Asked(four, above.msg) if equal and isinstance(above, cst.Assert) else None


def _is_conjunction(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.And)
