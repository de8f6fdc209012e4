"""Keeps the answer about a project, with all that it rests on: asked again, nothing is parsed.

An answer is a file of plain data in the folder `.done_lint_cache` of its project, or in `--cache-dir`. It names what
was read for it; if any of that is different now, the project is checked again. No trouble with the folder is an error.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import dataclass

from done_lint.core import witness
from done_lint.core.findings import Diagnostic, Finding
from done_lint.core.installed import tool
from done_lint.core.witness import NOTED, Seen
from done_lint.engine import cache_folder
from done_lint.engine.kept_parts import KeptParts
from done_lint.engine.plain_data import plain, read_back
from done_lint.engine.report import Report
from done_lint.project.discovery import Project

#: Answers that are larger, in bytes, are not read.
_LARGEST = 100_000_000
#: This many answers of a project are kept, each for what was asked for in it.
_MOST = 64


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a report has of one project, and what it rests on."""

    #: When it was found, in nanoseconds.
    at: int
    #: The paths of the project's files, shortened.
    files: str
    read: dict[str, Seen]
    findings: list[Finding]
    diagnostics: list[Diagnostic]
    count: int
    texts: dict[tuple[str, int | None], str]


class AnswerCache:
    """Finds and keeps answers."""

    def __init__(self, *, off: bool = False, folder: str = "") -> None:
        """Keep nothing if `off`; `folder`: keep all in there, not in the projects."""
        self.on = not off
        self._folder = folder
        #: What had been read before the project at hand.
        self._before: dict[str, Seen] = {}
        #: What the answers of this run rest on, when the first of them was found (None: some are not kept), and where
        #: they are kept.
        self.read: dict[str, Seen] = {}
        self.at: int | None = time.time_ns()
        self.folders: set[str] = set()

    def find(self, project: Project) -> Report | None:
        """The answer about a project, if nothing that it rests on has changed."""
        if (path := self._path(project)) is None:
            return None
        self._before = dict(NOTED)
        try:
            with open(path, "rb") as file:
                answer = read_back(_Answer, json.loads(file.read(_LARGEST)))
        except (OSError, ValueError, RecursionError, MemoryError):
            return None
        if answer.files != _names(project):
            return None
        if not all(witness.is_same(path, seen, answer.at) for path, seen in answer.read.items()):
            return None
        self._note(path, answer)
        return Report(answer.findings, answer.diagnostics, answer.count, answer.texts)

    def keep(self, project: Project, report: Report, started: int) -> None:
        """Keep what was found in a project, unless done-lint itself has failed; `started`: when, in nanoseconds."""
        if report.internal or (path := self._path(project)) is None:
            self.at = None
            return
        # what a folder inside says of releases may have been read for another project
        read = {path: seen for path, seen in NOTED.items() if self._is_of(project, path, seen)}
        answer = _Answer(
            started, _names(project), read, report.findings, report.diagnostics, report.files, report.texts
        )
        self._note(path, answer)
        with contextlib.suppress(OSError, ValueError, RecursionError):
            folder = os.path.dirname(path)
            cache_folder.begin(folder)
            cache_folder.write(path, json.dumps(plain(answer), separators=(",", ":")).encode())
            cache_folder.forget_oldest(folder, ".json", _MOST)

    def parts(self, project: Project) -> KeptParts:
        """What earlier runs have kept of the files of a project."""
        folder = cache_folder.folder_of(project, self._folder) if self.on else None
        return KeptParts(folder, project.root)

    def _note(self, path: str, answer: _Answer) -> None:
        self.read |= answer.read
        self.at = min(self.at, answer.at) if self.at is not None else None
        self.folders.add(os.path.dirname(path))

    def _is_of(self, project: Project, path: str, seen: Seen) -> bool:
        return self._before.get(path) is not seen or path.startswith(project.root)

    def _path(self, project: Project) -> str | None:
        """Where the answer about what is asked for is kept; None: nowhere."""
        folder = cache_folder.folder_of(project, self._folder) if self.on else None
        if folder is None:
            return None
        question = [tool(), os.getcwd(), repr(plain(project))]
        name = witness.digest(json.dumps(question).encode("utf-8", "surrogatepass"))
        return os.path.join(folder, f"{name}.json")


def _names(project: Project) -> str:
    return witness.digest("\0".join(project.files()).encode("utf-8", "surrogateescape"))


def now() -> int:
    """The time, as `AnswerCache.keep` takes it."""
    return time.time_ns()
