"""Rows that begin where the first argument of a call does stay there when edits move the call."""

from __future__ import annotations

import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from done_lint.core.apply_edits import edited
from done_lint.core.findings import Edit
from done_lint.core.text import Lines, rows_with_ends

_OPENING, _CLOSING = "([{", ")]}"
#: What separates rows inside of parentheses.
_BETWEEN_ROWS = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


class _Bracket(NamedTuple):
    """An open parenthesis: the column of what follows it in its row, and how far edits move it."""

    column: int
    shift: int


def aligned(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits of white space that other edits of a text make necessary."""
    moving = [edit for edit in edits if len(edit.text) != edit.end - edit.start]
    lines = Lines(text)
    if not any(_may_be_aligned(lines, edit.start) for edit in moving):
        return []
    try:
        tokens = list(tokenize.generate_tokens(iter([*rows_with_ends(text), ""]).__next__))
    except (tokenize.TokenError, SyntaxError):
        return []
    return list(_Rows(text, lines, edits).aligned(tokens))


def _may_be_aligned(lines: Lines, offset: int) -> bool:
    """Whether the row below begins under something that follows a parenthesis behind this place."""
    row, start = lines.position(offset)
    filled = (one for one in map(lines.row, range(row + 1, len(lines) + 1)) if one.strip())
    above, below = lines.row(row), next(filled, "")
    column = len(below) - len(below.lstrip())
    return start < column <= len(above) and above[:column].rstrip()[-1:] in tuple(_OPENING)


class _Rows:
    """The rows of a text, and where edits put what stands in them."""

    def __init__(self, text: str, lines: Lines, edits: Iterable[Edit]) -> None:
        self._lines = lines
        self._edits = sorted(edits, key=lambda edit: (edit.start, edit.end))
        self._ends = [edit.end for edit in self._edits]
        self._grown = [0, *accumulate(len(edit.text) - (edit.end - edit.start) for edit in self._edits)]
        self._after = Lines(edited(text, self._edits))
        #: How far each row is moved as a whole.
        self._shifts: dict[int, int] = {}

    def aligned(self, tokens: Iterable[tokenize.TokenInfo]) -> Iterable[Edit]:
        """The edits of the white space before rows."""
        open_brackets: list[_Bracket] = []
        last_row, bracket = 0, False
        for token in tokens:
            if token.type in _BETWEEN_ROWS:
                bracket = False
                continue
            row, column = token.start
            if bracket:
                # what stands behind the parenthesis in its row
                open_brackets[-1] = open_brackets[-1]._replace(column=column if token.type != tokenize.COMMENT else -1)
            if row != last_row and open_brackets and (edit := self._moved(row, column, open_brackets[-1])):
                self._shifts[row] = open_brackets[-1].shift
                yield edit
            last_row, bracket = token.end[0], token.type == tokenize.OP and token.string in _OPENING
            if bracket:
                open_brackets.append(_Bracket(-1, self._shift(row, column)))
            elif token.type == tokenize.OP and token.string in _CLOSING and open_brackets:
                open_brackets.pop()

    def _shift(self, row: int, column: int) -> int:
        """How far a parenthesis moves to the right."""
        offset = self._lines.offset(row, column)
        if self._is_replaced(offset, offset + 1):
            return 0
        grown = self._grown[bisect_right(self._ends, offset)]
        return self._after.position(offset + grown)[1] - column + self._shifts.get(row, 0)

    def _is_replaced(self, start: int, end: int) -> bool:
        """Whether an edit takes something away between two offsets, or puts something between them."""
        place = bisect_right(self._ends, start)
        return place < len(self._edits) and self._edits[place].start < end

    def _moved(self, row: int, column: int, bracket: _Bracket) -> Edit | None:
        """The edit that moves the row with its parenthesis, if it begins where the first argument does."""
        if column != bracket.column or not bracket.shift:
            return None
        space = self._lines.row(row)[:column]
        tabs = len(space) - len(space.lstrip("\t"))
        removed = max(-bracket.shift, 0)
        start = self._lines.offset(row, tabs)
        if space[tabs:].strip(" ") or removed > column - tabs:
            return None
        if self._is_replaced(start, self._lines.offset(row, column)):
            return None
        return Edit(start, start + removed, " " * max(bracket.shift, 0))
