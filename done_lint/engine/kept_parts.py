"""Keeps what runs find out about the files of a project: surveys, what is solved together, and what the rules say.

One file in the folder of answers has all parts, each under a name that says what it rests on, so that a part is right
or not found: the content of a file, its facts, the settings. All of it is plain data. What cannot be read back, whoever
wrote it, is found out again.
"""

from __future__ import annotations

import contextlib
import json
import os
import zlib
from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING

from done_lint.core import witness
from done_lint.core.installed import tool
from done_lint.engine import cache_folder
from done_lint.engine.plain_data import mark, plain, read_back

if TYPE_CHECKING:
    from done_lint.engine.jobs import Linted
    from done_lint.facts.facts import Facts
    from done_lint.facts.parts import Part
    from done_lint.facts.solved_parts import Around
    from done_lint.flowgraph.schema import Survey
    from done_lint.project.discovery import Project
    from done_lint.project.settings import Settings

_ENDING = ".parts"
#: A larger file, or part of one, is not read (in bytes).
_LARGEST = 200_000_000
_LARGEST_PART = 60_000_000
#: The parts of so many projects are kept in one folder.
_MOST = 16
#: What data of somebody else can raise.
_WRONG = (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError, MemoryError, zlib.error)


class KeptParts:
    """The parts that earlier runs kept of one project, and those of this run."""

    def __init__(self, folder: str | None = None, root: str = "") -> None:
        """Read nothing yet; `folder`: where the parts are, None: nowhere."""
        self._path = os.path.join(folder, witness.digest(os.fsencode(root)) + _ENDING) if folder else None
        self._tool = tool() if folder else []
        #: By name, what is kept, compressed; what was asked for in this run, and what is new.
        self._kept: dict[str, bytes] = {}
        self._asked: dict[str, bytes] = {}
        self._new: dict[str, bytes] = {}
        self._is_read = False
        #: Some part was taken from an earlier run.
        self.used = False
        #: By the identity of a survey that is alive, the digest of its text.
        self._digests: dict[int, tuple[Survey, str]] = {}

    @property
    def off(self) -> bool:
        """Whether nothing is kept."""
        return self._path is None

    def forget(self) -> None:
        """Do without what earlier runs kept."""
        self._kept, self._asked, self._new = {}, {}, {}
        self._is_read, self.used = True, False

    # --- surveys -----------------------------------------------------------------------------------------

    def survey(self, path: str, data: bytes, inside: Container[str]) -> Survey | None:
        """The survey of a file, if it is kept.

        Args:
            path: of the file.
            data: its content.
            inside: names of the files and folders of the project.
        """
        if (text := self._find(_of_content("survey", path, data))) is None:
            return None
        from done_lint.engine import survey_columns

        try:
            roots, _, columns = text.partition(b"\n")
            if any((name in inside) != there for name, there in read_back(dict[str, bool], json.loads(roots)).items()):
                return None
            survey = survey_columns.read(columns)
        except _WRONG:
            return None
        if survey.path != path:
            return None
        self._digests[id(survey)] = (survey, witness.digest(columns))
        return survey

    def keep_survey(self, data: bytes, survey: Survey, inside: Container[str]) -> None:
        """Keep the survey of a file."""
        from done_lint.engine import survey_columns

        roots = {module.partition(".")[0] for module in survey.imports}
        head = json.dumps(plain({root: root in inside for root in sorted(roots)}))
        columns = survey_columns.written(survey)
        self._digests[id(survey)] = (survey, witness.digest(columns))
        self._keep(_of_content("survey", survey.path, data), head.encode() + b"\n" + columns)

    # --- what is solved together -------------------------------------------------------------------------

    def name_of_solved(self, surveys: Sequence[Survey], *around: object) -> str:
        """The name of what was read of files that were solved together; `around`: what it rests on beside them."""
        try:
            on = [mark(one, {}) for one in around]
        except TypeError:
            return ""
        return _of_content("\0".join(("solved", *on)), "", "".join(map(self._digest, surveys)).encode())

    def solved(self, name: str) -> Part | None:
        """What was read of such files, if that is kept."""
        if not name or (text := self._find(name)) is None:
            return None
        from done_lint.engine import solved_columns

        try:
            return solved_columns.read(text)
        except _WRONG:
            return None

    def keep_solved(self, name: str, part: Part) -> None:
        """Keep what was read of such files."""
        from done_lint.engine import solved_columns

        if name:
            self._keep(name, solved_columns.written(part))

    def _digest(self, survey: Survey) -> str:
        known = self._digests.get(id(survey))
        if known is None:
            from done_lint.engine import survey_columns

            known = self._digests[id(survey)] = (survey, witness.digest(survey_columns.written(survey)))
        return known[1]

    # --- what the rules say ------------------------------------------------------------------------------

    def name_of_answer(self, data: bytes, facts: Facts, settings: Settings, marks: dict[int, str]) -> str:
        """The name of what the rules say of a file; `marks` are those of facts of the same model (see `mark`)."""
        if self.off:
            return ""
        try:
            on = (mark(settings, {}), mark(settings.releases(facts.path), {}), mark(facts, marks))
            return _of_content("\0".join(("answer", *on)), facts.path, data)
        except TypeError:
            return ""

    def answer(self, name: str) -> Linted | None:
        """What the rules say of a file, if that is kept."""
        if not name or (text := self._find(name)) is None:
            return None
        from done_lint.engine.jobs import Linted

        try:
            return read_back(Linted, json.loads(text))
        except _WRONG:
            return None

    def keep_answer(self, name: str, linted: Linted) -> None:
        """Keep what the rules say of a file, unless one of them failed."""
        if name and not any(one.kind == "internal" for one in linted.diagnostics):
            self._keep(name, json.dumps(plain(linted), separators=(",", ":")).encode())

    # --- the file ----------------------------------------------------------------------------------------

    def _find(self, name: str) -> bytes | None:
        if not self._is_read:
            self._read()
        if (packed := self._new.get(name) or self._kept.get(name)) is None:
            return None
        try:
            text = _unpacked(packed)
        except _WRONG:
            return None
        self._asked[name] = packed
        self.used = True
        return text

    def _keep(self, name: str, text: bytes) -> None:
        if len(text) <= _LARGEST_PART:
            self._new[name] = zlib.compress(text, 1)

    def _read(self) -> None:
        self._is_read = True
        if self._path is None:
            return
        try:
            with open(self._path, "rb") as file:
                head = file.readline(_LARGEST)
                body = file.read(_LARGEST)
            tool, sizes = json.loads(head)
            if tool == self._tool:
                self._kept = _pieces(body, read_back(dict[str, int], sizes))
        except _WRONG:
            self._kept = {}

    def save(self) -> None:
        """Write all parts that this run needed, and as much again of what earlier runs did."""
        if self._path is None or not self._new:
            return
        if not self._is_read:
            self._read()
        parts = {**self._asked, **self._new}
        room = sum(map(len, parts.values()))
        for name, packed in self._kept.items():
            if name not in parts and (room := room - len(packed)) >= 0:
                parts[name] = packed
        head = json.dumps([self._tool, plain({name: len(packed) for name, packed in parts.items()})])
        with contextlib.suppress(OSError):
            folder = os.path.dirname(self._path)
            cache_folder.begin(folder)
            cache_folder.write(self._path, b"".join([head.encode(), b"\n", *parts.values()]))
            cache_folder.forget_oldest(folder, _ENDING, _MOST)


