"""What is found in a project: with and without what is left out for speed, and whatever was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from done_lint.engine.lint_project import LintedProject
from done_lint.engine.load import Program
from done_lint.engine.workers import Work, silent
from done_lint.project.discovery import projects
from done_lint.project.settings import Overrides


class Answer(NamedTuple):
    """What a user sees of one finding."""

    path: str
    row: int
    code: str
    certainty: str
    message: str


def write(folder: Path, files: Mapping[str, str | None] | Mapping[str, str]) -> None:
    """Write files below a folder; None: such a file is gone."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            path.write_text(text)
        else:
            path.unlink(missing_ok=True)


def full_disk(*_: object) -> None:
    """What `os.replace` does where the disk is full."""
    raise OSError(28, "No space left on device")


def answers(folder: Path, *asked: str, everything: bool = False, documents: bool = False) -> set[Answer]:
    """The findings where some paths below a folder are asked for (none: all of it), by paths below it."""
    found: set[Answer] = set()
    paths = [str(folder / name) for name in asked or ["."]]
    with Work(silent, processes=1) as work:
        for project in projects(paths, Overrides(include_docs=documents, isolated=True).settings):
            program = Program(project, {}, work)
            program.everything |= everything
            program.load()
            linted = LintedProject(program)
            linted.lint()
            for path, findings in linted.findings.items():
                shown = Path(path).relative_to(folder).as_posix()
                found |= {Answer(shown, f.span.row, f.code, f.certainty, f.message) for f in findings}
    return found


def of(found: Iterable[Answer], path: str) -> set[Answer]:
    """Those in one file or folder."""
    return {one for one in found if one.path == path or one.path.startswith(f"{path}/")}
