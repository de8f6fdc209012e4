"""One line a finding, for people, editors and `grep`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from done_lint.core.findings import Diagnostic, Finding
from done_lint.core.paths import section
from done_lint.core.text import printable
from done_lint.reporters.entries import DIAGNOSTIC_NAMES, entries

if TYPE_CHECKING:
    from done_lint.engine.report import Report


def render(report: Report, *, color: bool = False) -> str:
    """`path:row:column: GYM101 [*] message`; the star marks what `done-lint fix` fixes."""
    text = "".join(f"{_row(entry)}\n" for entry in entries(report))
    return text if color else click.unstyle(text)


def _row(entry: Finding | Diagnostic) -> str:
    if isinstance(entry, Diagnostic):
        return f"{_place(entry.path, entry.cell, entry.row, entry.column)} {title(entry)}"
    return f"{_place(entry.path, entry.cell, entry.span.row, entry.span.column)} {title(entry)}"


def title(entry: Finding | Diagnostic) -> str:
    """Code, mark and message."""
    message = printable(entry.message)
    if isinstance(entry, Diagnostic):
        return f"{click.style(DIAGNOSTIC_NAMES[entry.kind], fg='red', bold=True)}: {message}"
    star = click.style("[*] ", fg="cyan") if entry.fixable else ""
    return f"{click.style(entry.code, fg='red', bold=True)} {star}{message}"


def _place(path: str, cell: int | None, row: int, column: int) -> str:
    return f"{click.style(printable(path), bold=True)}{section(cell)}:{row}:{column + 1}:"
