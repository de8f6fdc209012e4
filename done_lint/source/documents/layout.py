"""Joins the code of a document into one program, and maps positions of the program back to the document.

A *cell* is a text that people edit: a notebook's cell, or the whole of a Markdown file. A *block* is a run of
rows in a cell that hold Python. The program is all blocks, each followed by a row that belongs to no block, so
that a row added behind the last one of a block belongs to that block.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from done_lint.core.apply_edits import edited
from done_lint.core.findings import Edit, Span
from done_lint.core.text import NEWLINE, Lines, rows_with_ends
from done_lint.source.documents.example_functions import name_of

#: In place of a row's number in a block, for rows of the program that stand before a block or behind it.
_BEFORE = -2
_BEHIND = -1
_PROMPT_FOLLOWS = re.compile(r"\s|[)\]}]|(?:else|elif|except|finally|case)\b")
#: The code for an omission in the program: of parameters, `def f(self, ...)`, and of arguments, which reads no name.
OMITTED_PARAMETERS = "**_"
OMITTED_ARGUMENTS = "**0"


class Row(NamedTuple):
    """One row of a block. Offsets count characters in the cell; `content:end` is code, as it stands there."""

    start: int
    content: int
    end: int
    #: Behind the newline.
    after: int
    #: Text before and behind the code that only the program has.
    head: str = ""
    tail: str = ""
    #: The code is a command of the shell or of IPython, and a comment in the program.
    command: bool = False
    #: The code in the program, of the same length, where it differs from that in the cell; empty where it does not.
    patched: str = ""

    @property
    def is_added(self) -> bool:
        """Whether only the program has the row: it replaces text of the cell that is not Python."""
        return self.start == self.after


@dataclass(frozen=True, slots=True)
class Cell:
    """A text that people edit."""

    text: str
    #: Its number in a notebook, from 1; None in a document that is one text.
    number: int | None = None

    @property
    def ended(self) -> str:
        """The text with one more newline, so that rows can be added behind the last one."""
        return self.text + "\n"


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of one cell that hold Python."""

    cell: int
    rows: tuple[Row, ...]
    #: The beginning of a new row in the cell: the indentation of a list, the mark of a quotation.
    prefix: str = ""
    #: A new row also needs one of the prompts `>>>` and `...`.
    prompts: bool = False
    #: Blocks of one scope are a function in the program, with names of their own. 0: the scope of the module.
    scope: int = 0

    @property
    def indent(self) -> str:
        """The indentation in the program of every row of the block."""
        return "    " if self.scope else ""

    def under(self, comment: str) -> Block:
        """The block with a comment that stands before the block in the page."""
        return replace(self, rows=(self.rows[0]._replace(tail=f"  # {comment}"), *self.rows[1:])) if comment else self

    def margin(self, row: str) -> str:
        """The text in the cell before a new row of code."""
        if not self.prompts:
            return self.prefix if row.strip() else self.prefix.rstrip()
        return self.prefix + ("... " if _PROMPT_FOLLOWS.match(row) else ">>> ")


