"""Code blocks of Markdown and reStructuredText: which of them hold Python, as a program or as a session."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from done_lint.source.documents import doctests
from done_lint.source.documents.layout import Block, Row

#: First words behind a fence, or a directive's argument, that mean Python; the second kind are always sessions.
LANGUAGES = frozenset("ipython ipython3 py py3 python python3".split())
SESSIONS = frozenset("doctest pycon python-console".split())


def comment_behind(pattern: re.Pattern[str], text: str, rows: Sequence[Row]) -> str:
    """The comment for done-lint in the last of these rows that is not empty; empty if there is none."""
    before = next((row for row in reversed(rows) if text[row.content : row.end].strip()), None)
    match = before and pattern.fullmatch(text, before.content, before.end)
    return match["comment"] if match else ""


def code_block(text: str, rows: Sequence[Row], *, named: bool = True) -> Iterator[Block]:
    """Rows that hold Python: a session if they start with a prompt, else, if they are `named` so, a program."""
    first = next((row for row in rows if text[row.content : row.end].strip()), None)
    if first is None:
        return
    if text[first.content : first.end].lstrip().startswith(">>>"):
        yield from doctests.blocks(text, rows)
    elif named:
        yield Block(0, tuple(rows), text[first.start : first.content])
