"""Turns IPython's own syntax in a block into rows that Python can parse.

A line magic or a command of the shell becomes a comment behind a `pass`, so that rows and columns do not change; of
`%time x = f()` the Python is kept. Inside a string or an open bracket there are no magics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from done_lint.source.documents.layout import (
    OMITTED_ARGUMENTS,
    OMITTED_PARAMETERS,
    Block,
    Failure,
    Row,
    joined,
    syntax_error,
)
from done_lint.source.python_versions import unread

#: The text before a command in the program, and in place of a command whose result is assigned.
COMMENTED = "pass  # "
ASSIGNED = "..."

#: Cell magics that run the rest of the cell in this kernel (IPython's own, and those of well-known extensions).
_PYTHON_CELLS = frozenset("capture debug memit prun snakeviz time timeit wandb".split())
#: Cell magics that run it in a shell, which may install packages.
_SHELL_CELLS = frozenset("! bash script sh sx system".split())

_CELL_MAGIC = re.compile(r"%%(?P<name>!|\w+)")
#: Line magics that run Python, with their options.
_RUNS_PYTHON = re.compile(
    r"%(?:time(?:\s+--no-raise-error)?"
    r"|(?:timeit|memit)(?:\s+-(?:[nrp]\s*\d+|[tcqov]+))*"
    r"|prun(?:\s+-(?:[lsTD]\s*\S+|[rq]))*)\s+(?=\S)"
)
#: The last two alternatives are magics that need no percent sign.
_COMMAND = re.compile(
    r"%\w|!|\?|(?:pip|pip3|conda|mamba|uv)\s+(?:un)?install\s|(?:cd|ls|mkdir|cat|rm|cp|mv)\s+[-\w./~*]+\s*$"
)
_HELP = re.compile(r"%{0,2}[\w.*\[\]'\"]+\?{1,2}\s*;?\s*$")
_ASSIGNED = re.compile(r"(?P<target>[\w.,\s\[\]'\"*]+?=\s*)(?=!|%\w)")

#: Comment, strings (triple-quoted ones open only), brackets; a quote without an end is a string to the row's end.
_TOKEN = re.compile(
    r"""(?P<comment>\#.*)|(?P<triple>\"{3}|'{3})|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|(?P<open>[(\[{])|(?P<close>[)\]}])"""
)

#: Three dots for omitted arguments.
_OMISSION = re.compile(r"(?<=[(,\s])\.\.\.(?=\s*\))")
_DEFINES = re.compile(r"\s*(?:async\s+)?def\s")


def python_of(text: str, block: Block) -> Block | Failure:
    """The block as Python, with its magics and shared indentation replaced if necessary; else a failure."""
    rows: Sequence[Row] = block.rows
    head = next((place for place, row in enumerate(rows) if _stripped(text, row)), len(rows))
    while head < len(rows) and (cell_magic := _CELL_MAGIC.match(_stripped(text, rows[head]))):
        if cell_magic["name"] in _SHELL_CELLS:
            shell = (row._replace(head="# ", command=True) for row in rows[head + 1 :])
            return replace(block, rows=tuple(shell))
        if cell_magic["name"] not in _PYTHON_CELLS:
            return replace(block, rows=())
        rows = rows[head + 1 :]
        head = next((place for place, row in enumerate(rows) if _stripped(text, row)), len(rows))
    if head == len(rows):
        return replace(block, rows=())
    rows = _dedented(text, rows)
    if syntax_error(joined(text, rows)) is None:
        return replace(block, rows=tuple(rows))
    rows = list(_without_magics(text, rows))
    if (error := syntax_error(joined(text, rows))) is None:
        return replace(block, rows=tuple(rows))
    for arguments in (OMITTED_ARGUMENTS, OMITTED_PARAMETERS):
        # a list of parameters may go over several rows, of which the first alone shows what it is
        patched = [_without_omissions(text, row, arguments) for row in rows]
        if patched != rows and syntax_error(joined(text, patched)) is None:
            return replace(block, rows=tuple(patched))
    number, column, message = error
    row = rows[min(number, len(rows)) - 1]
    reason = unread(joined(text, rows), message).message
    return Failure(block.cell, min(row.content + column, row.end), reason)


