"""Diagnostics: what exceptions, unreadable files and parts that are not Python mean to the user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from done_lint.core.file_io import SourceError, TooLarge
from done_lint.core.findings import Diagnostic
from done_lint.core.text import Lines
from done_lint.engine.workers import on_deep_stack
from done_lint.source.python_versions import NEEDS_PYTHON, unread
from done_lint.source.source import Source
from done_lint.source.suppression_warnings import comment_warnings


def of_source(source: Source) -> Iterator[Diagnostic]:
    """Diagnostics of a source that was read: parts that are not Python, suppression comments that have no effect."""
    yield from _of_failures(source)
    for row, column, message in comment_warnings(source):
        if source.layout is None:
            yield Diagnostic(source.path, message, row, column, "warning")
        else:
            place, offset = source.layout.place(Lines(source.text).offset(row, column))
            cell = source.layout.cells[place]
            yield Diagnostic(source.path, message, *Lines(cell.text).position(offset), "warning", cell.number)


def _of_failures(source: Source) -> Iterator[Diagnostic]:
    """The parts of a document that could not be read."""
    if source.layout is None:
        return
    for cell, offset, message in source.layout.failures:
        row, column = Lines(source.layout.cells[cell].text).position(offset)
        shown = message if message.startswith(NEEDS_PYTHON) else f"is not Python: {message}"
        yield Diagnostic(source.path, shown, row, column, "cell", source.layout.cells[cell].number)


def of_exception(path: str, what: str, error: Exception, text: str = "") -> Diagnostic:
    """The diagnostic of an exception; `text` is the Python code that raised it."""
    if isinstance(error, SyntaxError):
        kind, message = on_deep_stack(lambda: unread(text, error.msg or "invalid syntax"))
        # Positions may be missing or 0, where the whole file is the problem.
        return Diagnostic(path, message, error.lineno or 1, max((error.offset or 1) - 1, 0), kind)
    if isinstance(error, (RecursionError, MemoryError)):
        return Diagnostic(path, "is nested too deeply to be analysed", kind="unreadable")
    if type(error).__name__ == "ParserSyntaxError":  # not by its type, so that LibCST need not be imported
        row, column = getattr(error, "raw_line", 1), getattr(error, "raw_column", 0)
        return Diagnostic(path, f"LibCST cannot parse this: {getattr(error, 'message', error)}", row, column)
    if isinstance(error, ValueError) and "null bytes" in str(error):
        return Diagnostic(path, "contains NUL characters", kind="unreadable")
    return internal(path, what, error)


def internal(path: str, what: str, error: Exception) -> Diagnostic:
    """The diagnostic of a failure in done-lint itself."""
    text = " ".join(str(error).split())
    return Diagnostic(path, f"{what}: {type(error).__name__}: {text}", kind="internal")


def unreadable(path: str, error: SourceError) -> Diagnostic:
    """The diagnostic of a file that cannot be read or decoded, or is too large."""
    kind: Literal["skipped", "unreadable"] = "skipped" if isinstance(error, TooLarge) else "unreadable"
    return Diagnostic(path, error.message, error.row, error.column, kind)


def unwritable(path: str, error: SourceError) -> Diagnostic:
    """The diagnostic of a fixed file that cannot be encoded or written; the file keeps its content."""
    return Diagnostic(path, error.message, error.row, error.column, "unwritable")
