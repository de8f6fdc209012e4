"""Bytes to text and back: encodings, byte order marks, rows and columns, atomic writes.

A file is decoded once and written back with everything the user did not ask to change: its encoding,
byte order mark, newlines and mode.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from done_lint.core import interrupts

if TYPE_CHECKING:
    from done_lint.core.findings import Edit
    from done_lint.source.documents.layout import Layout

UTF8_BOM = b"\xef\xbb\xbf"

#: How the names of notebooks and of documents end (see `done_lint.source.documents`).
NOTEBOOKS = (".ipynb",)
PROSE = (".md", ".mdx", ".rst")
DOCUMENTS = (*NOTEBOOKS, *PROSE)

#: Where Python ends a row; form feeds and other separators of `str.splitlines` do not count.
_NEWLINE = re.compile(r"\r\n|\r|\n")


class SourceError(Exception):
    """A file that cannot be read, decoded or written; the message is one clear line."""

    def __init__(self, message: str, row: int = 1, column: int = 0) -> None:
        """`row` and `column` as in `Diagnostic`: from 1, from 0."""
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column


class TooLarge(SourceError):
    """A file, or the code in a document, that is larger than the settings allow."""

    def __init__(self, size: int, limit: int) -> None:
        """Both in bytes."""
        super().__init__(f"{_shown_size(size)}, larger than max-file-size ({_shown_size(limit)})")


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
            SourceError: NUL bytes, an unknown encoding, or bytes that do not belong to it; a document that is broken.
            SyntaxError, ValueError, RecursionError: `docstrings` of what is no Python file.
        """
        # Documents are rare: only who has one pays for their readers.
        if path.endswith(DOCUMENTS):
            from done_lint.source import documents

            source = cls._utf8(path, data)
        elif docstrings:
            from done_lint.source import documents

            source = cls._python(path, data)
        else:
            return cls._python(path, data)
        layout = documents.read(path, source.text)
        return cls(path, layout.program, source.encoding, source.bom, layout)

    @classmethod
    def _utf8(cls, path: str, data: bytes) -> Source:
        bom = UTF8_BOM if data.startswith(UTF8_BOM) else b""
        try:
            return cls(path, data[len(bom) :].decode("utf-8"), "utf-8", bom)
        except UnicodeDecodeError as error:
            row = _row_of(data, len(bom) + error.start)
            raise SourceError(f"cannot decode as utf-8: {error.reason}", row) from error

    @classmethod
    def _python(cls, path: str, data: bytes) -> Source:
        if (nul := data.find(b"\0")) >= 0:
            raise SourceError("contains NUL bytes, so it is not Python source", _row_of(data, nul))
        if data.isascii() and b"coding" not in _first_two_rows(data):
            return cls(path, data.decode("ascii"))
        try:
            encoding, _ = tokenize.detect_encoding(_first_rows(data).__next__)
        except SyntaxError as error:
            raise SourceError(f"cannot decode: {error.msg}") from error
        bom = UTF8_BOM if data.startswith(UTF8_BOM) else b""
        encoding = "utf-8" if bom else encoding
        try:
            text = data[len(bom) :].decode(encoding)
        except UnicodeDecodeError as error:
            row = _row_of(data, len(bom) + error.start)
            raise SourceError(f"cannot decode as {encoding}: {error.reason}", row) from error
        except (LookupError, ValueError) as error:
            raise SourceError(f"cannot decode as {encoding}: {error}") from error
        return cls(path, text, encoding, bom)

    @property
    def in_docstrings(self) -> bool:
        """Whether this is the program of the examples in a Python file's docstrings."""
        return self.layout is not None and not self.path.endswith(DOCUMENTS)

    @property
    def newline(self) -> str:
        """The newline of the first row, which new rows should use too."""
        match = _NEWLINE.search(self.text)
        return match.group() if match else "\n"

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
            SourceError: the encoding lacks a character, or does not write back what it reads.
            ValueError: an edit that the document cannot take (see `takes`).
        """
        from done_lint.core.apply_edits import edited

        if self.layout is None:
            # An encoding that writes a character in two ways would change bytes that no fix touches.
            if self.encode(self.text) != data:
                raise SourceError(f"its encoding, {self.encoding}, does not write back what it reads; not fixed")
            return self.encode(edited(self.text, edits))
        from done_lint.source import documents

        text = data[len(self.bom) :].decode(self.encoding)
        if self.encode(text) != data:
            raise SourceError(f"its encoding, {self.encoding}, does not write back what it reads; not fixed")
        return self.encode(documents.rewritten(self.path, text, self.layout, edits))

    def takes(self, edits: Iterable[Edit]) -> bool:
        """Whether all these edits of the text can be made in the file."""
        return self.layout is None or all(self.layout.moved(edit) is not None for edit in edits)

    def sections(self) -> list[tuple[str, str]]:
        """The texts that people edit, each with what its name adds to the path: a notebook's cells, or all of it."""
        if self.layout is None:
            return [("", self.text)]
        # A cell ends without a newline, which is no more worth a word than that a file ends with one.
        return [(section(cell.number), cell.text + "\n" * (cell.number is not None)) for cell in self.layout.cells]


