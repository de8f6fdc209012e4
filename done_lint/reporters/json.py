"""For machines: the field names of ruff, and some of done-lint's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from done_lint.core.findings import Diagnostic, Finding, Fix
from done_lint.core.text import Lines
from done_lint.reporters.entries import DIAGNOSTIC_NAMES, entries

if TYPE_CHECKING:
    from done_lint.engine.report import Report

#: The rows of a file, or of one of its cells.
_Texts = Mapping[tuple[str, "int | None"], Lines]


def render(report: Report) -> str:
    """One array; rows and columns count from 1, columns in characters."""
    lines = {place: Lines(text) for place, text in report.texts.items()}
    objects = [
        _diagnostic(entry) if isinstance(entry, Diagnostic) else _finding(entry, lines) for entry in entries(report)
    ]
    return json.dumps(objects, indent=2) + "\n"


def _finding(finding: Finding, lines: _Texts) -> dict[str, Any]:
    span = finding.span
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "filename": finding.path,
        "cell": finding.cell,
        "location": _location(span.row, span.column),
        "end_location": _location(span.end_row, span.end_column),
        "fix": _fix(finding, finding.fix, lines) if finding.fix else None,
        "unfixed": _unfixed(finding),
        "related": [
            {
                "filename": place.path,
                "cell": place.cell,
                "location": _location(place.span.row, place.span.column),
                "message": place.message,
            }
            for place in finding.related
        ],
        "certainty": finding.certainty,
        "noqa_row": _noqa_row(span.row, lines[finding.path, finding.cell]),
        "url": None,
    }


def _unfixed(finding: Finding) -> str:
    """Why the finding has no safe fix of its own; empty where it has one."""
    if finding.fixed_with:
        return f"fixed together with {finding.fixed_with}"
    return "" if finding.fixable else finding.unfixed


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    place = _location(diagnostic.row, diagnostic.column)
    return {
        "code": None,
        "name": DIAGNOSTIC_NAMES[diagnostic.kind],
        "message": diagnostic.message,
        "filename": diagnostic.path,
        "cell": diagnostic.cell,
        "location": place,
        "end_location": place,
        "fix": None,
        "unfixed": "",
        "related": [],
        "certainty": "proven",
        "noqa_row": diagnostic.row,
        "url": None,
    }


def _fix(finding: Finding, fix: Fix, lines: _Texts) -> dict[str, Any]:
    return {
        "applicability": fix.safety,
        "message": fix.title,
        "edits": [
            {
                "content": edit.text,
                "cell": edit.cell,
                "location": _location(*lines[finding.path, edit.cell].position(edit.start)),
                "end_location": _location(*lines[finding.path, edit.cell].position(edit.end)),
            }
            for edit in fix.edits
        ],
    }


def _location(row: int, column: int) -> dict[str, int]:
    return {"row": row, "column": column + 1}


def _noqa_row(row: int, lines: Lines) -> int:
    """The row in which a comment can silence this one: not one that a backslash continues."""
    while lines.row(row).endswith("\\"):
        row += 1
    return row
