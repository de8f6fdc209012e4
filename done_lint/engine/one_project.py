"""Checks or fixes one project, and shows what that gives."""

from __future__ import annotations

from collections.abc import Mapping

from done_lint.engine.display import Display
from done_lint.engine.dry_run import Foreseen, foreseen
from done_lint.engine.fix_loop import FixLoop, settled
from done_lint.engine.kept_parts import KeptParts
from done_lint.engine.lint_project import LintedProject, lint_project
from done_lint.engine.load import Program
from done_lint.engine.report import Report
from done_lint.engine.workers import Work
from done_lint.project.discovery import Project


def checked(project: Project, given: Mapping[str, bytes], work: Work, parts: KeptParts) -> Report:
    """The findings of one project."""
    report = _checked(project, given, work, parts)
    if report.internal and parts.used:
        # what was kept may be the cause
        parts.forget()
        report = _checked(project, given, work, parts)
    if not report.internal:
        parts.save()
    return report


def _checked(project: Project, given: Mapping[str, bytes], work: Work, parts: KeptParts) -> Report:
    report = Report()
    program = Program(project, given, work)
    program.parts = parts
    report.basis = linted = lint_project(program)
    left = foreseen(linted)
    Display(linted, report, left).add_project()
    if (examples := linted.examples(given)) is not None:
        examples.wait_for(linted, left.blocked)
        Display(examples, report, foreseen(examples)).add_findings()
    return report


def fix_project(program: Program, report: Report, *, unsafe: bool, write: bool) -> None:
    """Fix one project: docstrings come first, because rows of the code below them move with them."""
    given = program.given
    linted = lint_project(program)
    examples = linted.examples(given)
    if examples is not None and not unsafe:
        examples.wait_for(linted, foreseen(linted).blocked)
    example_loop = _fixed(examples, unsafe, write) if examples is not None else None
    if example_loop is not None and example_loop.before:
        given = _with_unwritten(given, example_loop, write)
        linted = lint_project(Program(program.project, given, program.work))
    loop = _fixed(linted, unsafe, write)
    display = Display(loop.linted, report, Foreseen(blocked=loop.blocked))
    display.add_project()
    display.add_changes(loop)
    report.basis = loop
    if example_loop is not None:
        now = linted.examples(_with_unwritten(given, loop, write)) if loop.before else None
        left = Foreseen(blocked=example_loop.blocked)
        Display(now or example_loop.linted, report, left).add_findings()
        Display(example_loop.linted, report, left).add_changes(example_loop)


def _fixed(linted: LintedProject, unsafe: bool, write: bool) -> FixLoop:
    """Fix what was linted, and write what changed if that is wanted."""
    loop = settled(linted, unsafe=unsafe)
    if write:
        loop.write()
    return loop


def _with_unwritten(given: Mapping[str, bytes], loop: FixLoop, write: bool) -> Mapping[str, bytes]:
    """The content of files that is not the one on disk, after fixes that were written or not."""
    return given if write else {**given, **{path: loop.linted.program.data[path] for path in loop.before}}