def section(cell: int | None) -> str:
    """What a cell's number adds to the path of its file."""
    return "" if cell is None else f":cell {cell}"


class Lines:
    """Converts between character offsets and rows (from 1) and columns (characters, from 0)."""

    def __init__(self, text: str) -> None:
        """Find where the rows of `text` start."""
        self.text = text
        self._starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]

    def __len__(self) -> int:
        """Number of rows; the empty one after a final newline counts."""
        return len(self._starts)

    def offset(self, row: int, column: int) -> int:
        """Character offset of a position; positions outside the text are drawn to its edge."""
        if row < 1:
            return 0
        if row > len(self._starts):
            return len(self.text)
        return min(self._starts[row - 1] + column, len(self.text))

    def position(self, offset: int) -> tuple[int, int]:
        """Row and column of a character offset."""
        row = bisect_right(self._starts, max(offset, 0))
        return row, max(offset, 0) - self._starts[row - 1]

    def row(self, row: int) -> str:
        """Text of one row without its newline; rows outside the text are empty."""
        if not 1 <= row <= len(self._starts):
            return ""
        end = self._starts[row] if row < len(self._starts) else len(self.text)
        return self.text[self._starts[row - 1] : end].rstrip("\r\n")


def read_bytes(path: str, limit: int = 0) -> bytes:
    """Read a regular file of at most `limit` bytes; 0: of any size.

    Raises:
        SourceError: it vanished, may not be read, or is no file.
        TooLarge: it is larger, and was not read.
    """
    try:
        # A named pipe would block for ever, a device may never end.
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise SourceError("is not a regular file")
        if limit and status.st_size > limit:
            raise TooLarge(status.st_size, limit)
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise SourceError(f"cannot read: {error.strerror or error}") from error
    except ValueError as error:  # a NUL inside the path
        raise SourceError(f"cannot read: {error}") from error


def _shown_size(size: int) -> str:
    """A number of bytes for people."""
    for unit, worth in (("MB", 1_000_000), ("kB", 1_000)):
        if size >= worth:
            return f"{size / worth:.1f}".removesuffix(".0") + f" {unit}"
    return f"{size} bytes"


@interrupts.delayed()
def write_atomically(path: str, data: bytes, root: str | None = None) -> None:
    """Replace a file by `data` in one step: whoever interrupts finds the old file whole, or the new one.

    A symbolic link stays; its target is written, unless it lies outside `root`. The mode is kept,
    and, where the system allows it, the owner.

    Raises:
        SourceError: the file may not be written.
    """
    target = Path(os.path.realpath(path))
    if root is not None and os.path.islink(path) and not target.is_relative_to(os.path.realpath(root)):
        raise SourceError(f"is a symbolic link out of the project (to {target}); not written")
    temporary = ""
    try:
        status = target.stat()
        if not os.access(target, os.W_OK):
            raise PermissionError(0, "the file is read-only")
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        with contextlib.suppress(OSError, AttributeError):  # only root may give a file away; Windows has no owner
            if (status.st_uid, status.st_gid) != (os.getuid(), os.getgid()):
                os.chown(temporary, status.st_uid, status.st_gid)
        os.chmod(temporary, stat.S_IMODE(status.st_mode))
        os.replace(temporary, target)
        temporary = ""
    except OSError as error:
        raise SourceError(f"cannot write: {error.strerror or error}") from error
    finally:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _first_two_rows(data: bytes) -> bytes:
    """At least the first two rows: the only ones where an encoding cookie counts."""
    head = data[:400]
    # A cookie may stand behind a long first row (a generated licence line).
    if len(data) > len(head) and head.count(b"\n") < 2:
        return b"".join(data.split(b"\n", 2)[:2])
    return head


def _first_rows(data: bytes) -> Iterator[bytes]:
    """The first two rows as a reader; a carriage return alone ends a row too, as in Python's tokenizer."""
    rows = re.split(rb"\r\n|\r|\n", data[: _end_of_second_row(data)])
    yield from (row + b"\n" for row in rows[:2])


def _end_of_second_row(data: bytes) -> int:
    """An offset behind the second row."""
    end = 0
    for _ in range(2):
        if (match := re.compile(rb"\r\n|\r|\n").search(data, end)) is None:
            return len(data)
        end = match.end()
    return end


def _row_of(data: bytes, offset: int) -> int:
    """Row of a byte offset."""
    head = data[:offset]
    return 1 + head.count(b"\n") + head.count(b"\r") - head.count(b"\r\n")
