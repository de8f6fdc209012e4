"""Commands of a project's scripts that have a package run an environment: `python -m spinup.run ppo --env Maze-v0`.

Shell scripts, makefiles and the like, in the folder of the project and in those directly inside.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from done_lint.core import witness
from done_lint.core.file_io import SourceError, read_bytes
from done_lint.core.text import NEWLINE

_NAMES = re.compile(r"(?i)makefile|dockerfile(?:[.\w-]*)|.*\.(?:sh|bash|slurm|mk|dockerfile)")
_LARGEST = 100_000
#: So many folders are looked into, and so many files read.
_MOST = 64
_COMMAND = re.compile(r"\bpython[\d.]*\s+(?:-\w\s+)*?-m\s+(?P<package>\w+)[\w.]*\s(?P<rest>.*)")
_ID = re.compile(r"(?<![\w./-])(?:[\w.]+:)?([A-Za-z][\w/]*-v\d+)(?![\w./-])")


class Run(NamedTuple):
    """One command: its file, row and column, the package that runs, and the ids that it is given."""

    path: str
    row: int
    column: int
    package: str
    ids: tuple[str, ...]


def run_commands(root: str) -> Iterator[Run]:
    """The commands of a project that give a package ids of environments."""
    for path in _files(root):
        with contextlib.suppress(SourceError):
            text = read_bytes(path, _LARGEST).decode("utf-8", "replace")
            for row, line in enumerate(NEWLINE.split(text.replace("\\\n", "  ")), 1):
                match = _COMMAND.search(line)
                if match and not line.lstrip().startswith("#") and (ids := tuple(_ID.findall(match["rest"]))):
                    yield Run(path, row, match.start(), match["package"], ids)


def _files(root: str) -> list[str]:
    entries = _entries(root)
    inside = [one.path for one in entries if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")]
    entries += [one for folder in inside[:_MOST] for one in _entries(folder)]
    found = (one for one in entries if _NAMES.fullmatch(one.name) and one.is_file(follow_symlinks=False))
    return [one.path for one in found][:_MOST]


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        return sorted(witness.entries(folder), key=lambda one: one.name)
    except OSError:
        return []
