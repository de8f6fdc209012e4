"""Answers about one file after the other, as flake8 asks: never more than the command reports about the same file.

What a file means depends on its project. So the project around the first file is read, and kept for those that
follow. A project that is too large to wait for is not read: there a file that no other one imports is judged with some
of what it imports itself, and about any other file only that is said which nothing around it could contradict.
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
from done_lint.project import prefilter
from done_lint.project.discovery import Project, is_excluded, project_root
from done_lint.project.settings import Overrides
from done_lint.source.source import Source

if TYPE_CHECKING:
    from done_lint.core.findings import Diagnostic, Finding
    from done_lint.facts.build import Model
    from done_lint.facts.facts import Facts

#: So much source of a project (in bytes) is surveyed at most: a few seconds, once a process.
_MOST = 4_000_000
#: So much is surveyed for one file of a larger project: a part of a second, for each.
_MOST_NEAR = 100_000


def answer(path: str, text: str) -> tuple[list[Finding], list[Diagnostic]]:
    """What there is to say about a file, whatever `noqa` comments it has.

    Args:
        path: of the file, absolute.
        text: its content, decoded, whatever an encoding cookie in it says.

    Raises:
        ConfigError: the configuration of its project is wrong.
    """
    masked = _masked(text)
    data = masked.encode("utf-8", "replace")
    if not prefilter.has_words(data):
        return [], []
    root = project_root(path)
    facts, diagnostics = _facts(root, path, text, data)
    findings: list[Finding] = []
    if facts is not None:
        findings, said = lint_file((Source(path, masked), facts, Overrides().settings(root)))
        diagnostics += said
    if (findings or diagnostics) and is_excluded(path, Overrides().settings):
        return [], []
    return findings, diagnostics


def _masked(text: str) -> str:
    """The text without `noqa`, which whoever asks sees to, and without an encoding cookie; of the same length."""
    rows = text.splitlines(keepends=True)
    head = [row.replace("coding", "c0ding") if row.lstrip().startswith("#") else row for row in rows[:2]]
    return re.sub("noqa", "n0qa", "".join([*head, *rows[2:]]), flags=re.IGNORECASE)


def _facts(root: str, path: str, text: str, data: bytes) -> tuple[Facts | None, list[Diagnostic]]:
    """The facts of a file, None where it cannot have a finding, and what else there is to say about it."""
    linked = _whole(root)
    if linked is None:
        # What imports the file may hand to it what it likes.
        model = _of_itself if path in _imported(root) else _of_neighbours
        linked = _Linked(Program(_project(root, [path]), {path: data}, _here(), most=_MOST_NEAR), model)
    elif not linked.holds(path, text):  # it is being edited, or the project leaves it out
        linked = _Linked(Program(_project(root, [path]), {path: data}, _here()), _of_project)
    return linked.facts(path)


@lru_cache(maxsize=4)
def _whole(root: str) -> _Linked | None:
    """All of a project as it is on disk; None where it is too large."""
    project = _project(root, [])
    project.asked = project.files()
    try:
        return _Linked(Program(project, {}, _here(), most=_MOST), _of_project)
    except TooMuch:
        return None


@lru_cache(maxsize=4)
def _imported(root: str) -> frozenset[str]:
    """The files of a project that other files may import."""
    return Program(_project(root, []), {}, _here()).imported_files()


def _project(root: str, asked: list[str]) -> Project:
    return Project(root, Overrides().settings(root), asked)


def _here() -> Work:
    """No other processes: flake8 has its own, and those may start none."""
    return Work(silent, processes=1)


def _of_project(program: Program) -> Model:
    """What the whole project tells."""
    program.load()
    return program.link()


def _of_neighbours(program: Program) -> Model:
    """What a file tells together with some of those that it imports."""
    program.load_near()
    return program.link_near()


def _of_itself(program: Program) -> Model:
    """Nothing but that the file is there: its rules see its syntax alone."""
    from done_lint.facts.build import Model

    program.load_near()
    return Model()


class _Linked:
    """A program with its model."""

    def __init__(self, program: Program, model: Callable[[Program], Model]) -> None:
        """Survey it, and link it in one of three ways."""
        self._program = program
        self._model = model(program)

    def holds(self, path: str, text: str) -> bool:
        """Whether this text of the file was read."""
        source = self._program.sources.get(path)
        try:
            return path in self._program.project.asked and NEWLINE.split(
                (source or Source.read(path)).text
            ) == NEWLINE.split(text)
        except SourceError:
            return False

    def facts(self, path: str) -> tuple[Facts | None, list[Diagnostic]]:
        """The facts of a file, None where it cannot have a finding, and what else there is to say about it."""
        program = self._program
        said = [*program.diagnostics.get(path, ()), *program.survey_diagnostics.get(path, ())]
        return (self._model.facts(path) if program.can_report(path) else None), said
