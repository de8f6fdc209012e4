"""Sessions with the prompts `>>>` and `...`, in documents and in the docstrings of Python files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from done_lint.core.text import Lines
from done_lint.source.documents.layout import Block, Row, rows_of

_PROMPT = re.compile(r"""[ \t]*(?:[rRuU]?(?:\"{3}|'{3}))?(?P<prompt>>>>|\.\.\.)(?: |$)""")


def blocks(text: str, rows: Sequence[Row]) -> Iterator[Block]:
    """The sessions in rows of a document: each from its first prompt to prose that no prompt follows directly."""
    session: list[Row] = []
    prefix = ""
    gap = False
    for row in rows:
        body = text[row.content : row.end]
        match = _PROMPT.match(body)
        if match is None or (match["prompt"] == "..." and not session):
            gap = gap or not body.strip()
            continue
        if session and gap and match["prompt"] == "...":
            continue
        if session and gap:
            yield Block(0, tuple(session), prefix, prompts=True)
            session = []
        if not session:
            prefix = text[row.start : row.content] + body[: match.start("prompt")]
            prefix = prefix if not prefix.strip(" \t>") else " " * len(prefix)
        gap = False
        session.append(row._replace(content=row.content + match.end(), head=""))
    if session:
        yield Block(0, tuple(session), prefix, prompts=True)


def docstring_blocks(text: str) -> Iterator[Block]:
    """The sessions in the docstrings of a Python file.

    Raises:
        SyntaxError, ValueError, RecursionError: it is not Python.
    """
    if ">>>" not in text:
        return
    # Python ends a row where `Lines` does.
    rows = list(rows_of(text + "\n"))
    lines = Lines(text)
    tree = ast.parse(text)
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = [_docstring(node) for node in ast.walk(tree) if isinstance(node, owners)]
    found = sorted((node for node in docstrings if node is not None), key=lambda node: node.lineno)
    for number, node in enumerate(found, 1):
        last = min(node.end_lineno or node.lineno, len(lines))
        # As in doctest, a docstring does not share its names with another one.
        for block in blocks(text, rows[node.lineno - 1 : last]):
            yield replace(block, scope=number)


def _docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> ast.Constant | None:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.value
    return None
