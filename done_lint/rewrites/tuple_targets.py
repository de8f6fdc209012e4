"""Tuples that take or return what an environment answers, with more values, or with the same ones in another order."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.syntax.expressions import parenthesized

Pair = tuple[cst.BaseExpression, cst.BaseExpression]


def two_for_one(elements: Sequence[cst.BaseElement], place: int, pair: Pair) -> list[cst.BaseElement]:
    """The elements with a pair in the place of one value; comments and commas of the others stay."""
    first = cst.Element(pair[0], comma=plain_comma(elements[place - 1].comma))
    return [*elements[:place], first, elements[place].with_changes(value=pair[1]), *elements[place + 1 :]]


def with_placeholders(elements: Sequence[cst.BaseElement], count: int) -> list[cst.BaseElement]:
    """The elements, and `_` for so many values behind them."""
    found = list(elements)
    end = found[-1].comma
    for _ in range(count):
        found[-1] = found[-1].with_changes(comma=plain_comma(found[0].comma))
        found.append(cst.Element(cst.Name("_"), comma=end))
    return found


def in_order(elements: Sequence[cst.BaseElement], order: Sequence[int]) -> list[cst.BaseElement]:
    """The elements with their values in another order: `order[k]` is the present place of the value for place k."""
    return [element.with_changes(value=elements[place].value) for element, place in zip(elements, order, strict=True)]


def observation_and_info(
    target: cst.BaseExpression, info: str, *, inside: bool = False, tight: bool = False
) -> cst.BaseExpression:
    """`obs, info` for a target `obs`; in parentheses where it stands inside another tuple.

    `tight` puts no space behind the comma.
    """
    first = parenthesized(target) if isinstance(target, cst.Tuple) else target.with_changes(lpar=(), rpar=())
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace("" if tight else " "))
    pair = cst.Tuple([cst.Element(first, comma=comma), cst.Element(cst.Name(info))], lpar=(), rpar=())
    return parenthesized(pair) if inside or target.lpar else pair


def plain_comma(comma: cst.Comma | cst.MaybeSentinel) -> cst.Comma:
    """A comma like the given one, without the comments behind it."""
    after = comma.whitespace_after if isinstance(comma, cst.Comma) else None
    if not isinstance(after, cst.ParenthesizedWhitespace):
        space = "" if isinstance(after, cst.SimpleWhitespace) and not after.value else " "
        return cst.Comma(whitespace_after=cst.SimpleWhitespace(space))
    line = after.first_line.with_changes(whitespace=cst.SimpleWhitespace(""), comment=None)
    return cst.Comma(whitespace_after=after.with_changes(first_line=line, empty_lines=()))
