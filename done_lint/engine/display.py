"""What the user sees of a project: its findings, fixes and diffs, in cells and rows, with paths as they are typed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from done_lint.core.findings import Diagnostic, Finding, Fix, Span
from done_lint.core.paths import section, shown
from done_lint.engine.blocked import blocker, withheld
from done_lint.engine.dry_run import Foreseen
from done_lint.engine.fix_loop import FixLoop
from done_lint.engine.lint_project import LintedProject
from done_lint.engine.report import Change, Report

if TYPE_CHECKING:
    from done_lint.source.documents.layout import Places


class Display:
    """Adds one project to a report; until then all positions are those of its programs."""

    def __init__(self, linted: LintedProject, report: Report, foreseen: Foreseen) -> None:
        """`foreseen`: what `fix` would do, or has left alone."""
        self._linted = linted
        self._sources = linted.program.sources
        self._report = report
        self._foreseen = foreseen
        #: Where the code of each document stands in its cells.
        self._places: dict[str, Places] = {}

    def add_project(self) -> None:
        """Add the findings and diagnostics of the files that were asked for, and how many files these are."""
        project = self._linted.project
        self._report.diagnostics += (
            Diagnostic(shown(folder), f"cannot read: {reason}", kind="folder")
            for folder, reason in project.unreadable.items()
        )
        self._report.files += len(project.asked) + len({*self._linted.reported_paths()} & {*project.requirements})
        self.add_findings()

    def add_findings(self) -> None:
        """Add the findings and diagnostics of the files as they are now."""
        for path in self._linted.reported_paths():
            self._report.findings += map(self._finding, self._linted.findings.get(path, []))
            self._report.diagnostics += [
                replace(diagnostic, path=shown(diagnostic.path)) for diagnostic in self._linted.diagnostics(path)
            ]

    def add_changes(self, loop: FixLoop) -> None:
        """Add what the fixes of the project changed."""
        for path, first in loop.first.items():
            left = Counter(finding.code for finding in self._linted.findings.get(path, []))
            self._report.fixed += sum((Counter(finding.code for finding in first) - left).values())
        for path, source in loop.before.items():
            if not loop.changes(path):
                continue
            title = shown(path)
            changes = [
                Change(title + name, before, after)
                for (name, before), (_, after) in zip(source.sections(), self._sources[path].sections())
                if before != after
            ]
            if title in self._report.changed:  # the code was fixed after the docstrings
                changes = [changes[0]._replace(after=self._report.changed[title][0].after)]
            else:
                self._report.written[title] = self._linted.program.data[path]
            self._report.changed[title] = changes

    def _finding(self, finding: Finding) -> Finding:
        """The finding with displayed paths and positions; the texts that they refer to go into the report."""
        related = []
        for place in finding.related:
            cell, span = self._span(place.path, place.span)
            related.append(replace(place, path=shown(place.path), cell=cell, span=span))
        known = finding
        if (other := blocker(finding, self._foreseen.blocked)) is not None:
            cell, span = (None, other.span) if other.around else self._span(other.path, other.span)
            finding = withheld(finding, other.reason(f"{shown(other.path)}{section(cell)}:{span.row}"))
        cell, span = self._span(finding.path, finding.span)
        if finding.path in self._sources and self._sources[finding.path].layout is None:
            self._report.texts[shown(finding.path), None] = self._sources[finding.path].text
        return replace(
            finding,
            path=shown(finding.path),
            cell=cell,
            span=span,
            related=tuple(related),
            fix=finding.fix and self._fix(finding.path, finding.fix),
            fixable=id(known) in self._foreseen.fixed,
            fixed_with=self._foreseen.fixed.get(id(known), ""),
        )

    def _span(self, path: str, span: Span) -> tuple[int | None, Span]:
        """The cell of a span, and the span in it."""
        if (places := self._places_in(path)) is None:
            return None, span
        index, inside = places.of_span(span)
        return self._cell(path, places, index), inside

    def _fix(self, path: str, fix: Fix) -> Fix:
        """The fix with its edits as changes of the cells."""
        if (places := self._places_in(path)) is None:
            return fix
        edits = []
        for edit in fix.edits:
            if (moved := places.layout.shown(edit)) is not None:
                edits.append(moved[1]._replace(cell=self._cell(path, places, moved[0])))
        return replace(fix, edits=tuple(edits))

    def _cell(self, path: str, places: Places, index: int) -> int | None:
        """The number of a cell, whose text goes into the report."""
        cell = places.layout.cells[index]
        self._report.texts[shown(path), cell.number] = cell.text
        return cell.number

    def _places_in(self, path: str) -> Places | None:
        """The places in a document; None for a Python file."""
        source = self._sources.get(path)
        if source is None or source.layout is None:
            return None
        if path not in self._places:
            from done_lint.source.documents.layout import Places

            self._places[path] = Places(source.layout)
        return self._places[path]
