"""Output formats: one file each, a function from report to text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from done_lint.engine.report import Report

#: Formats for people come first; the others are for programs.
FORMATS = ("full", "concise", "json")


def render(report: Report, output_format: str, *, color: bool = False, verbose: bool = False) -> str:
    """The report in one of the formats; empty if there is nothing to report.

    `verbose`: `full` shows every finding, however many of one kind a file has, as the other formats do.
    """
    # One format is used in a run: the others need not be imported.
    if output_format == "json":
        from done_lint.reporters import json

        return json.render(report)
    if output_format == "concise":
        from done_lint.reporters import concise

        return concise.render(report, color=color)
    from done_lint.reporters import full

    return full.render(report, color=color, verbose=verbose)
