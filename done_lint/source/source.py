"""Decodes files and encodes them again: encodings, byte order marks, newlines, documents.

A file is decoded once and written back with the same encoding, byte order mark and newlines.
"""

from __future__ import annotations

import re
import tokenize
from codecs import BOM_UTF8
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from done_lint.core.file_io import SourceError, read_bytes
from done_lint.core.paths import DOCUMENTS, section

if TYPE_CHECKING:
    from done_lint.core.findings import Edit
    from done_lint.source.documents.layout import Layout

_NEWLINE = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Source:
    """One Python file, decoded, or the program in a document."""

    #: The path as it is displayed.
    path: str
    #: Decoded, without the byte order mark, newlines as they stand in the file.
    text: str
    encoding: str = "utf-8"
    bom: bytes = b""
    #: Where the rows of a document's program come from; None for a Python file.
    layout: Layout | None = None

    @classmethod
    def read(cls, path: str) -> Source:
        """Read and decode a file.

        Raises:
            SourceError: it cannot be read or is not text.
        """
        return cls.from_bytes(path, read_bytes(path))

    @classmethod
    def from_bytes(cls, path: str, data: bytes, *, docstrings: bool = False) -> Source:
        """Decode as Python does: byte order mark, then encoding cookie, else UTF-8. A document is UTF-8.

        With `docstrings`, the source of a Python file is the program of the examples in its docstrings.

        Raises:
            SourceError: NUL bytes, an unknown encoding, bytes that it does not define, or a broken document.
            SyntaxError, ValueError, RecursionError: with `docstrings`, the file is not Python.
        """
        if path.endswith(DOCUMENTS):
            source = cls._decoded(path, data, "utf-8")
        else:
            source = cls._python(path, data)
            if not docstrings:
                return source
        # Documents are rare, and their readers are slow to import.
        from done_lint.source import documents

        layout = documents.read(path, source.text)
        return cls(path, layout.program, source.encoding, source.bom, layout)

    @classmethod
    def _python(cls, path: str, data: bytes) -> Source:
        if (nul := data.find(b"\0")) >= 0:
            raise SourceError("contains NUL bytes, so it is not Python source", _row_of(data, nul))
        head = data[: _end_of_second_row(data)]
        if data.isascii() and b"coding" not in head:
            return cls(path, data.decode("ascii"))
        # Python's tokenizer ends a row at a carriage return alone too.
        rows = [row + b"\n" for row in _NEWLINE.split(head)[:2]]
        try:
            encoding, _ = tokenize.detect_encoding(iter(rows).__next__)
        except SyntaxError as error:
            raise SourceError(f"cannot decode: {error.msg}") from error
        return cls._decoded(path, data, encoding)

    @classmethod
    def _decoded(cls, path: str, data: bytes, encoding: str) -> Source:
        """The decoded file; with a byte order mark it is UTF-8 whatever the encoding is said to be."""
        bom = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
        encoding = "utf-8" if bom else encoding
        try:
            return cls(path, data[len(bom) :].decode(encoding), encoding, bom)
        except UnicodeDecodeError as error:
            row = _row_of(data, len(bom) + error.start)
            raise SourceError(f"cannot decode as {encoding}: {error.reason}", row) from error
        except (LookupError, ValueError) as error:
            raise SourceError(f"cannot decode as {encoding}: {error}") from error

    @property
    def in_docstrings(self) -> bool:
        """Whether this is the program of the examples in a Python file's docstrings."""
        return self.layout is not None and not self.path.endswith(DOCUMENTS)

    def encode(self, text: str) -> bytes:
        """Bytes of `text` in this file's encoding, with its byte order mark.

        Raises:
            SourceError: the encoding lacks a character of `text`.
        """
        try:
            return self.bom + text.encode(self.encoding)
        except (LookupError, ValueError) as error:
            raise SourceError(f"cannot encode as {self.encoding}: {error}") from error

    def rewritten(self, data: bytes, edits: Iterable[Edit]) -> bytes:
        """The bytes of the file, which are `data` now, after edits of the text that do not overlap.

        Raises:
            SourceError: the encoding lacks a character, or encodes the decoded text in another way.
            ValueError: an edit that cannot be made in the document (see `accepts`).
        """
        text = self.text if self.layout is None else data[len(self.bom) :].decode(self.encoding)
        # An encoding that writes a character in two ways would change bytes that no fix touches.
        if self.encode(text) != data:
            raise SourceError(f"cannot be re-encoded as {self.encoding} without changing other bytes; not fixed")
        if self.layout is None:
            from done_lint.core.apply_edits import edited

            return self.encode(edited(text, edits))
        from done_lint.source import documents

        return self.encode(documents.rewritten(self.path, text, self.layout, edits))

    def accepts(self, edits: Iterable[Edit]) -> bool:
        """Whether all these edits of the text can be made in the file."""
        return self.layout is None or all(self.layout.moved(edit) is not None for edit in edits)

    def sections(self) -> list[tuple[str, str]]:
        """The texts that people edit, each with a suffix for its path: the cells of a notebook, or the whole file."""
        if self.layout is None:
            return [("", self.text)]
        # A cell usually ends without a newline, which a diff need not mention.
        return [(section(cell.number), cell.text + "\n" * (cell.number is not None)) for cell in self.layout.cells]


def _end_of_second_row(data: bytes) -> int:
    """The offset behind the second row: an encoding cookie must be in the first two rows."""
    ends = [newline.end() for newline in islice(_NEWLINE.finditer(data), 2)]
    return ends[1] if len(ends) == 2 else len(data)


def _row_of(data: bytes, offset: int) -> int:
    """Row of a byte offset."""
    head = data[:offset]
    return 1 + head.count(b"\n") + head.count(b"\r") - head.count(b"\r\n")
