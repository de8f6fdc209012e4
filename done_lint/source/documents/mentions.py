"""Names in text that is not Python: commands of the shell and of IPython, other languages, cells that do not parse.

Such text may read the names that it mentions and bind some of them. In the program a statement that does the same
replaces it, so that analysis, rules and fixes need no special case: `!echo {done}` becomes `done  # !echo {done}`.
Only names count that the Python of the document binds.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from done_lint.source.documents.layout import Block, Cell, Failure, Row, joined
from done_lint.source.documents.magics import ASSIGNED, COMMENTED, python_of

_WORD = re.compile(r"[^\W\d]\w*")
#: A name, not an attribute or a file's suffix.
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
#: Magics that bind names: `%store -r done`, `%%capture out`, `%%bash --out text`, `%sql rows << select`.
_BOUND_BY_MAGIC = (
    re.compile(r"\s*%store\s+-r\s+(?P<names>[\w \t]+)"),
    re.compile(r"\s*%%capture\s+(?:--[\w-]+\s+)*(?P<names>\w+)"),
    re.compile(r"\s*%%.*?\s--?(?:out|err|output|o)[\s=]+(?P<names>\w+)"),
    re.compile(r"\s*%.*?\b(?P<names>\w+)\s*<<"),
)
#: Rows of Python that bind names: assignments, loops, definitions, imports.
_BOUND_BY_CODE = (
    re.compile(r"\s*(?P<names>\(?[\w\s,]+\)?)\s*=(?!=)"),
    re.compile(r"\s*for\s+(?P<names>[\w\s,()]+?)\s+in\b"),
    re.compile(r"\s*(?:async\s+)?(?:def|class)\s+(?P<names>\w+)"),
    re.compile(r"\s*(?:from\s.*?)?import\s+(?P<names>[\w\s,]+)"),
)


#: In place of a row's number, for a row that is added before the block.
_IN_FRONT = -1


class _Mentions(NamedTuple):
    """Names that some text mentions, and those of them that it binds."""

    names: tuple[str, ...] = ()
    bound: tuple[str, ...] = ()

    def among(self, known: Collection[str]) -> _Mentions:
        """Those that are known."""
        return _Mentions(*(tuple(name for name in names if name in known) for names in self))

    def statement(self) -> str:
        """A row of Python that reads the names, and binds some of them on one of two paths."""
        if self.bound:
            return f"if [{', '.join(self.names)}]: {' = '.join(self.bound)} = ..."
        return "; ".join(self.names)


class _Read(NamedTuple):
    """A block of a cell, its Python, and the names in the rest, by the row for their statement or `_IN_FRONT`."""

    raw: Block
    python: Block
    mentions: dict[int, _Mentions]


def readable(cells: Sequence[Cell], blocks: Iterable[Block]) -> tuple[list[Block], list[Failure]]:
    """The blocks as Python, with statements in place of text that is not Python; and the blocks that are not Python.

    The names in a block that is skipped as a whole count in a notebook only: in a page it is often a separate example.
    """
    found: list[_Read] = []
    failures: list[Failure] = []
    for raw in blocks:
        text = cells[raw.cell].ended
        python = python_of(text, raw)
        failed = isinstance(python, Failure)
        if isinstance(python, Failure):
            failures.append(python)
            python = replace(raw, rows=())
        mentions = _mentions(text, raw, python, _BOUND_BY_CODE if failed else _BOUND_BY_MAGIC)
        if cells[raw.cell].number is None:
            mentions.pop(_IN_FRONT, None)
        found.append(_Read(raw, python, mentions))
    if not any(one.mentions for one in found):
        return [one.python for one in found], failures
    known = {name for one in found for name in _bound(joined(cells[one.raw.cell].ended, one.python.rows))}
    return [_with_statements(one, known) for one in found], failures


def _mentions(text: str, raw: Block, python: Block, bound: Sequence[re.Pattern[str]]) -> dict[int, _Mentions]:
    """The names in each part of a block that is not Python."""
    places = {row.start: place for place, row in enumerate(python.rows)}
    found: dict[int, _Mentions] = {}
    at = _IN_FRONT
    for row in raw.rows:
        place = places.get(row.start)
        skipped = text[row.content : row.end]
        if place is not None:
            kept = python.rows[place]
            if kept.head.endswith(COMMENTED) or kept.tail == ASSIGNED:
                at = place
            if kept.tail == ASSIGNED:
                skipped = text[kept.end : row.end]
            elif not kept.command:
                continue
        if (mentions := _of_row(skipped, bound)).names:
            found[at] = _together(found.get(at, _Mentions()), mentions)
    return found


def _of_row(row: str, bound: Sequence[re.Pattern[str]]) -> _Mentions:
    matches = (pattern.match(row) for pattern in bound)
    binds = [name for match in matches if match for name in _names(_WORD, match["names"])]
    return _together(_Mentions(tuple(_names(_NAME, row))), _Mentions(tuple(binds), tuple(binds)))


def _together(one: _Mentions, other: _Mentions) -> _Mentions:
    return _Mentions(*(tuple(dict.fromkeys((*first, *second))) for first, second in zip(one, other)))


def _names(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    return (word for word in pattern.findall(text) if not keyword.iskeyword(word))


def _bound(program: str) -> Iterator[str]:
    """The names that a text of Python binds anywhere."""
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]


def _with_statements(read: _Read, known: Collection[str]) -> Block:
    """The Python of a block with the statements for the names in the rest of it."""
    rows = list(read.python.rows)
    added: list[Row] = []
    for place, mentions in read.mentions.items():
        if not (statement := mentions.among(known).statement()):
            continue
        if place == _IN_FRONT:
            start = read.raw.rows[0].start
            added.append(Row(start, start, start, start, tail=statement))
        elif rows[place].tail == ASSIGNED:
            rows[place] = rows[place]._replace(tail=f"{ASSIGNED}; {statement}")
        else:
            head = rows[place].head.removesuffix(COMMENTED)
            rows[place] = rows[place]._replace(head=f"{head}{statement}  # ")
    return replace(read.python, rows=(*added, *rows))
