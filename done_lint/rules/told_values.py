"""Where a program says how many values a step has: docstrings, and assertions beside an unpacking."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from done_lint.findings import Edit
from done_lint.rules.rule import Context
from done_lint.rules.unpacking import Unpacking
from done_lint.syntax.edits import Edits
from done_lint.syntax.tree import Tree

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
    tree, result = context.tree, context.tree.source(unpacking.value)
    for assertion in tree.of_type(cst.Assert):
        if tree.scope(assertion) is not unpacking.scope or (four := _length(context, assertion.test, result)) is None:
            continue
        yield (Edit(*tree.offsets(four), "5"),)
        if isinstance(assertion.msg, cst.SimpleString):
            start = tree.offsets(assertion.msg)[0]
            for found in _FOUR.finditer(assertion.msg.value):
                yield (Edit(start + found.start(), start + found.end(), _FIVE[found[0]]),)
            yield from named_values(tree, assertion.msg)


def _length(context: Context, test: cst.BaseExpression, result: str) -> cst.Integer | None:
    """The 4, if the whole test is `len(result) == 4`, and five values arrive there."""
    if not (isinstance(test, cst.Comparison) and len(test.comparisons) == 1 and isinstance(test.left, cst.Call)):
        return None
    (target,) = test.comparisons
    four = target.comparator
    if context.tree.source(test.left) != f"len({result})" or not isinstance(target.operator, cst.Equal):
        return None
    step = context.facts.steps.get(context.tree.span(test.left.args[0].value))
    if step is None or not step.env.api.five:
        return None
    return four if isinstance(four, cst.Integer) and four.value == "4" else None