class Failure(NamedTuple):
    """A block that is not Python: its cell, where in the cell, and why."""

    cell: int
    offset: int
    message: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The program, and where each of its rows comes from."""

    cells: tuple[Cell, ...]
    blocks: tuple[Block, ...]
    program: str
    #: Of each row of the program: its offset, its block, and its number there (or `_BEFORE` or `_BEHIND`).
    offsets: tuple[int, ...]
    origins: tuple[tuple[int, int], ...]
    failures: tuple[Failure, ...] = ()
    #: It is for Python 2: its kernel is, and so is some of its code.
    python_2: bool = False

    # --- from the program to the cell ---------------------------------------------------------------------

    def place(self, offset: int) -> tuple[int, int]:
        """Cell, and offset in it, of an offset in the program; the nearest place where no cell has the text."""
        if not self.blocks:
            return 0, 0
        at = self._at(offset)
        block, row = self._row(at)
        cell = self.blocks[block].cell
        if row is None:
            rows = self.blocks[block].rows
            return cell, rows[-1].end if self.origins[at][1] == _BEHIND else rows[0].content
        inside = max(offset - self.offsets[at] - len(row.head), 0)
        return cell, min(row.content + inside, row.end)

    def spans_of_blocks(self) -> list[tuple[int, int]]:
        """First and last row, from 1, of each block in the program."""
        found: dict[int, tuple[int, int]] = {}
        for number, (block, row) in enumerate(self.origins, 1):
            if row >= 0:
                found[block] = (found.get(block, (number, number))[0], number)
        return list(found.values())

    def commands(self) -> Iterator[tuple[int, int]]:
        """Offsets in the program of the commands of shell and IPython, first and last."""
        for offset, (block, number) in zip(self.offsets, self.origins):
            if number >= 0 and (row := self.blocks[block].rows[number]).command:
                start = offset + len(row.head)
                yield start, start + row.end - row.content

    # --- edits --------------------------------------------------------------------------------------------

    def moved(self, edit: Edit) -> tuple[int, Edit] | None:
        """The cell that an edit of the program changes, and the edit there; None if it cannot be made in a cell.

        Offsets and text of the result count with the newline that ends the cell (`Cell.ended`).
        """
        if not self.blocks or OMITTED_PARAMETERS in edit.text or OMITTED_ARGUMENTS in edit.text:
            return None
        first, last = self._at(edit.start), self._at(edit.end)
        at_starts = (edit.start, edit.end) == (self.offsets[first], self.offsets[last])
        whole = at_starts and _is_rows(edit.text)
        return self._rows_moved(edit, first, last) if whole else self._part_moved(edit, first, last)

    def _rows_moved(self, edit: Edit, first: int, last: int) -> tuple[int, Edit] | None:
        """An edit that adds, removes or replaces whole rows."""
        block = self.blocks[self.origins[first][0]]
        rows_added = (row.removeprefix(block.indent) for row in rows_with_ends(edit.text))
        text = "".join(block.margin(row) + row for row in rows_added)
        if first == last:
            row = self._row(first)[1]
            if self.origins[first][1] == _BEFORE or (row is not None and row.is_added):
                return None
            offset = block.rows[-1].after if row is None else row.start
            return block.cell, Edit(offset, offset, text)
        rows = self._rows(first, last - 1)
        if rows is None or any(row.head.strip() or row.tail or not self._is_plain(block, row) for row in rows):
            return None
        if block.prompts and _has_output(self.cells[block.cell].ended, rows[-1].after):
            return None
        return block.cell, Edit(rows[0].start, rows[-1].after, text)

    def _part_moved(self, edit: Edit, first: int, last: int) -> tuple[int, Edit] | None:
        """An edit inside rows."""
        # The start of the row behind the last one is that one's end.
        ends_behind = last > first and edit.end == self.offsets[last]
        rows = self._rows(first, last - 1 if ends_behind else last)
        if rows is None:
            return None
        block = self.blocks[self.origins[first][0]]
        start = self._exact(edit.start, first, rows[0])
        if ends_behind:
            end: int | None = None if rows[-1].tail else rows[-1].after
            following = self._row(last)[1]
            if end is not None and not _is_rows(edit.text):  # joins two rows
                joins = following is not None and following.start == end and not following.head
                end = following.content if following is not None and joins else None
        else:
            end = self._exact(edit.end, last, rows[-1])
        if start is None or end is None or start > end or any(row.tail for row in rows[:-1]):
            return None
        rest = self.program[edit.end : edit.end + 80]
        return block.cell, Edit(start, end, _with_margins(edit.text, rest, block))

    def rewritten(self, edits: Iterable[Edit]) -> dict[int, str]:
        """New texts of the cells that these edits of the program change.

        Raises:
            ValueError: an edit that cannot be made in a cell.
        """
        changes: dict[int, list[Edit]] = {}
        for edit in edits:
            if (moved := self.moved(edit)) is None:
                raise ValueError("an edit of the program that cannot be made in a cell")
            changes.setdefault(moved[0], []).append(moved[1])
        texts = {}
        for cell, mine in changes.items():
            mine.sort(key=lambda edit: (edit.start, edit.end))
            if any(second.start < first.end for first, second in pairwise(mine)):
                raise ValueError("edits of the program overlap in a cell")
            texts[cell] = edited(self.cells[cell].ended, mine).removesuffix("\n")
        return texts

    def shown(self, edit: Edit) -> tuple[int, Edit] | None:
        """As `moved`, for the text of the cell as it is: rows added behind the last one start with a newline."""
        if (moved := self.moved(edit)) is None:
            return None
        cell, (start, end, text, *_) = moved
        length = len(self.cells[cell].text)
        if end > length:
            end, text = length, text.removesuffix("\n")
            if start > length:
                start, text = length, "\n" + text
            elif not text and start > 0:
                start -= 1
        return cell, Edit(start, end, text)

    # --- rows ---------------------------------------------------------------------------------------------

    def _at(self, offset: int) -> int:
        """Number, from 0, of the program's row that holds an offset."""
        return max(bisect_right(self.offsets, offset) - 1, 0)

    def _row(self, at: int) -> tuple[int, Row | None]:
        block, number = self.origins[at]
        return block, (self.blocks[block].rows[number] if number >= 0 else None)

    def _rows(self, first: int, last: int) -> list[Row] | None:
        """Rows of the program, if they also follow each other in one cell; else None."""
        rows: list[Row] = []
        for at in range(first, last + 1):
            block, row = self._row(at)
            if row is None or block != self.origins[first][0] or (rows and rows[-1].after != row.start):
                return None
            rows.append(row)
        return rows

    def _is_plain(self, block: Block, row: Row) -> bool:
        """Whether a row of the cell starts as a new row would."""
        before = self.cells[block.cell].text[row.start : row.content]
        return not before.strip(" \t>.") or before.startswith(block.prefix.rstrip() or " ")

    def _exact(self, offset: int, at: int, row: Row) -> int | None:
        """Offset in the cell of an offset in a row's code; None in text that only the program has."""
        inside = offset - self.offsets[at] - len(row.head)
        size = row.end - row.content
        return row.content + inside if 0 <= inside <= size and not (row.tail and inside == size) else None


