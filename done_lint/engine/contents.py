"""The content of a project's files, and what the first look at it tells."""

from __future__ import annotations

from collections.abc import Mapping

from done_lint.core.file_io import SourceError, TooLarge, read_bytes
from done_lint.core.paths import DOCUMENTS, NOTEBOOKS
from done_lint.project import prefilter

#: So much content of files is kept, in bytes: a large project is read again instead.
_MOST_CONTENT = 20_000_000


class Contents:
    """Reads files, and remembers the little that most of them are asked for again."""

    def __init__(self, given: Mapping[str, bytes], limit: int) -> None:
        """Read nothing yet.

        Args:
            given: content of files that is not the one on disk.
            limit: the largest file that is read, in bytes (0: any).
        """
        self._given = given
        self._limit = limit
        #: Why files cannot be read.
        self.errors: dict[str, SourceError] = {}
        self._kept: dict[str, bytes] = {}
        #: How much more content is kept, in bytes.
        self._room = _MOST_CONTENT
        self._seeds: dict[str, bool] = {}
        #: Files that name neither library.
        self._unnamed: set[str] = set()

    def read(self, path: str) -> bytes | None:
        """The content of a file; None, and an error in `errors`, where there is none to be had."""
        if path in self.errors:
            return None
        # a notebook is mostly its outputs: how much code it holds is known later
        limit = 0 if path.endswith(DOCUMENTS) else self._limit
        try:
            data = self._given.get(path)
            if data is None:
                return self._read_once(path, limit)
            if limit and len(data) > limit:
                raise TooLarge(len(data), limit)
            return data
        except SourceError as error:
            self.errors[path] = error
            return None

    def _read_once(self, path: str, limit: int) -> bytes:
        """Content of a file, which is asked for several times, as long as there is room to keep it."""
        data = self._kept.get(path)
        if data is None:
            data = read_bytes(path, limit)
            if len(data) <= self._room:
                self._room -= len(data)
                self._kept[path] = data
        return data

    def read_naming(self, path: str) -> bytes | None:
        """The content of a file; nothing of one that is known to name neither library."""
        return b"" if path in self._unnamed else self.read(path)

    def is_seed(self, path: str) -> bool:
        """Whether a file may hold a finding by itself."""
        if path not in self._seeds:
            self.look(path, self.read(path) or b"")
        return self._seeds[path]

    def look(self, path: str, data: bytes) -> None:
        """Find out what is remembered of a file: one that is too large to be kept is read for this once."""
        if path not in self._seeds:
            installs = path.endswith(NOTEBOOKS) and prefilter.may_install_gym(data)
            self._seeds[path] = prefilter.is_seed(data) or installs
            if b"gym" not in data:
                self._unnamed.add(path)
