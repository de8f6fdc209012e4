"""For people: each finding with its code, the trace of the flag, and what to do."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from done_lint.core.file_io import SourceError
from done_lint.core.findings import Diagnostic, Finding, Span
from done_lint.core.paths import section
from done_lint.core.text import Lines, printable
from done_lint.reporters.concise import title
from done_lint.reporters.entries import entries
from done_lint.source.source import Source

if TYPE_CHECKING:
    from done_lint.engine.report import Report

#: Of an expression over more rows than this only the first ones are shown.
_ROWS = 4
#: Of a trace that is longer than this by more than one place, only the first and the last places are shown.
_STEPS = 6
#: Of findings of one kind in one file only so many are shown, and of the rows of the others.
_ALIKE = 5
_LISTED = 10
_QUOTED = re.compile(r"`[^`]*`")


def render(report: Report, *, color: bool = False, verbose: bool = False) -> str:
    """Title, code frame, trace and help of each finding; of many of one kind only where they are, unless `verbose`."""
    text = "".join(f"{one}\n" for one in _entries(report, verbose))
    return text if color else click.unstyle(text)


def _entries(report: Report, verbose: bool) -> Iterator[str]:
    """The findings and errors, and behind the last one that is shown of a kind the places of the others."""
    excerpts = _Excerpts(report)
    alike: dict[tuple[str, str, str], list[Finding]] = {}
    for entry in entries(report):
        if isinstance(entry, Finding):
            alike.setdefault(_kind(entry), []).append(entry)
    shown = Counter[tuple[str, str, str]]()
    for entry in entries(report):
        if isinstance(entry, Diagnostic) or verbose:
            yield _entry(entry, excerpts)
            continue
        kind = _kind(entry)
        shown[kind] += 1
        if shown[kind] <= _ALIKE:
            yield _entry(entry, excerpts)
        if shown[kind] == _ALIKE and len(alike[kind]) > _ALIKE:
            yield _others(alike[kind][_ALIKE:])


def _kind(finding: Finding) -> tuple[str, str, str]:
    """What findings have in common that say the same of different expressions of one file."""
    return finding.path, finding.code, _QUOTED.sub("", finding.message)


def _others(findings: Sequence[Finding]) -> str:
    """One row for findings of a kind that was shown often enough."""
    places = [f"{section(one.cell)}:{one.span.row}" for one in findings[:_LISTED]]
    more = ", ..." if len(findings) > _LISTED else ""
    first = findings[0]
    return (
        f"{click.style(first.code, fg='red', bold=True)} {len(findings)} more of this kind: "
        f"{printable(first.path)}{', '.join(places)}{more} (-v shows all)\n"
    )


def _entry(entry: Finding | Diagnostic, excerpts: _Excerpts) -> str:
    rows = [title(entry)]
    if isinstance(entry, Diagnostic):
        rows.append(_arrow(entry.path, entry.cell, entry.row, entry.column))
        if entry.kind == "syntax":
            rows += excerpts.frame(
                entry.path, entry.cell, Span(entry.row, entry.column, entry.row, entry.column + 1), "red"
            )
        return "\n".join(rows) + "\n"
    rows.append(_arrow(entry.path, entry.cell, entry.span.row, entry.span.column))
    rows += excerpts.frame(entry.path, entry.cell, entry.span, "red")
    rows += _trace(entry, excerpts)
    if entry.certainty == "by name":
        rows.append(
            f"{click.style('note', bold=True)}: inferred from the name only; the source of the value is not known"
        )
    if entry.help:
        rows.append(f"{click.style('help', fg='green', bold=True)}: {entry.help}")
    if entry.fixed_with:
        rows.append(f"{click.style('fix', fg='green', bold=True)}: fixed together with {entry.fixed_with}")
    elif entry.fix is not None and entry.fix.safety != "safe":
        how = {"unsafe": "apply it with `done-lint fix --unsafe-fixes`", "display": "never applied automatically"}[
            entry.fix.safety
        ]
        rows.append(f"{click.style('fix', fg='green', bold=True)}: {entry.fix.title} ({how})")
    if entry.unfixed and not entry.fixable:
        rows.append(f"{click.style(_reason(entry), bold=True)}: {printable(entry.unfixed)}")
    return "\n".join(rows) + "\n"


def _reason(entry: Finding) -> str:
    """What the reason against a fix is for: the fix that was just named is no promise, or there is none."""
    return "not safe" if entry.fix is not None and entry.fix.safety == "unsafe" else "no fix"


def _trace(entry: Finding, excerpts: _Excerpts) -> list[str]:
    """The related places in the order of the flow, each once; the middle of a long trace is left out."""
    trace: dict[tuple[str, int | None, Span], list[str]] = {}
    for place in entry.related:
        trace.setdefault((place.path, place.cell, place.span), []).append(place.message)
    rows: list[str] = []
    for number, ((path, cell, span), messages) in enumerate(trace.items(), 1):
        if _STEPS // 2 < number <= len(trace) - _STEPS // 2 and len(trace) > _STEPS + 1:
            rows += [f"     ({len(trace) - _STEPS} more places)"] if number == _STEPS // 2 + 1 else []
            continue
        message = " and ".join(dict.fromkeys(messages))
        where = f"{printable(path)}{section(cell)}:{span.row}:{span.column + 1}"
        rows.append(f"{click.style(f'  {number}. {printable(message)}', fg='blue')} ({where})")
        if (path, cell, span) != (entry.path, entry.cell, entry.span):
            rows += (f"   {row}" for row in excerpts.frame(path, cell, span, "blue"))
    return rows


def _arrow(path: str, cell: int | None, row: int, column: int) -> str:
    return f"  {click.style('-->', fg='blue')} {printable(path)}{section(cell)}:{row}:{column + 1}"


class _Excerpts:
    """Excerpts of the files in a report."""

    def __init__(self, report: Report) -> None:
        self._texts = report.texts
        self._lines: dict[tuple[str, int | None], Lines] = {}

    def frame(self, path: str, cell: int | None, span: Span, color: str) -> list[str]:
        """The rows of a span, numbered, with marks below it; none where the file cannot be shown."""
        lines = self._of(path, cell)
        last = min(span.end_row, span.row + _ROWS - 1, len(lines))
        width = len(str(last))
        bar = click.style(f"{'':{width}} |", fg="blue")
        rows = []
        for row in range(span.row, last + 1):
            code = lines.row(row)
            start = span.column if row == span.row else len(code) - len(code.lstrip())
            end = span.end_column if row == span.end_row else len(code.rstrip())
            marks = " " * _width(code[:start]) + "^" * max(_width(code[start:end]), 1)
            rows.append(f"{click.style(f'{row:>{width}} |', fg='blue')} {_visible(code)}")
            rows.append(f"{bar} {click.style(marks, fg=color, bold=True)}")
        return rows

    def _of(self, path: str, cell: int | None) -> Lines:
        if (path, cell) not in self._lines:
            try:
                text = self._texts[path, cell] if (path, cell) in self._texts else Source.read(path).text
            except SourceError:
                text = ""
            self._lines[path, cell] = Lines(text)
        return self._lines[path, cell]


def _visible(code: str) -> str:
    """A row of code that is safe to print: no character in it can move the cursor."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in _spaced(code))


def _spaced(code: str) -> str:
    return code.replace("\t", "    ").replace("\f", "")


def _width(code: str) -> int:
    """The width of a text in a terminal."""
    return sum(
        2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in _spaced(code)
    )
