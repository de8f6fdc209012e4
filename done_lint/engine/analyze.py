"""Many files: read, survey, link, lint and fix whole projects, in several processes where it pays.

A path is absolute in here, and becomes what the user would write when it leaves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from done_lint.core import apply_edits
from done_lint.core.file_io import SourceError, read_bytes, write_atomically
from done_lint.core.findings import Diagnostic, Edit, Finding, Fix, Span
from done_lint.core.paths import DOCUMENTS, shown
from done_lint.core.text import Lines
from done_lint.engine.dry_run import Applied, Companions, before, gone
from done_lint.engine.jobs import failures, internal, lint_file, unwritable
from done_lint.engine.load import Program
from done_lint.engine.report import Change, Report
from done_lint.engine.workers import Progress, Work, silent
from done_lint.project import prefilter, requirements
from done_lint.project.discovery import Project
from done_lint.source.source import Source
from done_lint.source.suppression_warnings import doubts_in_rows

if TYPE_CHECKING:
    from done_lint.facts.build import Model
    from done_lint.facts.facts import Facts
    from done_lint.flowgraph.schema import Survey
    from done_lint.source.documents.layout import Places

#: Fixes make room for each other; a rule whose fix never settles must not run for ever.
PASSES = 10


def check(
    projects: Sequence[Project], *, given: Mapping[str, bytes] | None = None, progress: Progress = silent
) -> Report:
    """Findings of the files that were asked for.

    `given` holds the content of files that is not the one on disk (standard input).
    """
    report = Report()
    with Work(progress) as work:
        for project in projects:
            linked = _Linked(project, given or {}, work)
            linked.foresee()
            linked.report(report)
            if (examples := linked.examples(given or {})) is not None:
                examples.foresee()
                examples.report_findings(report)
    report.sort()
    return report


def fix(
    projects: Sequence[Project],
    *,
    unsafe: bool = False,
    write: bool = True,
    given: Mapping[str, bytes] | None = None,
    progress: Progress = silent,
) -> Report:
    """Mend the files that were asked for; the findings are those of the result."""
    report = Report()
    with Work(progress) as work:
        for project in projects:
            texts = dict(given or {})
            linked = _Linked(project, texts, work)
            # Docstrings come first: where they change, rows of the code below them move.
            if (examples := linked.examples(texts)) is not None and examples.mended(unsafe, write):
                texts |= {} if write else {path: examples.data[path] for path in examples.before}
                linked = _Linked(project, texts, work)
            linked.mended(unsafe, write)
            linked.report(report)
            if examples is not None:
                if linked.before:
                    texts |= {} if write else {path: linked.data[path] for path in linked.before}
                    (linked.examples(texts) or examples).report_findings(report)
                else:
                    examples.report_findings(report)
                examples.report_changes(report)
    report.sort()
    return report


def surveyed(project: Project) -> dict[str, tuple[Source, Survey]]:
    """The files that the model of a project is made of, surveyed in this process."""
    with Work(silent, processes=1) as work:
        linked = _Linked(project, {}, work, judged=False)
    return {path: (linked.sources[path], survey) for path, survey in linked.surveys.items()}


class _Linked:
    """One project: its surveys and model, and the findings of the files that were asked for."""

    def __init__(
        self,
        project: Project,
        given: Mapping[str, bytes],
        work: Work,
        *,
        docstrings: bool = False,
        judged: bool = True,
    ) -> None:
        """Read and survey the code of the files, or the examples in the docstrings of that code; then link and lint.

        What is not to be `judged` stops at the surveys.
        """
        self.project = project
        self.docstrings = docstrings
        self.given = given
        self.work = work
        self._take(Program(project, given, work, docstrings=docstrings))
        self.facts: dict[str, Facts] = {}
        self.findings: dict[str, list[Finding]] = {}
        #: What the last lint of a file said beside its findings.
        self.lint_diagnostics: dict[str, list[Diagnostic]] = {}
        #: Files that fixes changed, as they were, and their bytes.
        self.before: dict[str, Source] = {}
        self.original: dict[str, bytes] = {}
        #: The edits of each pass over a file, and the fixes of all passes.
        self.edits: defaultdict[str, list[list[Edit]]] = defaultdict(list)
        self.applied: list[Applied] = []
        #: Where the code of a document stands in its cells.
        self.places: dict[str, Places] = {}
        self.surrendered: set[str] = set()
        #: Linking failed, so that nobody knows what the findings rest on.
        self.unlinked = False
        if project.asked:
            self.program.load()
            if judged:
                self.program.parse_rest()
                self._lint()
        if judged:
            self._read_requirements()
        #: The findings before any fix; one that goes away because of a fix in another file was mended too.
        self.first = dict(self.findings)
        #: What `fix` does to those that it fixes: the code that each goes away with, if it has no safe fix of its own.
        self.foreseen: dict[int, str] = {}

    def _take(self, program: Program) -> None:
        self.program = program
        self.data = program.data
        self.sources = program.sources
        self.surveys = program.surveys
        self.diagnostics = program.diagnostics
        self.survey_diagnostics = program.survey_diagnostics

    def examples(self, given: Mapping[str, bytes]) -> _Linked | None:
        """The same for the examples in docstrings, if they are to be looked at and there may be any."""
        asked = set(self.project.asked) if self.project.settings.include_docs else set()
        found = [path for path in sorted(asked & self.data.keys()) if not path.endswith(DOCUMENTS)]
        found = [path for path in found if b">>>" in self.data[path]]
        if not found:
            return None
        project = Project(self.project.root, self.project.settings, found, alone=True)
        return _Linked(project, given, self.work, docstrings=True)

    # --- from bytes to findings -------------------------------------------------------------------------

    def _lint(self) -> None:
        """Link, and lint those files that were asked for and whose facts are new."""
        asked = sorted(self.surveys.keys() & set(self.project.asked))
        if not asked:
            return
        model = self._link()
        candidates = []
        for path in asked:
            facts = model.facts(path)
            if self.facts.get(path) == facts:
                continue
            self.facts[path] = facts
            self.findings[path] = []
            if (facts or prefilter.may_import_gym(self.data[path])) and self.program.can_report(path):
                candidates.append(path)
        jobs = [(self.sources[path], self.facts[path], self.project.settings) for path in candidates]
        results = self.work.map(lint_file, jobs, "Checking", sum(len(self.data[path]) for path in candidates))
        for path, (findings, diagnostics) in zip(candidates, results):
            self.findings[path] = [self._held_back(finding) for finding in findings]
            self.lint_diagnostics[path] = diagnostics

    def _read_requirements(self) -> None:
        """Look into the files that name packages."""
        for path in self.project.requirements:
            if not self.project.settings.enabled(requirements.CODE, path) or (data := self.program.read(path)) is None:
                continue
            text, findings = requirements.check(path, data)
            if unclear := doubts_in_rows(text):
                self.diagnostics[path] += [Diagnostic(path, said, row, at, "warning") for row, at, said in unclear]
            if findings:
                self.sources[path], self.findings[path] = Source(path, text), findings

    def _link(self) -> Model:
        try:
            return self.program.link()
        except Exception as error:  # one project's trouble must not hide the findings of the others
            from done_lint.facts.build import Model

            if not self.unlinked:
                root = self.project.root
                self.diagnostics[self.project.asked[0]].append(internal(root, "linking the project failed", error))
            self.unlinked = True
            return Model()

    # --- what a fix would do ----------------------------------------------------------------------------

    def foresee(self) -> None:
        """Learn which findings `fix` would fix, by trying it in memory unless each one speaks for itself."""
        findings = [finding for found in self.first.values() for finding in found]
        safe = [finding for finding in findings if finding.fix and _applies(finding.fix, unsafe=False)]
        if not safe or self.unlinked:
            return
        if len(safe) == len(findings):
            self.foreseen = {id(finding): "" for finding in safe}
            return
        trial = self._fork()
        trial.mend(unsafe=False)
        self.foreseen = trial._outcome()

    def _fork(self) -> _Linked:
        """The same for a trial, which leaves this one as it is."""
        twin = copy(self)
        twin._take(self.program.fork())
        for name in ("facts", "findings", "lint_diagnostics", "before", "original", "surrendered"):
            setattr(twin, name, copy(getattr(self, name)))
        twin.edits, twin.applied = defaultdict(list), []
        return twin

    def _outcome(self) -> dict[int, str]:
        """The first findings that are gone, by identity, each with the code that it went away with."""
        found: dict[int, str] = {}
        companions = Companions(self.applied)
        lines = {path: Lines(self.before.get(path, source).text) for path, source in self.sources.items()}
        for path, first in self.first.items():
            now = self._offsets_at_first(path, self.findings.get(path, []))
            for code in {finding.code for finding in first}:
                by_offset: defaultdict[int, list[Finding]] = defaultdict(list)
                for finding in first:
                    if finding.code == code:
                        by_offset[lines[path].offset(*finding.span[:2])].append(finding)
                for finding in gone(by_offset, [offset for other, offset in now if other == code]):
                    found[id(finding)] = ""
                    if finding.fix is None or finding.fix.safety != "safe":
                        trace = [
                            (
                                place.path,
                                lines[place.path].offset(*place.span[:2]),
                                lines[place.path].offset(*place.span[2:]),
                            )
                            for place in finding.related
                            if place.path in lines
                        ]
                        found[id(finding)] = companions.of(finding, lines[path].offset(*finding.span[:2]), trace)
        return found

    def _offsets_at_first(self, path: str, findings: Iterable[Finding]) -> list[tuple[str, int]]:
        """The codes of findings in a file as it is now, and where their places were before any fix."""
        lines = Lines(self.sources[path].text) if path in self.sources else Lines("")
        found = []
        for finding in findings:
            offset = lines.offset(*finding.span[:2])
            for edits in reversed(self.edits[path]):
                offset = before(offset, edits)
            found.append((finding.code, offset))
        return found

    # --- fixing -----------------------------------------------------------------------------------------

    def mended(self, unsafe: bool, write: bool) -> bool:
        """Mend, and write what changed if that is wanted; whether anything did."""
        self.mend(unsafe)
        if write:
            self.write()
        return bool(self.before)

    def mend(self, unsafe: bool) -> None:
        """Apply what can be applied, lint the result, and again until nothing applies; nothing in an unlinked project.

        Half of a project's fixes would be worse than none: the imports would move, and not what depends on them.
        """
        for _ in range(PASSES):
            mended = [path for path in sorted(self.findings) if not self.unlinked and self._apply(path, unsafe)]
            if not mended:
                break
            self.program.survey_again(mended)
            self._restore_unparsable(mended)
            self._lint()
            if self._restore_unparsable(mended):
                self._lint()
        if self.unlinked:
            self._take_back()

    def _take_back(self) -> None:
        """Forget every fix."""
        for path, source in self.before.items():
            self.sources[path] = source
            self.data[path] = self.original[path]
        self.before.clear()
        self.findings = dict(self.first)

    def _apply(self, path: str, unsafe: bool) -> bool:
        """Apply the fixes of one file in memory; whether that changed it."""
        fixes = [finding.fix for finding in self.findings[path] if finding.fix and _applies(finding.fix, unsafe)]
        if not fixes or path in self.surrendered:
            return False
        source = self.sources[path]
        fixed = [finding for finding in self.findings[path] if finding.fix and _applies(finding.fix, unsafe)]
        made = [Applied(path, code, offset) for code, offset in self._offsets_at_first(path, fixed)]
        try:
            edits, _ = apply_edits.chosen(len(source.text), fixes)
            data = source.rewritten(self.data[path], edits)
        except SourceError as error:
            self._surrender(path, unwritable(path, error))
            return False
        except ValueError as error:
            self._surrender(path, internal(path, "fixing failed", error))
            return False
        if data == self.data[path]:
            return False
        self.before.setdefault(path, source)
        self.original.setdefault(path, self.data[path])
        self.edits[path].append(edits)
        self.applied += made
        self.data[path] = data
        del self.surveys[path], self.facts[path]
        return True

    def _held_back(self, finding: Finding) -> Finding:
        """The finding, without its fix where that has to wait for files that nobody asked for."""
        asked = set(self.project.asked)
        missing = [path for path in finding.fix.together if path not in asked] if finding.fix else []
        if not missing:
            return finding
        return replace(finding, fix=None, unfixed=f"`{shown(missing[0])}` has to change with it; fix both together")

    def _restore_unparsable(self, paths: Iterable[str]) -> bool:
        """Take back all that was done to the files that do not parse any more."""
        broken = [
            path
            for path in paths
            if path not in self.surveys
            or any(found.kind == "syntax" for found in self.lint_diagnostics.get(path, ()))
            or (path in self.before and failures(self.sources[path]) > failures(self.before[path]))
        ]
        for path in broken:
            del self.before[path]
            self.edits.pop(path, None)
            self.applied = [fix for fix in self.applied if fix.path != path]
            self.data[path] = self.original[path]
            self.diagnostics[path].clear()
            self.lint_diagnostics[path] = []
            self.facts.pop(path, None)
            codes = ", ".join(sorted({finding.code for finding in self.first[path] if finding.fix}))
            why = f"the fixes of {codes} gave a file that does not parse; left as it was"
            self._surrender(path, Diagnostic(path, why, kind="internal"))
        self.program.survey_again(broken)
        return bool(broken)

    def _surrender(self, path: str, diagnostic: Diagnostic) -> None:
        """Leave a file alone from now on."""
        self.surrendered.add(path)
        self.diagnostics[path].append(diagnostic)

    def write(self) -> None:
        """Write the files that changed."""
        for path, source in list(self.before.items()):
            if path in self.given or self.data[path] == self.original[path]:
                continue
            try:
                if read_bytes(path) != self.original[path]:
                    raise SourceError("changed while done-lint was at work; not written")
                write_atomically(path, self.data[path], self.project.root)
            except SourceError as error:
                del self.before[path]
                self.sources[path], self.findings[path] = source, self.first[path]
                self.diagnostics[path].append(unwritable(path, error))

    # --- reporting --------------------------------------------------------------------------------------

    def report(self, report: Report) -> None:
        """Add this project to the report, as the user is to see it; files that nobody asked for stay out."""
        report.diagnostics += (
            Diagnostic(shown(folder), f"cannot read: {why}", kind="folder")
            for folder, why in self.project.unreadable.items()
        )
        report.files += len(self.project.asked) + sum(path in self._told for path in self.project.requirements)
        self.report_findings(report)
        self.report_changes(report)

    @property
    def _told(self) -> set[str]:
        """Files with something to say."""
        return self.diagnostics.keys() | self.survey_diagnostics.keys() | self.findings.keys()

    def report_findings(self, report: Report) -> None:
        """What is to be said of the files as they are now."""
        told = self._told
        for path in (*self.project.asked, *self.project.requirements):
            if path in told:
                report.findings += (self._displayed(finding, report) for finding in self.findings.get(path, []))
                said = (self.diagnostics, self.survey_diagnostics, self.lint_diagnostics)
                diagnostics = [found for by_path in said for found in by_path.get(path, [])]
                report.diagnostics += [replace(found, path=shown(found.path)) for found in diagnostics]

    def report_changes(self, report: Report) -> None:
        """What fixes did."""
        for path, first in self.first.items():
            left = Counter(finding.code for finding in self.findings.get(path, []))
            report.fixed += sum((Counter(finding.code for finding in first) - left).values())
        for path, source in self.before.items():
            if self.data[path] == self.original[path]:
                continue
            display = shown(path)
            changes = [
                Change(display + name, before, after)
                for (name, before), (_, after) in zip(source.sections(), self.sources[path].sections())
                if before != after
            ]
            if display in report.changed:  # by the code, after the docstrings
                changes = [changes[0]._replace(after=report.changed[display][0].after)]
            else:
                report.written[display] = self.data[path]
            report.changed[display] = changes

    def _displayed(self, finding: Finding, report: Report) -> Finding:
        """The finding with paths and positions as the user knows them; the texts they refer to go into the report."""
        related = []
        for place in finding.related:
            cell, span = self._shown_span(place.path, place.span, report)
            related.append(replace(place, path=shown(place.path), cell=cell, span=span))
        cell, span = self._shown_span(finding.path, finding.span, report)
        if finding.path in self.sources and self.sources[finding.path].layout is None:
            report.texts[shown(finding.path), None] = self.sources[finding.path].text
        mend = finding.fix and self._shown_fix(finding.path, finding.fix, report)
        return replace(
            finding,
            path=shown(finding.path),
            cell=cell,
            span=span,
            related=tuple(related),
            fix=mend,
            fixable=id(finding) in self.foreseen,
            fixed_with=self.foreseen.get(id(finding), ""),
        )

    def _shown_span(self, path: str, span: Span, report: Report) -> tuple[int | None, Span]:
        """The cell of a span, and the span in it."""
        if (places := self._places(path)) is None:
            return None, span
        index, there = places.of_span(span)
        return self._shown_cell(path, index, report), there

    def _shown_fix(self, path: str, mend: Fix, report: Report) -> Fix:
        """The fix with its edits as changes of the cells."""
        if (places := self._places(path)) is None:
            return mend
        edits = []
        for edit in mend.edits:
            if (moved := places.layout.shown(edit)) is not None:
                edits.append(moved[1]._replace(cell=self._shown_cell(path, moved[0], report)))
        return replace(mend, edits=tuple(edits))

    def _shown_cell(self, path: str, index: int, report: Report) -> int | None:
        source = self.sources[path]
        assert source.layout is not None
        cell = source.layout.cells[index]
        report.texts[shown(path), cell.number] = cell.text
        return cell.number

    def _places(self, path: str) -> Places | None:
        """Where the code of a document stands; None for a Python file."""
        source = self.sources.get(path)
        if source is None or source.layout is None:
            return None
        from done_lint.source.documents.layout import Places

        if path not in self.places or self.places[path].layout is not source.layout:
            self.places[path] = Places(source.layout)
        return self.places[path]


def _applies(fix: Fix, unsafe: bool) -> bool:
    return fix.safety == "safe" or (unsafe and fix.safety == "unsafe")
