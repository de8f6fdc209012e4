"""Lints one file after the other, as flake8 needs it: never with more findings than the command reports.

The findings of a file depend on its project, so the project around the first file is read and kept for the next files.
A project that is too large for that is not read: a file that no other one imports is then analyzed with some of the
files that it imports itself, and any other file is linted by its syntax alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from done_lint.core.file_io import SourceError
from done_lint.core.text import NEWLINE
from done_lint.engine.jobs import lint_file
from done_lint.engine.load import Program, TooMuch
from done_lint.engine.workers import Work, silent
from done_lint.project.discovery import Project, is_excluded, project_root
from done_lint.project.kept_old import kept_old
from done_lint.project.settings import Overrides
from done_lint.source.source import Source

if TYPE_CHECKING:
    from done_lint.core.findings import Diagnostic, Finding
    from done_lint.facts.build import Model
    from done_lint.facts.facts import Facts

#: At most this much source of a project (in bytes) is surveyed: a few seconds, once a process.
_MOST = 4_000_000
#: At most this much is surveyed for each file of a larger project: less than a second.
_MOST_NEAR = 100_000


def answer(path: str, text: str) -> tuple[list[Finding], list[Diagnostic]]:
    """Findings and diagnostics of a file, whatever `noqa` comments it has.

    Args:
        path: of the file, absolute.
        text: its decoded content; an encoding cookie in it is ignored.

    Raises:
        ConfigError: the configuration of its project is wrong.
    """
    masked = _masked(text)
    data = masked.encode("utf-8", "replace")
    root = project_root(path)
    facts, diagnostics = _facts(root, path, text, data)
    findings: list[Finding] = []
    if facts is not None:
        findings, failures, _ = lint_file((Source(path, masked), facts, Overrides().settings(root)))
        diagnostics += failures
    if (findings or diagnostics) and is_excluded(path, Overrides().settings):
        return [], []
    return findings, diagnostics


def _masked(text: str) -> str:
    """The text of the same length without `noqa`, which flake8 applies, and without an encoding cookie."""
    rows = text.splitlines(keepends=True)
    head = [row.replace("coding", "c0ding") if row.lstrip().startswith("#") else row for row in rows[:2]]
    return re.sub("noqa", "n0qa", "".join([*head, *rows[2:]]), flags=re.IGNORECASE)


def _facts(root: str, path: str, text: str, data: bytes) -> tuple[Facts | None, list[Diagnostic]]:
    """The facts of a file, None where it cannot have a finding, and its diagnostics."""
    linked = _whole(root)
    if linked is None:
        # Any value may come from a file that imports this one.
        model = _syntax_only if path in _imported(root) else _with_imports
        linked = _LinkedProgram(Program(_project(root, [path]), {path: data}, _here(), most=_MOST_NEAR), model)
    elif not linked.contains(path, text):  # it is being edited, or the project leaves it out
        linked = _LinkedProgram(Program(_project(root, [path]), {path: data}, _here()), _whole_project)
    return linked.facts(path)


@lru_cache(maxsize=4)
def _whole(root: str) -> _LinkedProgram | None:
    """All of a project as it is on disk; None where it is too large."""
    project = _project(root, [])
    project.asked = project.files()
    try:
        return _LinkedProgram(Program(project, {}, _here(), most=_MOST), _whole_project)
    except TooMuch:
        return None


@lru_cache(maxsize=4)
def _imported(root: str) -> frozenset[str]:
    """The files of a project that other files may import."""
    return Program(_project(root, []), {}, _here()).imported_files()


def _project(root: str, asked: list[str]) -> Project:
    return Project(root, Overrides().settings(root), asked)


def _here() -> Work:
    """Work in this process: flake8 has worker processes of its own, which may start no others."""
    return Work(silent, processes=1)


def _whole_project(program: Program) -> Model:
    """The model of the whole project."""
    program.load()
    return program.link()


def _with_imports(program: Program) -> Model:
    """The model of a file and of some of the files that it imports."""
    program.load_near()
    return program.link_near()


def _syntax_only(program: Program) -> Model:
    """A model without values: the rules see only the syntax of the file, and what it keeps for old Gym.

    Whether the project is on Gymnasium is not known, so that what calls itself old is taken to be so on purpose.
    """
    from done_lint.facts.build import unsolved

    program.load_near()
    project = program.project
    old = kept_old(project.settings, project.root, program.surveys, migrated=True, stated=True)
    return unsolved(program.surveys.values(), project.root, old, frozenset(project.settings.moved_packages))


class _LinkedProgram:
    """A program with its model."""

    def __init__(self, program: Program, model: Callable[[Program], Model]) -> None:
        """Survey and link the program with one of the three functions above."""
        self._program = program
        self._model = model(program)

    def contains(self, path: str, text: str) -> bool:
        """Whether the program has the file with this text."""
        source = self._program.sources.get(path)
        try:
            return path in self._program.project.asked and NEWLINE.split(
                (source or Source.read(path)).text
            ) == NEWLINE.split(text)
        except SourceError:
            return False

    def facts(self, path: str) -> tuple[Facts | None, list[Diagnostic]]:
        """The facts of a file, None where it cannot have a finding, and its diagnostics."""
        program = self._program
        diagnostics = [*program.diagnostics.get(path, ()), *program.survey_diagnostics.get(path, ())]
        facts = self._model.facts(path)
        return (facts if program.can_report(path, facts) else None), diagnostics
