"""Text to LibCST's nodes."""

from __future__ import annotations

import io
import re
import tokenize

import libcst as cst

from done_lint.core.text import Lines


def parsed(text: str) -> cst.Module:
    """Parse, also where blocks mix tabs and spaces in a way that Python allows and LibCST does not.

    Python asks that indentation nests alike whether a tab counts for one column or for eight. So one space
    for each tab means the same, and every offset stays.
    """
    try:
        return cst.parse_module(text)
    except cst.ParserSyntaxError:
        without_tabs = _spaces_for_tabs(text)
        if without_tabs == text:
            raise
        return cst.parse_module(without_tabs)


def _spaces_for_tabs(text: str) -> str:
    """The text with one space for each tab of its blocks' indentation; continuation rows keep theirs."""
    lines = Lines(text)
    starts: list[int] = []
    fresh = True
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type == tokenize.NEWLINE:
                fresh = True
            elif fresh and token.type not in _NO_CODE:
                starts.append(lines.offset(token.start[0], 0))
                fresh = False
    except (tokenize.TokenError, SyntaxError):
        return text
    pieces: list[str] = []
    end = 0
    for start in starts:
        margin = _MARGIN.match(text, start)
        if margin is not None:
            pieces += [text[end:start], margin.group().replace("\t", " ")]
            end = margin.end()
    return "".join((*pieces, text[end:]))


_MARGIN = re.compile(r"[ \t\f]*")


_NO_CODE = frozenset(
    {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}
)
