"""Lints one project: its surveys are linked to facts, and the rules run on the files whose facts are new."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from done_lint.core.findings import Diagnostic, Finding
from done_lint.core.paths import DOCUMENTS, shown
from done_lint.engine.blocked import Blocked, Blocker, Left, all_members, unmoved
from done_lint.engine.configured_ids import with_configured_ids
from done_lint.engine.diagnostics import internal
from done_lint.engine.jobs import Linted, lint_file
from done_lint.engine.load import Program
from done_lint.engine.package_lists import PackageLists
from done_lint.engine.project_obstacles import obstacles_of_project
from done_lint.engine.release_border import ReleaseBorder
from done_lint.engine.shown_code import shown_by
from done_lint.engine.unconnected_readers import UnconnectedReaders
from done_lint.engine.unselected_callers import unselected, with_callers
from done_lint.project import prefilter, requirements
from done_lint.project.discovery import Project
from done_lint.project.kept_old import KeptOld
from done_lint.source.source import Source
from done_lint.source.suppression_warnings import comment_warnings_in_rows

if TYPE_CHECKING:
    from done_lint.facts.build import Model
    from done_lint.facts.facts import Facts
    from done_lint.facts.kinds.obstacles import Obstacle

#: The kinds of diagnostics of a file that was linted which say that rules failed on it.
FAILURES = ("internal", "syntax", "unreadable")


def lint_project(program: Program, around: Mapping[str, Facts] | None = None) -> LintedProject:
    """Load a program, lint the files that were asked for, and check the files that name packages.

    Of the examples in docstrings, `around` are the facts of the code that they stand in.
    """
    linted = LintedProject(program, around)
    if program.project.asked:
        program.load()
        program.parse_rest()
        linted.lint()
    linted.check_requirements()
    return linted


class LintedProject:
    """The program of one project, and the findings of the files that were asked for, as they are now."""

    def __init__(self, program: Program, around: Mapping[str, Facts] | None = None) -> None:
        """Lint nothing yet."""
        self.program = program
        self._around = around or {}
        self.project = program.project
        self.facts: dict[str, Facts] = {}
        self.findings: dict[str, list[Finding]] = {}
        #: Findings that comments silence, and those of files that were not asked for and share a family with those
        #: that were: no run changes these.
        self.silenced: dict[str, list[Finding]] = {}
        self.beyond: dict[str, list[Finding]] = {}
        #: What keeps families from being changed, beside findings.
        self.obstacles: tuple[Obstacle, ...] = ()
        #: Of examples: by member of a family, what keeps the code that they show as it is.
        self.waiting: dict[str, Blocker] = {}
        #: The families that safe fixes change.
        self._changing: set[str] = set()
        #: Diagnostics of the last run of the rules, by file.
        self.lint_diagnostics: dict[str, list[Diagnostic]] = {}
        #: The files of which the rules did not say all that they would, and why: one of them failed.
        self.failures: dict[str, Diagnostic] = {}
        #: Linking failed, so that the findings are not reliable enough to fix anything.
        self.link_failed = False
        #: What is kept old on purpose, by file.
        self.kept: dict[str, list[Diagnostic]] = {}
        self._asked = frozenset(program.project.asked)
        self._lists = PackageLists(program)
        self._border = ReleaseBorder(program.project.settings)
        #: Every file that imports Gym uses it as Gym.
        self._requires_gym = False

    def fork(self) -> LintedProject:
        """A copy for a trial, which leaves this project as it is."""
        twin = LintedProject(self.program.fork(), self._around)
        twin.facts, twin.findings = copy(self.facts), copy(self.findings)
        twin.silenced, twin.beyond, twin._changing = copy(self.silenced), copy(self.beyond), copy(self._changing)
        twin.lint_diagnostics, twin.link_failed = copy(self.lint_diagnostics), self.link_failed
        twin._border = self._border
        twin.failures, twin.kept = copy(self.failures), {path: [*found] for path, found in self.kept.items()}
        return twin

    def examples(self, given: Mapping[str, bytes]) -> LintedProject | None:
        """The examples in the docstrings of the files, if they are to be linted and there may be any."""
        data, settings = self.program.data, self.project.settings
        asked = sorted(self._asked & data.keys()) if settings.include_docs else []
        found = [path for path in asked if not path.endswith(DOCUMENTS) and b">>>" in data[path]]
        old = self.program.kept_old
        found = [path for path in found if path not in old.files]
        if not found:
            return None
        project = Project(self.project.root, settings, found, alone=True)
        # what a file imports, the examples in it may import as well
        gym = frozenset(path for path in found if path in self.facts and self.facts[path].keeps_gym)
        kept = KeptOld(migrated=old.migrated, gym=gym, needs=old.needs)
        around = {path: self.facts[path] for path in found if path in self.facts}
        beside = self.program.paths
        return lint_project(Program(project, given, self.program.work, examples_of=beside, kept=kept), around)

    def wait_for(self, code: LintedProject, blocked: Blocked) -> None:
        """Let these examples stay as they are where code that they show stays, for what is `blocked` or has no fix."""
        for path, facts in self.facts.items():
            shown_files = shown_by(path, self.program, code.program)
            found = (one for other in shown_files for one in code.findings.get(other, []))
            first = next(filter(None, (unmoved(one, blocked) for one in found)), None)
            if first is not None and "gymnasium" not in self.program.surveys[path].packages:
                self.waiting |= dict.fromkeys(all_members(path, facts), replace(first, around=True))

    def lint(self) -> None:
        """Link the surveys, and lint those files that were asked for and whose facts are new."""
        program = self.program
        asked = sorted(program.surveys.keys() & self._asked)
        if not asked:
            return
        model = self._link()
        self._requires_gym = self._is_required(model)
        self.kept = self._kept(asked)
        left = unselected(program.surveys, model.facts, self.project.settings)
        apart, border = UnconnectedReaders(program), partial(self._border.with_border, model=model)
        for path, (findings, diagnostics, silenced) in self._linted(asked, model):
            whole = (with_callers(self._with_whole_fix(finding), left) for finding in findings)
            self.findings[path] = [border(apart.with_readers(finding)) for finding in whole]
            self.lint_diagnostics[path] = diagnostics
            self.silenced[path] = [border(finding) for finding in silenced]
            self._note_failure(path, diagnostics)
        for path, (findings, diagnostics, silenced) in self._linted(self._sharing(model), model):
            self.beyond[path] = [border(finding) for finding in (*findings, *silenced)]
            self._note_failure(path, diagnostics)
        for path in asked:
            if self._is_for_gym(path):
                message = f"`{shown(path)}` (it uses `{self.facts[path].kept_by}`, which needs Gym)"
                self.kept.setdefault(path, []).append(Diagnostic(path, message, kind="kept"))
        others = obstacles_of_project(program, model, self.facts, self.findings, self.failures)
        self.obstacles = (*model.obstacles, *others)

    def _note_failure(self, path: str, diagnostics: Sequence[Diagnostic]) -> None:
        """Remember whether the rules failed on a file, the last time."""
        self.failures.pop(path, None)
        self.failures.update((path, one) for one in diagnostics if one.kind in FAILURES)

    def _linted(self, paths: Iterable[str], model: Model) -> Iterator[tuple[str, Linted]]:
        """The results of those of these files whose facts are new."""
        program = self.program
        known = {path: self._facts_of(path, model) for path in paths}
        changed = [path for path, facts in known.items() if self.facts.get(path) != facts]
        self.facts |= {path: known[path] for path in changed}
        candidates = [
            path
            for path in changed
            if path not in program.kept_old.files
            and not self._is_for_gym(path)
            and (self.facts[path] or prefilter.may_import_gym(program.data[path]))
            and program.can_report(path, self.facts[path])
        ]
        for path in candidates:
            self.project.settings.releases(path)  # what is read for them is noted in this process
        found = self._answers(candidates)
        for path in changed:
            yield path, found.get(path, Linted([], [], []))

    def _answers(self, paths: Sequence[str]) -> dict[str, Linted]:
        """What the rules say of files, in this run or in an earlier one."""
        program, settings = self.program, self.project.settings
        marks: dict[int, str] = {}
        names = {
            path: program.parts.name_of_answer(program.data[path], self.facts[path], settings, marks) for path in paths
        }
        found = {path: known for path in paths if (known := program.parts.answer(names[path])) is not None}
        rest = [path for path in paths if path not in found]
        jobs = [(program.sources[path], self.facts[path], settings) for path in rest]
        results = program.work.map(lint_file, jobs, "Checking", sum(len(program.data[path]) for path in rest))
        for path, linted in zip(rest, results):
            program.parts.keep_answer(names[path], linted)
        return found | dict(zip(rest, results))

    def _facts_of(self, path: str, model: Model) -> Facts:
        """What is known of a file; of a set-up script also what the whole project needs."""
        facts = self._kept_with_code(path, with_configured_ids(self.program, model.facts(path)))
        if self._requires_gym and os.path.basename(path) == "setup.py":
            return replace(facts, requires_gym=True)
        return facts

    def _kept_with_code(self, path: str, facts: Facts) -> Facts:
        """The facts of examples: what keeps the code around them with Gym keeps them, but for those on Gymnasium."""
        around = self._around.get(path)
        chosen = facts.kept_by or "gymnasium" in self.program.surveys[path].packages
        if around is None or not around.kept_by or chosen:
            return facts
        package = facts.old_package or around.kept_by
        return replace(facts, kept_by=around.kept_by, old_package=package, keeper=around.keeper)

    def _sharing(self, model: Model) -> list[str]:
        """The files that were not asked for and share a family with a safe fix."""
        others = self.program.surveys.keys() - self._asked
        if not others:
            return []
        for findings in self.findings.values():
            safe = (finding.family for finding in findings if finding.fix is not None and finding.fix.safety == "safe")
            self._changing.update(*safe)
        return sorted(path for path in others if not self._changing.isdisjoint(model.facts(path).all_families))

    def standing(self) -> Iterator[Left]:
        """What no run changes, with the reason."""
        for path in sorted(self.silenced):
            # who only uses what Gymnasium makes changes alone
            found = (one for one in self.silenced[path] if any("#" not in member for member in one.family))
            yield from (Left(finding, "is silenced by a comment") for finding in found)
        for path in sorted(self.beyond):
            yield from (Left(finding, "is not among the files to fix") for finding in self.beyond[path])

    def reported_paths(self) -> Iterator[str]:
        """The files that have findings or diagnostics, in the order of the project."""
        program = self.program
        known = program.diagnostics.keys() | program.survey_diagnostics.keys() | self.findings.keys() | self.kept.keys()
        return (path for path in (*self.project.asked, *self.project.requirements) if path in known)

    def diagnostics(self, path: str) -> list[Diagnostic]:
        """All diagnostics of a file."""
        sources = (self.program.diagnostics, self.program.survey_diagnostics, self.lint_diagnostics, self.kept)
        return [diagnostic for by_path in sources for diagnostic in by_path.get(path, [])]

    def _link(self) -> Model:
        try:
            return self.program.link()
        except Exception as error:  # a failure in one project must not hide the findings of the others
            from done_lint.facts.build import Model

            if not self.link_failed:
                diagnostic = internal(self.project.root, "linking the project failed", error)
                self.program.diagnostics[self.project.asked[0]].append(diagnostic)
            self.link_failed = True
            return Model()

    def _is_for_gym(self, path: str) -> bool:
        """Whether a document of a project on Gymnasium shows code with a package that needs Gym, and no other code."""
        if not path.endswith(DOCUMENTS) or not self.project.settings.find_kept_old or path not in self.facts:
            return False
        facts, survey = self.facts[path], self.program.surveys[path]
        kept = bool(facts.kept_by) and facts.keeper is not None and facts.keeper.test is None
        return kept and "gymnasium" not in survey.packages and self.program.migrated

    def _is_required(self, model: Model) -> bool:
        """Whether every file that imports Gym uses it as Gym, and some file does."""
        surveys = self.program.surveys.items()
        importing = [path for path, survey in surveys if "gym" in survey.packages and not survey.page]
        return bool(importing) and all(model.facts(path).keeps_gym for path in importing)

    def _kept(self, asked: Sequence[str]) -> dict[str, list[Diagnostic]]:
        """One line for each place that is kept old on purpose: with the first file of a folder."""
        old = self.program.kept_old
        found: dict[str, list[Diagnostic]] = {}
        listed: set[str] = set()
        for path in asked:
            if (place := old.files.get(path)) is not None:
                if place.path not in listed:
                    listed.add(place.path)
                    message = f"`{shown(place.path)}` ({place.reason})"
                    found.setdefault(path, []).append(Diagnostic(path, message, kind="kept"))
            elif old.migrated:
                found.setdefault(path, []).extend(
                    Diagnostic(path, f"the name of the class says `{word}`", span.row, kind="kept")
                    for span, word in self.program.surveys[path].old_classes
                )
        return found

    def check_requirements(self) -> None:
        """Check the files that name packages."""
        for path in self.project.requirements:
            kept = self._lists.reason_kept(path, requires_gym=self._requires_gym)
            enabled = self.project.settings.enabled(requirements.CODE, path)
            if not (kept or (kept is None and enabled)) or (data := self.program.read(path)) is None:
                continue
            text, findings = requirements.check(path, data, lambda: self._lists.imports_gym)
            if kept is not None:
                if findings and all(one.message != kept for found in self.kept.values() for one in found):
                    self.kept.setdefault(path, []).append(Diagnostic(path, kept, kind="kept"))
                continue
            if unclear := comment_warnings_in_rows(text):
                self.program.diagnostics[path] += [
                    Diagnostic(path, message, row, column, "warning") for row, column, message in unclear
                ]
            if findings:
                self.program.sources[path], self.findings[path] = Source(path, text), findings

    def _with_whole_fix(self, finding: Finding) -> Finding:
        """The finding, without a fix that nothing vouches for, or that would change files that were not asked for."""
        if self.link_failed and finding.fix:
            return replace(finding, fix=None, unfixed="the project could not be analyzed as a whole")
        missing = [path for path in finding.fix.together if path not in self._asked] if finding.fix else []
        if not missing:
            return finding
        return replace(
            finding, fix=None, unfixed=f"`{shown(missing[0])}` must change together with this file; run `fix` on both"
        )
