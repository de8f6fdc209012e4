"""Keeps what a whole `check` said, with all that it rests on: asked again, nothing is imported that finds files.

A kept run is a file beside the answers that it was made of. It counts only for the same command in the same folder,
while each file, list of a folder and path that the run has asked for is as it was, those that say which files it is
about among them. What it prints is plain text: a file that somebody else has written can be wrong, and no more.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING, NamedTuple

from done_lint.core import witness
from done_lint.core.installed import tool
from done_lint.core.paths import CACHE

if TYPE_CHECKING:
    from done_lint.engine.answer_cache import AnswerCache

_ENDING = ".run"
#: A larger file is not read (in bytes).
_LARGEST = 100_000_000
#: This many runs are kept in one folder.
_MOST = 64
#: What of the environment says what is printed, where, and which folders are never a project.
_VARIABLES = (
    *("NO_COLOR", "TERM", "DONE_LINT_CACHE_DIR"),
    *("HOME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "TMPDIR", "TEMP", "TMP"),
)
_COMPLETION = "_DONE_LINT_COMPLETE"
_FOLDER = "--cache-dir"
#: What data of somebody else can raise.
_WRONG = (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError, MemoryError)


class _Run(NamedTuple):
    """A command that may be known, and what it prints: 1 for standard output or 2, and the text."""

    folder: str
    path: str
    #: When it began, in nanoseconds.
    at: int
    said: list[tuple[int, str]]


#: The run of this process, if it may be kept.
_runs: list[_Run] = []


def repeated(arguments: Sequence[str]) -> int | None:
    """Print what the same command has said before, if nothing has changed that this rests on; the exit status.

    Otherwise, what the command says from now on may be kept.
    """
    if arguments[:1] != ["check"] or "--no-cache" in arguments or _COMPLETION in os.environ:
        return None
    if sys.stdout is None or sys.stderr is None:
        return None
    with contextlib.suppress(*_WRONG):
        run = _of(arguments)
        _runs[:] = [run]
        said, status = _known(run)
        _print(said)
        return status
    witness.note_searches()
    return None


def say(stream: int, text: str) -> None:
    """Note what the command prints."""
    for run in _runs:
        run.said.append((stream, text))


def keep(cache: AnswerCache, status: int) -> None:
    """Keep what the command of this process has said, if all of it rests on answers that are kept in its folder."""
    if not _runs or cache.at is None or _runs[0].folder not in cache.folders:
        return
    run = _runs[0]
    if status not in (0, 1) or not all(_is_plain(text) for _, text in run.said):
        return
    from done_lint.engine import cache_folder

    read = {**cache.read, **witness.NOTED, **witness.SOUGHT}
    data = json.dumps([min(run.at, cache.at), read, witness.KINDS, run.said, status], separators=(",", ":"))
    with contextlib.suppress(OSError, ValueError):
        cache_folder.begin(run.folder)
        cache_folder.write(run.path, data.encode())
        cache_folder.forget_oldest(run.folder, _ENDING, _MOST)


def _of(arguments: Sequence[str]) -> _Run:
    here = os.getcwd()
    streams = [getattr(one, "isatty", bool)() for one in (sys.stdout, sys.stderr)]
    question = [tool(), here, list(arguments), [os.environ.get(name) for name in _VARIABLES], streams]
    name = witness.digest(json.dumps(question).encode("utf-8", "surrogatepass"))
    folder = _folder(arguments, here)
    return _Run(folder, os.path.join(folder, name + _ENDING), time.time_ns(), [])


def _folder(arguments: Sequence[str], here: str) -> str:
    """Where answers are kept: where the command says, or in the first folder that it names, or in the current one."""
    for place, one in enumerate(arguments):
        if one == _FOLDER:
            return os.path.abspath("".join(arguments[place + 1 : place + 2]))
        if one.startswith(f"{_FOLDER}="):
            return os.path.abspath(one.partition("=")[2])
    if kept := os.environ.get("DONE_LINT_CACHE_DIR"):
        return os.path.abspath(kept)
    named = (os.path.abspath(one) for one in arguments[1:] if os.path.isdir(one))
    return os.path.join(next(named, here), CACHE)


def _known(run: _Run) -> tuple[list[tuple[int, str]], int]:
    """What a command has said before, and its exit status.

    Raises:
        OSError: that is not kept.
        ValueError: it rests on something else, or is no such thing.
    """
    if os.path.islink(run.folder):
        raise ValueError("a link")
    with open(run.path, "rb") as file:
        at, read, kinds, said, status = json.loads(file.read(_LARGEST))
    seen = {path: witness.Seen(*one) for path, one in read.items()}
    printed = [(stream, text) for stream, text in said]
    right = type(at) is int and status in (0, 1) and all(one in (1, 2) and _is_plain(text) for one, text in printed)
    right = right and all([*map(type, one)] == [int, int, str] for one in seen.values())
    if not right or not witness.are_same(seen, kinds, at):
        raise ValueError("is not known any more")
    return printed, int(status)


def _is_plain(text: str) -> bool:
    """Whether a text can neither move the cursor nor change colors."""
    return all(row.isprintable() for row in text.split("\n"))


def _print(said: Iterable[tuple[int, str]]) -> None:
    for one in (sys.stdout, sys.stderr):
        if isinstance(one, TextIOWrapper):
            one.reconfigure(errors="backslashreplace")
    for stream, text in said:
        (sys.stdout if stream == 1 else sys.stderr).write(text)
    sys.stdout.flush()
    sys.stderr.flush()
