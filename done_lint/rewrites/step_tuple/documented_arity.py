"""Where a program documents how many values a step has: docstrings, and assertions beside an unpacking."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.edits import Edits
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
    tree, result = context.tree, context.tree.source(unpacking.value)
    for assertion, four in _lengths(context).get((unpacking.scope, f"len({result})"), ()):
        yield (Edit(*tree.offsets(four), "5"),)
        if isinstance(assertion.msg, cst.SimpleString):
            start = tree.offsets(assertion.msg)[0]
            for found in _FOUR.finditer(assertion.msg.value):
                yield (Edit(start + found.start(), start + found.end(), _FIVE[found[0]]),)
            yield from named_values(tree, assertion.msg)


@per_file
def _lengths(context: Context) -> Mapping[tuple[Scope, str], Sequence[tuple[cst.Assert, cst.Integer]]]:
    """The assertions `len(result) == 4`, each with its 4, by scope and the text `len(result)`."""
    found: dict[tuple[Scope, str], list[tuple[cst.Assert, cst.Integer]]] = {}
    for assertion in context.tree.of_type(cst.Assert):
        test = assertion.test
        if isinstance(test, cst.Comparison) and (four := _length(context, test)) is not None:
            key = (context.tree.scope(assertion), context.tree.source(test.left))
            found.setdefault(key, []).append((assertion, four))
    return found


def _length(context: Context, test: cst.Comparison) -> cst.Integer | None:
    """The 4, if the whole test is `len(result) == 4`, and five values arrive there."""
    if len(test.comparisons) != 1 or not isinstance(test.left, cst.Call) or len(test.left.args) != 1:
        return None
    (target,) = test.comparisons
    four = target.comparator
    if not isinstance(target.operator, cst.Equal):
        return None
    step = context.facts.steps.get(context.tree.span(test.left.args[0].value))
    if step is None or not step.env.api.five:
        return None
    return four if isinstance(four, cst.Integer) and four.value == "4" else None