class KeptSolved:
    """The store of what runs solve in one project."""

    def __init__(self, parts: KeptParts, project: Project) -> None:
        """Nothing is read yet."""
        self._parts = parts
        settings = project.settings
        self._on = (project.root, project.alone, settings.env_apis, settings.moved_packages)

    def find(self, surveys: Sequence[Survey], around: Around) -> Part | None:
        """What was read of a part with equal surveys."""
        return self._parts.solved(self._name(surveys, around))

    def keep(self, surveys: Sequence[Survey], around: Around, part: Part) -> None:
        """Keep what was read of a part."""
        self._parts.keep_solved(self._name(surveys, around), part)

    def _name(self, surveys: Sequence[Survey], around: Around) -> str:
        return self._parts.name_of_solved(surveys, *self._on, around)


def _of_content(kind: str, path: str, data: bytes) -> str:
    """The name of a part that rests on the content of a file."""
    return witness.digest(b"\0".join([os.fsencode(kind), os.fsencode(path), witness.digest(data).encode()]))


def _pieces(body: bytes, sizes: Mapping[str, int]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    start = 0
    for name, size in sizes.items():
        if not 0 < size <= len(body) - start:
            raise ValueError("a part is missing")
        found[name] = body[start : start + size]
        start += size
    return found


def _unpacked(packed: bytes) -> bytes:
    """The text of a part; that it is complete and as it was, zlib sees by its checksum."""
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(packed, _LARGEST_PART)
    if not unpacking.eof:
        raise ValueError("a part is too large, or not complete")
    return text