def _stripped(text: str, row: Row) -> str:
    return text[row.content : row.end].strip()


def _dedented(text: str, rows: Sequence[Row]) -> Sequence[Row]:
    """The rows without the indentation that all of them share: part of a class, shown alone."""
    first = next(text[row.content : row.end] for row in rows if _stripped(text, row))
    if not first[:1].isspace() or any(row.head for row in rows):
        return rows
    shared = first[: len(first) - len(first.lstrip())]
    for row in rows:
        body = text[row.content : row.end]
        while body.strip() and not body.startswith(shared):
            shared = shared[:-1]
    return [
        row._replace(content=min(row.content + len(shared), row.end)) if _stripped(text, row) else row for row in rows
    ]


def _without_magics(text: str, rows: Sequence[Row]) -> Iterator[Row]:
    """The rows, with Python in place of magics and commands."""
    state = _State()
    in_command = False
    for row in rows:
        body = text[row.content : row.end]
        if in_command:
            in_command = body.rstrip().endswith("\\")
            yield row._replace(head=f"{row.head}# ", command=True)
            continue
        magic = _magic(text, row) if state.fresh else None
        if magic is None:
            state.read(body)
            yield row
        else:
            in_command = body.rstrip().endswith("\\")
            yield magic


def _magic(text: str, row: Row) -> Row | None:
    """The Python for a row at the start of a statement; None if it is Python already."""
    body = text[row.content : row.end]
    code = body.lstrip()
    margin = body[: len(body) - len(code)]
    start = row.content + len(margin)
    if runs := _RUNS_PYTHON.match(code):
        if syntax_error(code[runs.end() :]) is None:
            return row._replace(content=start + runs.end(), head=row.head + margin)
    elif assigned := _ASSIGNED.match(code):
        return row._replace(end=start + assigned.end(), tail=ASSIGNED)
    if _COMMAND.match(code) or _HELP.match(code):
        return row._replace(content=start, head=f"{row.head}{margin}{COMMENTED}", command=True)
    return None


def _without_omissions(text: str, row: Row, arguments: str) -> Row:
    """A row in which the rest of a list of parameters or arguments, `(self, ...)`, is replaced by valid syntax."""
    body = text[row.content : row.end]
    omitted = OMITTED_PARAMETERS if _DEFINES.match(body) else arguments
    new = _OMISSION.sub(omitted, body) if not row.command and not row.tail else body
    return row._replace(patched=new) if new != body else row


class _State:
    """Whether the next row starts a statement: no string, bracket or backslash is open."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._continued = False

    @property
    def fresh(self) -> bool:
        """Whether the next row starts a statement."""
        return not (self._quote or self._depth or self._continued)

    def read(self, body: str) -> None:
        """Update the state by one row."""
        at = 0
        self._continued = False
        while True:
            if self._quote:
                end = _closing(body, self._quote, at)
                if end < 0:
                    return
                self._quote, at = "", end
            token = _TOKEN.search(body, at)
            if token is None:
                break
            at = token.end()
            if token["comment"] is not None:
                return
            if token["triple"]:
                self._quote = token["triple"]
            elif token["open"]:
                self._depth += 1
            elif token["close"]:
                self._depth = max(self._depth - 1, 0)
        self._continued = body.endswith("\\")


def _closing(body: str, quote: str, at: int) -> int:
    """Offset behind the end of a triple-quoted string, -1 where it goes on."""
    while at < len(body):
        if body[at] == "\\":
            at += 2
        elif body.startswith(quote, at):
            return at + 3
        else:
            at += 1
    return -1
