"""Checks and fixes whole projects, in several processes where it pays.

Paths are absolute in here, and are displayed relative to the current folder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from done_lint.core import witness
from done_lint.engine.answer_cache import AnswerCache, now
from done_lint.engine.report import Report
from done_lint.engine.workers import Progress, Work, silent
from done_lint.project.discovery import Project

if TYPE_CHECKING:
    from done_lint.flowgraph.schema import Survey
    from done_lint.source.source import Source


def check(
    projects: Sequence[Project],
    *,
    given: Mapping[str, bytes] | None = None,
    progress: Progress = silent,
    cache: AnswerCache | None = None,
    jobs: int = 0,
) -> Report:
    """Findings of the files that were asked for.

    Args:
        projects: the files, by project.
        given: the content of files that is not the one on disk (standard input).
        progress: shows how far the work is.
        cache: where answers are kept; None: nowhere.
        jobs: at most so many processes work; 0: as many as there are processors.
    """
    report = Report()
    cache = cache if cache is not None and not given else AnswerCache(off=True)
    with Work(progress, jobs) as work, witness.noting(cache.on):
        for project in projects:
            report.basis = None
            if (answer := cache.find(project)) is None:
                # an answer that is known needs none of what finds one
                from done_lint.engine.one_project import checked

                started = now()
                answer = checked(project, given or {}, work, cache.parts(project))
                cache.keep(project, answer, started)
            report.add(answer)
    report.sort()
    return report


def fix(
    projects: Sequence[Project],
    *,
    unsafe: bool = False,
    write: bool = True,
    given: Mapping[str, bytes] | None = None,
    progress: Progress = silent,
    jobs: int = 0,
) -> Report:
    """Fix the files that were asked for; the findings are those of the result."""
    from done_lint.engine.load import Program
    from done_lint.engine.one_project import fix_project

    report = Report()
    with Work(progress, jobs) as work, witness.noting(False):
        for project in projects:
            report.basis = None
            fix_project(Program(project, dict(given or {}), work), report, unsafe=unsafe, write=write)
    report.sort()
    return report


def surveyed(project: Project) -> dict[str, tuple[Source, Survey]]:
    """The files of a project that the analysis needs, surveyed in this process."""
    from done_lint.engine.load import Program

    with Work(silent, processes=1) as work:
        program = Program(project, {}, work)
        if project.asked:
            program.load()
    return {path: (program.sources[path], survey) for path, survey in program.surveys.items()}
