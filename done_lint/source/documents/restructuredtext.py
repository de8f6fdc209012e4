"""reStructuredText: code directives that hold Python, and doctests between the paragraphs.

Docutils' parser reports rows but no columns, and fails at directives that Sphinx defines; so this reader looks at
indentation alone, which determines the content of a directive.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from done_lint.source.documents import doctests
from done_lint.source.documents.code_blocks import LANGUAGES, SESSIONS, code_block, comment_behind
from done_lint.source.documents.layout import Block, Row

_DIRECTIVE = re.compile(
    r"(?P<margin>[ \t]*(?:(?:[-*+]|\d+\.|#\.)[ \t]+)*)"
    r"\.\. (?:code|code-block|sourcecode|testcode|ipython|doctest)::[ \t]*(?P<word>[\w-]*)"
)
_DEFAULTS = (".. testcode::", ".. ipython::", ".. doctest::")
_OPTION = re.compile(r"[ \t]+:[\w-]+:")
#: The comment before a directive that silences its block.
_SKIP = re.compile(r"\s*\.\. (?P<comment>done-lint:.*?)\s*", re.IGNORECASE)
_TAB = 8


def blocks(text: str, rows: Sequence[Row]) -> Iterator[Block]:
    """The Python blocks in rows of a document."""
    at = 0
    session: list[Row] = []
    while at < len(rows):
        body = text[rows[at].content : rows[at].end]
        directive = _DIRECTIVE.match(body)
        if directive is None:
            session.append(rows[at])
            at += 1
            continue
        yield from doctests.blocks(text, session)
        session = []
        comment = comment_behind(_SKIP, text, rows[:at])
        at, content = _content(text, rows, at + 1, _width(directive["margin"]))
        word = directive["word"].lower()
        implied = not word or ".. doctest::" in body
        named = word in (*LANGUAGES, *SESSIONS) or (implied and any(d in body for d in _DEFAULTS))
        if named or not word:
            found = code_block(text, content, named=named)
            yield from (block.under(comment) for block in found)
    yield from doctests.blocks(text, session)


def _content(text: str, rows: Sequence[Row], at: int, margin: int) -> tuple[int, list[Row]]:
    """The row behind a directive that starts at the column `margin`, and the rows of its content."""
    while at < len(rows) and _OPTION.match(text[rows[at].content : rows[at].end]):
        at += 1
    end = at
    last = at
    while end < len(rows):
        body = text[rows[end].content : rows[end].end]
        if body.strip():
            if _width(body) <= margin:
                break
            last = end + 1
        end += 1
    found = rows[at:last]
    margins = [_margin(text[row.content : row.end]) for row in found if text[row.content : row.end].strip()]
    if not margins:
        return last, []
    shared = min(margins, key=_width)
    return last, [_inner(text, row, shared) for row in found]


def _inner(text: str, row: Row, shared: str) -> Row:
    """A row without the indentation that the content shares."""
    body = text[row.content : row.end]
    if body.startswith(shared):
        return row._replace(content=row.content + len(shared))
    if not body.strip():
        return row._replace(content=row.end)
    margin = _margin(body)  # tabs here, spaces there
    head = " " * max(_width(margin) - _width(shared), 0)
    return row._replace(content=row.content + len(margin), head=head)


def _margin(body: str) -> str:
    return body[: len(body) - len(body.lstrip(" \t"))]


def _width(body: str) -> int:
    """The number of columns of the indentation."""
    return len(_margin(body).expandtabs(_TAB))
