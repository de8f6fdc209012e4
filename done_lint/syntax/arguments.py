"""Arguments of calls, as nodes."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def keyword(argument: cst.Arg) -> str:
    """The name that an argument is given by; empty where its place says it."""
    return argument.keyword.value if argument.keyword is not None else ""


def keyword_argument(name: str, value: cst.BaseExpression) -> cst.Arg:
    """`name=value`."""
    return by_keyword(cst.Arg(value), name)


def by_keyword(argument: cst.Arg, name: str) -> cst.Arg:
    """An argument that stood in its place, given by its name; its layout stays."""
    return argument.with_changes(keyword=cst.Name(name), equal=_EQUAL)


def with_argument(arguments: Sequence[cst.Arg], argument: cst.Arg) -> list[cst.Arg]:
    """The arguments of a call and one more, on a line of its own where the last has one.

    What stood between the last argument and `)` stays there.
    """
    if not arguments:
        return [argument]
    *before, last = arguments
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    if before and isinstance(ahead := before[-1].comma, cst.Comma):
        gap = ahead.whitespace_after
        if isinstance(gap, cst.ParenthesizedWhitespace) and gap.first_line.comment is None and not gap.empty_lines:
            comma = ahead
    return [
        *before,
        last.with_changes(comma=comma, whitespace_after_arg=cst.SimpleWhitespace("")),
        argument.with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg),
    ]
