"""Findings and diagnostics in the one order of every format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.core.findings import Diagnostic, Finding

if TYPE_CHECKING:
    from done_lint.engine.report import Report

#: What is shown for a diagnostic in place of a rule's code.
DIAGNOSTIC_NAMES = {
    "syntax": "syntax-error",
    "unreadable": "unreadable-file",
    "folder": "unreadable-folder",
    "unwritable": "unwritable-file",
    "internal": "internal-error",
}


def entries(report: Report) -> list[Finding | Diagnostic]:
    """All findings and errors of the report, by path and position."""
    diagnostics = (diagnostic for diagnostic in report.diagnostics if diagnostic.kind in DIAGNOSTIC_NAMES)
    return sorted([*report.findings, *diagnostics], key=_place)


def _place(entry: Finding | Diagnostic) -> tuple[str, int, int, int, str]:
    if isinstance(entry, Diagnostic):
        return (entry.path, entry.cell or 0, entry.row, entry.column, "")
    return (entry.path, entry.cell or 0, entry.span.row, entry.span.column, entry.code)