def assemble(cells: Sequence[Cell], blocks: Iterable[Block], failures: Iterable[Failure]) -> Layout:
    """Join blocks that are Python to a program; `failures` are those that are not."""
    pieces: list[str] = []
    offsets: list[int] = []
    origins: list[tuple[int, int]] = []
    kept: list[Block] = []
    size = 0
    scope = 0

    def synthesized(row: str, place: int) -> None:
        nonlocal size
        offsets.append(size)
        origins.append((len(kept), place))
        pieces.append(row)
        size += len(row)

    for block in blocks:
        text = cells[block.cell].ended
        if not block.rows:
            continue
        if block.scope:
            block = replace(block, rows=tuple(row._replace(head=block.indent + row.head) for row in block.rows))
            if block.scope != scope:
                synthesized(f"def {name_of(block.scope)}():\n", _BEFORE)
                synthesized(f"{block.indent}pass\n", _BEFORE)
                scope = block.scope
        for number, row in enumerate(block.rows):
            offsets.append(size)
            origins.append((len(kept), number))
            pieces.append(code(text, row) + ("\n" if row.tail else text[row.end : row.after]))
            size += len(pieces[-1])
        synthesized("\n", _BEHIND)
        kept.append(block)
    program = "".join(pieces)
    return Layout(tuple(cells), tuple(kept), program, tuple(offsets), tuple(origins), tuple(failures))


def rows_of(text: str) -> Iterator[Row]:
    """The rows of a text that ends in a newline, as they are."""
    start = 0
    for newline in NEWLINE.finditer(text):
        yield Row(start, start, newline.start(), newline.end())
        start = newline.end()


def code(text: str, row: Row) -> str:
    """The row of the program for a row of a cell's text, without its newline."""
    return f"{row.head}{row.patched or text[row.content : row.end]}{row.tail}"


def joined(text: str, rows: Iterable[Row]) -> str:
    """Rows of a cell's text as a program."""
    return "".join(f"{code(text, row)}\n" for row in rows)


def syntax_error(program: str) -> tuple[int, int, str] | None:
    """Why a text is not Python: row, column and message; None if it is."""
    try:
        ast.parse(program)
    except SyntaxError as error:
        return error.lineno or 1, max((error.offset or 1) - 1, 0), error.msg or "invalid syntax"
    except (ValueError, RecursionError, MemoryError) as error:
        return 1, 0, "is nested too deeply" if isinstance(error, (RecursionError, MemoryError)) else str(error)
    return None


class Places:
    """Maps spans of a program to its cells."""

    def __init__(self, layout: Layout) -> None:
        """Map the program of a layout."""
        self.layout = layout
        self._program = Lines(layout.program)
        self._cells: dict[int, Lines] = {}

    def of_span(self, span: Span) -> tuple[int, Span]:
        """The cell of a span of the program, and the span there."""
        cell, start = self.layout.place(self._program.offset(span.row, span.column))
        other, end = self.layout.place(self._program.offset(span.end_row, span.end_column))
        lines = self.lines(cell)
        row, column = lines.position(start)
        return cell, Span(row, column, *lines.position(end if other == cell else start))

    def lines(self, cell: int) -> Lines:
        """The rows of a cell."""
        if cell not in self._cells:
            self._cells[cell] = Lines(self.layout.cells[cell].text)
        return self._cells[cell]


def _is_rows(text: str) -> bool:
    """Whether a text is empty or consists of whole rows."""
    return not text or text.endswith(("\n", "\r"))


def _with_margins(text: str, rest: str, block: Block) -> str:
    """The text with the margins of the cell before its new rows; `rest` follows it in the program."""
    pieces: list[str] = []
    end = 0
    for newline in NEWLINE.finditer(text):
        pieces.append(text[end : newline.end()])
        end = newline.end()
        following = NEWLINE.split(text[end:] + rest, maxsplit=1)[0]
        pieces.append(block.margin(following.removeprefix(block.indent)))
        if text.startswith(block.indent, end):
            end += len(block.indent)
    return "".join((*pieces, text[end:]))


def _has_output(text: str, offset: int) -> bool:
    """Whether a row below the code of a doctest shows its output, which would be left without code."""
    row = NEWLINE.split(text[offset : offset + 200], maxsplit=1)[0].strip()
    return bool(row) and not row.startswith((">>>", "...", "```", "~~~", '"""', "'''", "</"))
