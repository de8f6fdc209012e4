"""The fix loop: apply what applies, lint the result, and repeat until nothing changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from done_lint.core import apply_edits
from done_lint.core.alignment import aligned
from done_lint.core.apply_edits import Moved
from done_lint.core.file_io import SourceError, read_bytes, write_atomically
from done_lint.core.findings import SHOWS_NO_MORE, Diagnostic, Edit, Family, Finding, Fix, Span
from done_lint.core.paths import shown
from done_lint.core.reach import reach
from done_lint.core.text import Lines
from done_lint.engine.blocked import Blocked, Blocker, Left, all_members, blocked_by, blocker, idle, members, obstructed
from done_lint.engine.diagnostics import internal, unwritable
from done_lint.engine.lint_project import LintedProject
from done_lint.engine.post_conditions import FixedFile, Made, broken
from done_lint.engine.workers import on_deep_stack
from done_lint.facts.facts import Facts
from done_lint.project import requirements
from done_lint.source.source import Source

#: Fixes make room for each other; a rule whose fix never settles must not run for ever.
PASSES = 10


class Applied(NamedTuple):
    """A fix that was applied: its rule, its place in the file as it was before any fix, and what it changes with."""

    path: str
    code: str
    offset: int
    family: Family = frozenset()


def settled(linted: LintedProject, *, unsafe: bool = False) -> FixLoop:
    """The fixes of one project that leave no family half changed, applied to a copy in memory.

    What cannot be fixed shows only once all that can be is: the fixes of its family are undone then.
    """
    hidden = [one for found in linted.findings.values() for one in found if one.incompatibility == SHOWS_NO_MORE]
    before = blocked_by(map(Left, hidden), {})
    blocked: Blocked = {} if unsafe else {**before, **obstructed(linted.obstacles), **linted.waiting}
    abandoned: dict[str, Diagnostic] = {}
    while True:
        loop = FixLoop(linted.fork(), unsafe=unsafe, blocked=blocked, abandoned=abandoned)
        loop.run()
        if unsafe:
            return loop
        # a long expression is a deep one
        violated = on_deep_stack(partial(broken, loop.fixed_files(), loop.facts(), loop.vanished(), loop.arrived()))
        found = {**violated, **blocked_by(loop.left(), blocked), **loop.failed()}
        settled = found.keys() <= blocked.keys() and loop.abandoned.keys() == abandoned.keys()
        if settled:
            found = idle((one.finding for one in loop.made), (one.finding for one in loop.left()))
        if loop.linted.link_failed or (settled and not found):
            return loop
        blocked, abandoned = {**found, **blocked}, loop.abandoned


class FixLoop:
    """The fixes of one project, applied in memory, and the state of the files before them."""

    def __init__(
        self,
        linted: LintedProject,
        *,
        unsafe: bool = False,
        blocked: Blocked | None = None,
        abandoned: Mapping[str, Diagnostic] | None = None,
    ) -> None:
        """Apply nothing yet; with `unsafe`, unsafe fixes apply too, and those of families that are blocked.

        Files that were `abandoned` by an earlier loop are left alone.
        """
        self.linted = linted
        self._program = linted.program
        self._unsafe = unsafe
        self.blocked = blocked or {}
        #: The findings before any fix, and the families of the files.
        self.first = dict(linted.findings)
        self._first_facts = dict(linted.facts)
        #: The files on which a rule fails, since when anything is changed or from the start.
        self._failures = dict(linted.failures)
        self._failed_first = frozenset(linted.failures)
        #: The files that fixes changed, as they were, and their bytes.
        self.before: dict[str, Source] = {}
        self.original: dict[str, bytes] = {}
        #: The edits of each pass over a file, and the fixes of all passes.
        self._edits: defaultdict[str, list[Moved]] = defaultdict(list)
        self.applied: list[Applied] = []
        self.made: list[Made] = []
        #: How many times fixes were applied; `PASSES`: they did not settle.
        self.passes = 0
        #: By file, the families of these fixes.
        self._families: defaultdict[str, set[str]] = defaultdict(set)
        #: Files that are left alone because their fixes failed, and why.
        self.abandoned = dict(abandoned or {})
        for path, diagnostic in self.abandoned.items():
            self._program.diagnostics[path].append(diagnostic)

    def run(self) -> None:
        """Apply fixes in memory until nothing applies.

        A project that cannot be linked keeps all of its files: half of its fixes would move imports, and not the
        code that depends on them.
        """
        for _ in range(PASSES):
            if self.linted.link_failed:
                break
            changed = [path for path in sorted(self.linted.findings) if self._apply(path)]
            if not changed:
                break
            self.passes += 1
            self._program.survey_again(changed)
            self._restore_unparsable(changed)
            self.linted.lint()
            if self._restore_unparsable(changed):
                self.linted.lint()
            if self._restore_failed():
                self.linted.lint()
        if self.linted.link_failed:
            self._restore_all()

    def write(self) -> None:
        """Write the files that changed: of those that change together all, or none."""
        changed = [path for path in self.before if path not in self._program.given and self.changes(path)]
        failed = {
            path: error
            for path in changed
            if (error := self._replaced(path, self.original[path], self._program.data[path])) is not None
        }
        undone = dict(failed)
        for path in failed:
            for other in reach([path], self._changed_with):
                if other not in undone:
                    reason = f"changes together with `{shown(path)}`, which cannot be written; not changed"
                    error = self._replaced(other, self._program.data[other], self.original[other])
                    undone[other] = error or SourceError(reason)
        for path, error in undone.items():
            self._restore(path)
            self.linted.findings[path] = self.first[path]
            self._program.diagnostics[path].append(unwritable(path, error))

    def _replaced(self, path: str, before: bytes, after: bytes) -> SourceError | None:
        """Write a file that is as it was `before`; why that cannot be."""
        try:
            if read_bytes(path) != before:
                return SourceError("changed while done-lint was running; not written")
            write_atomically(path, after, self.linted.project.root)
        except SourceError as error:
            return error
        return None

    def _changed_with(self, path: str) -> list[str]:
        """The other files in which fixes of the same families were applied."""
        families = self._families[path]
        return [other for other in sorted(self.before) if not families.isdisjoint(self._families[other])]

    def changes(self, path: str) -> bool:
        """Whether the bytes of a file that was fixed are other ones now."""
        return self._program.data[path] != self.original[path]

    def offsets_at_first(self, path: str, findings: Iterable[Finding]) -> list[tuple[str, int]]:
        """The codes of findings in a file as it is now, and where their places were before any fix."""
        lines = Lines(self._program.sources[path].text) if path in self._program.sources else Lines("")
        return [(one.code, self.offset_at_first(path, lines.offset(*one.span[:2]))) for one in findings]

    def offset_at_first(self, path: str, offset: int) -> int:
        """Where a character of a file as it is now was before any fix."""
        for edits in reversed(self._edits[path]):
            offset = edits.before(offset)
        return offset

    def fixed_files(self) -> Iterator[FixedFile]:
        """The files that fixes changed, before and after."""
        made: defaultdict[str, list[Made]] = defaultdict(list)
        for one in self.made:
            made[one.finding.path].append(one)
        for path, source in self.before.items():
            left = self.offsets_at_first(path, self.linted.findings.get(path, []))
            yield FixedFile(
                source,
                self._program.sources[path],
                self.first[path],
                frozenset(left),
                made[path],
                partial(self.offset_at_first, path),
                settled=self.passes < PASSES,
                target=self.linted.project.settings.releases(path).newest,
            )

    def vanished(self) -> Iterator[Finding]:
        """The findings that are gone from files that no fix has changed."""
        for path in sorted(self.first.keys() - self.before.keys()):
            left = {(one.code, one.span) for one in self.linted.findings.get(path, ())}
            yield from (one for one in self.first[path] if (one.code, one.span) not in left)

    def arrived(self) -> Iterator[Finding]:
        """The findings that no fix changes, that belong to no family and that were others before, or none."""
        for path, findings in self.linted.findings.items():
            first = {(one.code, one.incompatibility, one.span[:2]) for one in self.first[path]}
            for one in self._at_first(path, findings):
                if not one.fix and not one.family and (one.code, one.incompatibility, one.span[:2]) not in first:
                    yield one

    def facts(self) -> Iterator[tuple[Facts, Facts]]:
        """What was known of each file before, and is known of it now."""
        for path, facts in self.linted.facts.items():
            yield self._first_facts.get(path, facts), facts

    def _place_at_first(self, path: str, edit: Edit) -> tuple[int, int]:
        """Where the text that an edit replaces was before any fix."""
        return self.offset_at_first(path, edit.start), self.offset_at_first(path, edit.end)

    def left(self) -> Iterator[Left]:
        """What is left in the files as they are now, at the places where it was before any fix."""
        for path, findings in self.linted.findings.items():
            why = "stands in a file that cannot be fixed" if path in self.abandoned else ""
            yield from (Left(finding, why) for finding in self._at_first(path, findings))
        for finding, why in self.linted.standing():
            yield from (Left(one, why) for one in self._at_first(finding.path, [finding]))

    def _at_first(self, path: str, findings: Sequence[Finding]) -> Iterator[Finding]:
        """Findings of a file as it is now, at the places where they were before any fix."""
        if path not in self.before:
            yield from findings
            return
        lines = Lines(self.before[path].text)
        # an import that has moved is not the file's family any more; a command to install never was of one
        first = self._first_facts[path].file_family
        for finding, (_, offset) in zip(findings, self.offsets_at_first(path, findings)):
            row, column = lines.position(offset)
            family = finding.family if finding.code == requirements.CODE else finding.family | first
            yield replace(finding, span=Span(row, column, row, column), family=family)

    def _apply(self, path: str) -> bool:
        """Apply the fixes of one file in memory; whether that changed it."""
        if path in self.abandoned or path in self._failures:
            return False
        applicable = [(finding, fix) for finding in self.linted.findings[path] if (fix := self._applicable(finding))]
        if not applicable:
            return False
        source, data = self._program.sources[path], self._program.data[path]
        places = self.offsets_at_first(path, [finding for finding, _ in applicable])
        try:
            edits, _ = apply_edits.chosen(len(source.text), [fix for _, fix in applicable])
            edits = [*(one for one in aligned(source.text, edits) if source.accepts([one])), *edits]
            fixed = source.rewritten(data, edits)
        except SourceError as error:
            return self._abandon(path, unwritable(path, error))
        except ValueError as error:
            return self._abandon(path, internal(path, "fixing failed", error))
        if fixed == data:
            return False
        self.made += (
            Made(finding, tuple(self._place_at_first(path, edit) for edit in fix.edits), self.passes)
            for finding, fix in applicable
        )
        self.before.setdefault(path, source)
        self.original.setdefault(path, data)
        self._edits[path].append(Moved(edits))
        self.applied += (
            Applied(path, code, offset, members(finding)) for (code, offset), (finding, _) in zip(places, applicable)
        )
        self._families[path].update(*(finding.family for finding, _ in applicable))
        self._program.data[path] = fixed
        del self._program.surveys[path], self.linted.facts[path]
        return True

    def _applicable(self, finding: Finding) -> Fix | None:
        """The fix of a finding, if it may be applied."""
        fix = finding.fix
        if fix is None or fix.safety == "display":
            return None
        if self._unsafe:
            return fix
        return fix if fix.safety == "safe" and blocker(finding, self.blocked) is None else None

    def _restore_all(self) -> None:
        """Undo every fix."""
        for path in list(self.before):
            self._restore(path)
        self.linted.findings = dict(self.first)

    def _restore(self, path: str) -> None:
        """Undo the fixes of one file, whose survey is then an old one."""
        self._program.sources[path] = self.before.pop(path)
        self._program.data[path] = self.original.pop(path)
        self._edits.pop(path, None)
        self.applied = [fix for fix in self.applied if fix.path != path]
        self.made = [one for one in self.made if one.finding.path != path]

    def _restore_unparsable(self, paths: Iterable[str]) -> bool:
        """Undo all fixes of the files that do not parse any more; whether there are any."""
        broken = [path for path in paths if self._is_broken(path)]
        for path in broken:
            self._program.diagnostics[path].clear()
            self.linted.lint_diagnostics[path] = []
            codes = ", ".join(sorted({finding.code for finding in self.first[path] if finding.fix}))
            message = f"the fixes of {codes} produced a file that cannot be parsed; the file was not changed"
            self._abandon(path, Diagnostic(path, message, kind="internal"))
        return bool(broken)

    def _restore_failed(self) -> bool:
        """Undo all fixes of the files on which a rule fails since then; whether there are any."""
        failed = {path: one for path, one in self.linted.failures.items() if path not in self._failures}
        self._failures |= failed
        changed = [path for path in failed if path in self.before]
        for path in changed:
            self._abandon(path, failed[path])
        return bool(changed)

    def failed(self) -> Blocked:
        """The families of the files on which a rule fails since anything was changed."""
        found: dict[str, Blocker] = {}
        for path in self._failures.keys() - self._failed_first:
            one = self._failures[path]
            first = Blocker(path, Span(one.row, one.column, one.row, one.column), "", "", one.message)
            found |= dict.fromkeys(all_members(path, self._first_facts[path]), first)
        return found

    def _is_broken(self, path: str) -> bool:
        """Whether fixes made a file, or a part of a document, unparsable."""
        if path not in self._program.surveys:
            return True
        if any(diagnostic.kind == "syntax" for diagnostic in self.linted.lint_diagnostics.get(path, ())):
            return True
        return path in self.before and _failures(self._program.sources[path]) > _failures(self.before[path])

    def _abandon(self, path: str, diagnostic: Diagnostic) -> bool:
        """Leave a file as it was, from now on; whether fixes were undone for that."""
        self.abandoned[path] = diagnostic
        self._program.diagnostics[path].append(diagnostic)
        if path not in self.before:
            return False
        self._restore(path)
        self.linted.facts.pop(path, None)
        self._program.survey_again([path])
        return True


def _failures(source: Source) -> int:
    """How many parts of a document could not be read."""
    return len(source.layout.failures) if source.layout is not None else 0
