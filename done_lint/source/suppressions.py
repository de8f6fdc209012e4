"""Comments that silence: `# noqa` as flake8 and ruff read it, `# done-lint: skip-file`, `skip-cell` in documents.

Text inside a string is not a comment. As in flake8 a comment applies to its own row, and to all rows of a string or
backslash continuation that ends there. Where flake8 and ruff differ, a comment silences every finding that one of them
would silence, so that no fix changes such a row; a list of codes silences those codes only.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass, field

from done_lint.core.findings import Edit, Finding
from done_lint.core.text import NEWLINE, Lines
from done_lint.source.source import Source

_CODE = re.compile(r"[a-z]+[0-9]+", re.IGNORECASE)
_CODES = r"(?P<codes>(?:[a-z]+[0-9]+[,\s]*)+)"
#: A colon without a code behind it is prose: the comment silences everything, as in flake8.
ROW = re.compile(rf"#\s*noqa(?::\s?{_CODES})?", re.IGNORECASE)
#: A quoted comment is prose.
_NOT_QUOTED = r"(?<![`'\"])"
FILE = re.compile(rf"{_NOT_QUOTED}#\s*(?P<tool>flake8|ruff)\s*[:=]\s*noqa(?::\s*{_CODES})?", re.IGNORECASE)
SKIP = re.compile(
    rf"{_NOT_QUOTED}#\s*done-lint:\s*(?P<what>skip-file|skip-cell)\b(?!-)(?:(?:\s*[:=]\s*|\s+(?=gym[0-9])){_CODES})?",
    re.IGNORECASE,
)

#: What a file has somewhere in which a comment silences anything.
SILENCING = re.compile(r"noqa|done-lint\s*:", re.IGNORECASE)

#: Prefixes of the codes that a comment silences; the empty prefix silences all.
Prefixes = tuple[str, ...]
_ALL: Prefixes = ("",)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, the first and last row that it applies to, and whether it is alone on its row."""

    text: str
    first: int
    last: int
    alone: bool
    #: The position of the comment itself.
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The codes that the comments of one file silence."""

    rows: dict[int, Prefixes] = field(default_factory=dict)
    #: Silenced in the whole file, by `skip-file` and similar comments.
    everywhere: Prefixes = ()
    #: First and last row of each cell with a `# done-lint: skip-cell`, and the codes that it silences.
    skipped: tuple[tuple[int, int, Prefixes], ...] = ()

    @property
    def skip_file(self) -> bool:
        """Whether nothing is reported here: `# done-lint: skip-file` or `# flake8: noqa`."""
        return "" in self.everywhere

    @classmethod
    def of(cls, source: Source) -> Suppressions:
        """Read the comments that apply to a source: for examples in docstrings also those of the file around them."""
        layout = source.layout
        if layout is None:
            return cls.read(source.text)
        own = cls.read(source.text, layout.spans_of_blocks())
        if not source.in_docstrings:
            return own
        around = cls.read(layout.cells[0].text)
        if not around.rows:
            return cls(own.rows, own.everywhere + around.everywhere, own.skipped)
        lines = Lines(layout.cells[0].text)
        rows = dict(own.rows)
        for number, offset in enumerate(layout.offsets, 1):
            row, _ = lines.position(layout.place(offset)[1])
            rows[number] = rows.get(number, ()) + around.rows.get(row, ())
        return cls(rows, own.everywhere + around.everywhere, own.skipped)

    @classmethod
    def read(cls, text: str, cells: Sequence[tuple[int, int]] = ()) -> Suppressions:
        """Read the comments of a file; the tokenizer runs only where one of the words occurs.

        `cells` are the first and last rows of the cells, if `text` is the program of a document.
        """
        if "noqa" not in text and "skip-" not in text and not re.search("noqa|skip-", text, re.IGNORECASE):
            return cls()
        return cls._of_comments(comments(text), cells)

    @classmethod
    def of_rows(cls, text: str) -> Suppressions:
        """Read the comments of a file that is not Python: from `#` to the end of the row, each for its own row."""
        return cls._of_comments(comments_of_rows(text), ())

    @classmethod
    def _of_comments(cls, found: Sequence[Comment], cells: Sequence[tuple[int, int]]) -> Suppressions:
        rows: dict[int, Prefixes] = {}
        everywhere: Prefixes = ()
        skipped: list[tuple[int, int, Prefixes]] = []
        for comment in found:
            if match := SKIP.search(comment.text):
                if match["what"].lower() == "skip-file":
                    everywhere += prefixes(match)
                else:
                    skipped += [(*cell, prefixes(match)) for cell in cells if cell[0] <= comment.row <= cell[1]]
            elif comment.alone and (match := FILE.search(comment.text)):
                everywhere += of_file(match)
            for match in ROW.finditer(comment.text):
                for row in range(comment.first, comment.last + 1):
                    rows[row] = rows.get(row, ()) + prefixes(match)
        return cls(rows, everywhere, tuple(skipped))

    def hides(self, finding: Finding) -> bool:
        """Whether a comment silences this finding."""
        return self.silences(finding.code, finding.span.row)

    def silences(self, code: str, row: int) -> bool:
        """Whether a comment silences a code in a row."""
        if any(first <= row <= last and code.startswith(silent) for first, last, silent in self.skipped):
            return True
        return code.startswith((*self.rows.get(row, ()), *self.everywhere))

    def forbid(self, code: str, edits: Sequence[Edit], lines: Lines) -> bool:
        """Whether one of the edits that fix a code changes a row where the code is silenced."""
        if not (self.rows or self.skipped):
            return False
        return any(self.silences(code, row) for edit in edits for row in _rows_changed(edit, lines))


def prefixes(match: re.Match[str]) -> Prefixes:
    """The codes that a comment names, in upper case; all codes where it names none."""
    codes: str | None = match["codes"]
    return tuple(code.upper() for code in _CODE.findall(codes)) if codes else _ALL


def of_file(match: re.Match[str]) -> Prefixes:
    """The codes that a comment for the whole file silences: `# ruff: noqa` without codes is only for ruff."""
    return () if match["tool"].lower() == "ruff" and not match["codes"] else prefixes(match)


def _rows_changed(edit: Edit, lines: Lines) -> range:
    """The rows that an edit changes; new rows between two others change neither of them."""
    first, column = lines.position(edit.start)
    last, end = lines.position(edit.end)
    if column == end == 0 and edit.text.endswith(("\n", "\r")):
        return range(first, last)
    if edit.start == edit.end and edit.text.startswith(("\n", "\r")) and column == len(lines.row(first)):
        return range(0)
    return range(first, last + 1)


def comments_of_rows(text: str) -> list[Comment]:
    """The comments of a file that is not Python: everything behind a `#`."""
    return [
        Comment(row[row.index("#") :], number, number, row.lstrip().startswith("#"), number, row.index("#"))
        for number, row in enumerate(NEWLINE.split(text), 1)
        if "#" in row
    ]


def comments(text: str) -> list[Comment]:
    """Each comment of a Python file."""
    found: list[Comment] = []
    # The tokenizer counts rows by "\n" only.
    reader = io.StringIO(NEWLINE.sub("\n", text)).readline
    first = 0
    pending: list[tuple[str, tuple[int, int], bool]] = []

    def take(end_row: int) -> None:
        found.extend(
            Comment(comment, first or at[0], max(at[0], end_row), alone, *at) for comment, at, alone in pending
        )
        pending.clear()

    try:
        for kind, string, start, (end_row, _), line in tokenize.generate_tokens(reader):
            if kind in (tokenize.DEDENT, tokenize.ENDMARKER):
                continue
            first = first or start[0]
            if kind == tokenize.COMMENT:
                pending.append((string, start, line.lstrip().startswith("#")))
            elif kind in (tokenize.NL, tokenize.NEWLINE):
                take(end_row)
                first = 0
    except (tokenize.TokenError, SyntaxError):
        # The file parses (it has findings), so only the tokenizer fails: keep the comments that it found.
        take(0)
    return found
