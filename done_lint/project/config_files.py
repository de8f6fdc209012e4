"""Finds the configuration files that a program can open, and the environment ids and names of Gym's in them.

No parser of YAML is needed: an id is told by its form (`Name-v0`), and a value by what follows it. A program can open
what a string in its code names, and what lies in a folder that one names; where it is started from is not known, so
that a name counts from the folder of the code and from every one around it, up to that of the project.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import NamedTuple

from done_lint.core import witness
from done_lint.core.file_io import SourceError, read_bytes
from done_lint.core.text import NEWLINE

#: What a program reads and rarely writes. What it wrote itself, mostly JSON, has to be named as a file.
_IN_FOLDERS = (".yaml", ".yml", ".toml", ".ini", ".cfg")
_SUFFIXES = (*_IN_FOLDERS, ".json")
#: Larger files (in bytes) were written by a program.
_LARGEST = 200_000
#: So many files of a program are read: who has more has a data set.
_MOST = 64
#: So many folders of a project are looked into: `data/*/*` may mean a whole data set.
_MOST_FOLDERS = 1_000

#: A string of one row that can be a path; in a notebook, its quotes are escaped.
_LITERAL = re.compile(rb"""["']([\w./\\ {}\[\]%*()-]{1,120}?)\\?["']""")
#: What is only known when the program runs: of an f-string, of `%`, of a pattern.
_OPEN = re.compile(r"\{[^{}]*\}|%\w|\*+")
#: An id that stands alone, and what may follow it: the colon of a key, which gives nothing to `make`.
_ID = re.compile(r"(?<![\w./:\\-])([A-Za-z][\w/]*-v\d+)(?![\w./\\-])(?![\"']?\s*:)")
#: The heading of a section is a key, too.
_HEADING = re.compile(r"\s*\[")
_COMMENT = re.compile(r"(^|\s)[#;].*")
#: What Hydra calls for the entries beside it.
_TARGET = re.compile(r"""\s*(?:-\s*)?["']?_target_["']?\s*:\s*["']?(gym\.[\w.]+)""")

#: A name of Gym's in quotes, behind a key or in a list.
_VALUE = re.compile(r"""(?:[:=\[,]|^\s*-)\s*["']?(gym(?:\.\w+)+)["']?\s*(?:[,\]}]|:\s*$|$)""")


class Configured(NamedTuple):
    """An id, or a name of Gym's, that is a value in a file: where it stands, from row 1 and column 0."""

    value: str
    path: str
    row: int
    column: int


class ConfigFiles:
    """The configuration files of one project, each read once."""

    def __init__(self, root: str) -> None:
        """Read nothing yet; `root`: no file outside of this folder counts."""
        self._root = root
        self._ids: dict[str, list[Configured]] = {}
        self._folders: dict[str, dict[str, bool]] = {}
        #: By file of code and its content, what it names: a module is part of many programs.
        self._names: dict[tuple[str, bytes], frozenset[str]] = {}

    def ids(self, code: Iterable[tuple[str, bytes]]) -> list[Configured]:
        """The ids in the files that a program can open, by its code: each once, with its first place."""
        found: dict[str, Configured] = {}
        for path in self._opened(code):
            if path not in self._ids:
                self._ids[path] = list(_ids_in(path))
            for one in self._ids[path]:
                found.setdefault(one.value, one)
        return list(found.values())

    def targets(self, code: Iterable[tuple[str, bytes]], *, any_key: bool = False) -> list[Configured]:
        """What is Gym's that Hydra is to call in the files that a program can open: `_target_: gym.make`.

        Or that stands behind any key, for a program that calls it without Hydra: `wrapper: gym.wrappers.TimeLimit`. It
        also composes what lies in the folders beside these: `config/env/cartpole.yaml` for `env: cartpole`.
        """
        opened = self._opened(code)
        groups = sorted({one for path in opened for one in self._groups(os.path.dirname(path))})
        return [one for path in dict.fromkeys((*opened, *groups[:_MOST])) for one in _targets_in(path, any_key=any_key)]

    def text(self, path: str) -> str:
        """What stands in one of these files."""
        return "\n".join(_rows(path))

    def _groups(self, folder: str) -> Iterator[str]:
        """The configuration files in the folders that a folder has, but for that of the whole project."""
        inner = [name for name, is_folder in self._content(folder).items() if is_folder] if folder != self._root else []
        for name in inner:
            group = os.path.join(folder, name)
            inside = self._content(group).items()
            yield from (os.path.join(group, one) for one, deeper in inside if not deeper and _is_read(one))

    def _opened(self, code: Iterable[tuple[str, bytes]]) -> list[str]:
        """The files that a program can open."""
        found: set[str] = set()
        for one in code:
            if one not in self._names:
                self._names[one] = frozenset(self._named(*one))
            found |= self._names[one]
        return sorted(found)[:_MOST]

    def _named(self, path: str, data: bytes) -> Iterator[str]:
        """The files that a file of code names."""
        names = {match[1].decode("utf-8", "ignore") for match in _LITERAL.finditer(data)}
        for name in sorted(names):
            steps = [one for one in _OPEN.sub("*", name).replace("\\", "/").split("/") if one not in ("", ".", "..")]
            # a name that is not known at all names everything
            if steps and steps[0].strip("*"):
                for folder in self._around(path):
                    yield from self._matching(folder, steps)

    def _around(self, path: str) -> Iterator[str]:
        """The folders around a file, up to that of the project."""
        folder = os.path.dirname(path)
        while folder.startswith(os.path.join(self._root, "")):
            yield folder
            folder = os.path.dirname(folder)
        if folder == self._root:
            yield folder

    def _matching(self, folder: str, steps: list[str]) -> Iterator[str]:
        """The configuration files that a path in a folder leads to: itself, or all in the folder that it is."""
        first, rest = steps[0], steps[1:]
        content = self._content(folder)
        names = sorted(one for one in content if fnmatchcase(one, first)) if "*" in first else [first]
        for name in names:
            path = os.path.join(folder, name)
            is_folder = content.get(name)
            if is_folder and rest:
                yield from self._matching(path, rest)
            elif is_folder:
                inside = self._content(path).items()
                yield from (os.path.join(path, one) for one, deeper in inside if not deeper and _is_read(one))
            elif is_folder is False and not rest and name.endswith(_SUFFIXES if name == first else _IN_FOLDERS):
                yield path

    def _content(self, folder: str) -> dict[str, bool]:
        """The names in a folder, and whether each is a folder itself; links are none of the project's."""
        if folder not in self._folders:
            if len(self._folders) >= _MOST_FOLDERS:
                return {}
            self._folders[folder] = {}
            with contextlib.suppress(OSError):
                entries = [one for one in witness.entries(folder) if not one.is_symlink()]
                self._folders[folder] = {one.name: one.is_dir(follow_symlinks=False) for one in entries}
        return self._folders[folder]


def _is_read(name: str) -> bool:
    return name.endswith(_IN_FOLDERS)


def _rows(path: str) -> list[str]:
    """The rows of a file; none where it cannot be read, or is too large."""
    try:
        return NEWLINE.split(read_bytes(path, _LARGEST).decode("utf-8", "replace"))
    except SourceError:
        return []


def _targets_in(path: str, *, any_key: bool) -> Iterator[Configured]:
    """The names of Gym's that Hydra, or what reads another key, is to call in a file."""
    for row, line in enumerate(_rows(path), 1):
        if match := _VALUE.search(_COMMENT.sub("", line)) if any_key else _TARGET.match(line):
            yield Configured(match[1], path, row, match.start(1))


def _ids_in(path: str) -> Iterator[Configured]:
    """The ids that are values in a file."""
    plain = path.endswith(".json")
    for row, line in enumerate(_rows(path), 1):
        if not plain and _HEADING.match(line) and "=" not in line and line.rstrip().endswith("]"):
            continue
        for match in _ID.finditer(line if plain else _COMMENT.sub("", line)):
            yield Configured(match[1], path, row, match.start(1))
