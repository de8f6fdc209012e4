"""Keeps the answer about a project, with all that it rests on: asked again, nothing is parsed.

An answer is a file of plain data in the folder `.done_lint_cache` of its project, or in `--cache-dir`. It names what
was read for it; if any of that is different now, the project is checked again. No trouble with the folder is an error.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from done_lint import __version__
from done_lint.core import interrupts, witness
from done_lint.core.findings import Diagnostic, Finding
from done_lint.core.paths import CACHE
from done_lint.core.witness import NOTED, Seen
from done_lint.engine.plain_data import plain, read_back
from done_lint.engine.report import Report
from done_lint.project.discovery import Project, is_shared

_TAG = "CACHEDIR.TAG"
#: As the specification of such folders has it.
_SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55\n# Answers of done-lint; `done-lint clean` removes them.\n"
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
        self._off = off
        self._folder = folder
        #: What had been read before the project at hand.
        self._before: dict[str, Seen] = {}

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
        return Report(answer.findings, answer.diagnostics, answer.count, answer.texts)

    def keep(self, project: Project, report: Report, started: int) -> None:
        """Keep what was found in a project, unless done-lint itself has failed; `started`: when, in nanoseconds."""
        if report.internal or (path := self._path(project)) is None:
            return
        # what a folder inside says of releases may have been read for another project
        read = {path: seen for path, seen in NOTED.items() if self._is_of(project, path, seen)}
        answer = _Answer(
            started, _names(project), read, report.findings, report.diagnostics, report.files, report.texts
        )
        with contextlib.suppress(OSError, ValueError, RecursionError):
            folder = os.path.dirname(path)
            _begin(folder)
            _write(path, json.dumps(plain(answer), separators=(",", ":")).encode())
            _forget_oldest(folder)

    def _is_of(self, project: Project, path: str, seen: Seen) -> bool:
        return self._before.get(path) is not seen or path.startswith(project.root)

    def _path(self, project: Project) -> str | None:
        """Where the answer about what is asked for is kept; None: nowhere."""
        if self._off or project.alone or (not self._folder and is_shared(project.root)):
            return None
        folder = self._folder or os.path.join(project.root, CACHE)
        if os.path.islink(folder):
            return None
        question = [_tool(), os.getcwd(), repr(plain(project))]
        name = witness.digest(json.dumps(question).encode("utf-8", "surrogatepass"))
        return os.path.join(folder, f"{name}.json")


def clean(folder: str) -> bool:
    """Remove a folder of answers; whether there was one."""
    with contextlib.suppress(OSError):
        if not os.path.islink(folder) and _is_own(folder):
            import shutil  # only here: it is slow to import

            shutil.rmtree(folder)
            return True
    return False


def _is_own(folder: str) -> bool:
    """Whether a folder was made to keep answers in."""
    try:
        return Path(folder, _TAG).read_text(encoding="utf-8") == _SIGNATURE
    except (OSError, UnicodeDecodeError):
        return False


def _tool() -> list[object]:
    """What finds the answers: this version, as it is installed here."""
    root = Path(__file__).parent.parent
    found = find_spec("libcst")
    code = [*sorted(root.rglob("*.py")), *([Path(found.origin)] if found is not None and found.origin else [])]
    stamps = [(str(one), status.st_size, status.st_mtime_ns) for one in code for status in [one.stat()]]
    return [__version__, sys.version, witness.digest(repr(stamps).encode())]


def _names(project: Project) -> str:
    return witness.digest("\0".join(project.files()).encode("utf-8", "surrogateescape"))


def _begin(folder: str) -> None:
    """Make the folder, which no version control and no backup has to keep."""
    if _is_own(folder):
        return
    os.makedirs(folder, exist_ok=True)
    for name, text in ((".gitignore", "*\n"), (_TAG, _SIGNATURE)):
        _write(os.path.join(folder, name), text.encode())


@interrupts.delayed()
def _write(path: str, data: bytes) -> None:
    """Write a file in one step: another process finds the old one or the new one."""
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=os.path.dirname(path))
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _forget_oldest(folder: str) -> None:
    with os.scandir(folder) as entries:
        answers = [one for one in entries if one.name.endswith(".json")]
    if len(answers) > _MOST:
        for one in sorted(answers, key=lambda one: one.stat().st_mtime_ns)[:-_MOST]:
            os.unlink(one.path)


def now() -> int:
    """The time, as `AnswerCache.keep` takes it."""
    return time.time_ns()
