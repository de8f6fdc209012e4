"""Rows, columns and newlines of a text, and text that is safe to print, or short enough for a message."""

from __future__ import annotations

import re
from bisect import bisect_right


def printable(text: str) -> str:
    r"""The text in one line that cannot move the cursor or change colors, with escapes such as `\n` and `\x1b`.

    The name of a file may contain any character but `/` and NUL.
    """
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


#: Where Python ends a row; form feeds and other separators of `str.splitlines` do not count.
NEWLINE = re.compile(r"\r\n|\r|\n")
_ROW = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def rows_with_ends(text: str) -> list[str]:
    """The rows of a text with their newlines; the last one may have none."""
    return _ROW.findall(text)


class Lines:
    """Converts between character offsets and rows (from 1) and columns (characters, from 0)."""

    def __init__(self, text: str) -> None:
        """Find where the rows of `text` start."""
        self.text = text
        self._starts = [0, *(match.end() for match in NEWLINE.finditer(text))]

    def __len__(self) -> int:
        """Number of rows; the empty one after a final newline counts."""
        return len(self._starts)

    def offset(self, row: int, column: int) -> int:
        """Character offset of a position; positions outside the text are moved to its edge."""
        if row < 1:
            return 0
        if row > len(self._starts):
            return len(self.text)
        return min(self._starts[row - 1] + column, len(self.text))

    def position(self, offset: int) -> tuple[int, int]:
        """Row and column of a character offset."""
        row = bisect_right(self._starts, max(offset, 0))
        return row, max(offset, 0) - self._starts[row - 1]

    def row(self, row: int) -> str:
        """Text of one row without its newline; rows outside the text are empty."""
        if not 1 <= row <= len(self._starts):
            return ""
        end = self._starts[row] if row < len(self._starts) else len(self.text)
        return self.text[self._starts[row - 1] : end].rstrip("\r\n")


def one_line(text: str) -> str:
    """Source text on one line, shortened for a message."""
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."
