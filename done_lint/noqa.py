"""Comments that silence: `# noqa` as flake8 reads it, `# done-lint: skip-file`, and `skip-cell` in documents.

Only comments count, never text inside a string. As in flake8 a comment holds for its own row, and for
all rows of a string or backslash continuation that ends there.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass, field

from done_lint.findings import Finding

_CODES = r"(?P<codes>(?:[a-z]+[0-9]+[,\s]*)+)"
#: A colon without a code behind it is prose, and silences everything, as in flake8.
_ROW = re.compile(rf"# noqa(?::\s?{_CODES})?", re.IGNORECASE)
_FILE = re.compile(rf"#\s*flake8[:=]\s*noqa(?::\s?{_CODES})?", re.IGNORECASE)
_SKIP_CELL = re.compile(r"#\s*done-lint:\s*skip-cell\b", re.IGNORECASE)
_SKIP_FILE = re.compile(r"#\s*done-lint:\s*skip-file\b", re.IGNORECASE)

#: Prefixes of the codes that a comment silences; the empty prefix silences all.
Prefixes = tuple[str, ...]
_ALL: Prefixes = ("",)


@dataclass(frozen=True, slots=True)
class Suppressions:
    """What the comments of one file silence."""

    rows: dict[int, Prefixes] = field(default_factory=dict)
    #: Silenced in the whole file, by `# flake8: noqa: GYM101`.
    everywhere: Prefixes = ()
    #: `# done-lint: skip-file` or `# flake8: noqa`: nothing is reported here.
    skip_file: bool = False
    #: First and last row of the cells that have a `# done-lint: skip-cell`.
    skipped: tuple[tuple[int, int], ...] = ()

    @classmethod
    def read(cls, text: str, cells: Sequence[tuple[int, int]] = ()) -> Suppressions:
        """Read the comments of a file; the tokenizer runs only where one of the words occurs.

        `cells` are the first and last rows of the cells, if `text` is the program of a document.
        """
        if "noqa" not in text and "skip-" not in text and not re.search("noqa|skip-", text, re.IGNORECASE):
            return cls()
        rows: dict[int, Prefixes] = {}
        everywhere: Prefixes = ()
        skip_file = False
        skipped: list[tuple[int, int]] = []
        for comment, first, last, alone in _comments(text):
            if _SKIP_CELL.match(comment):
                skipped += [cell for cell in cells if cell[0] <= first <= cell[1]]
            elif _SKIP_FILE.match(comment):
                skip_file = True
            elif alone and (match := _FILE.match(comment)):
                everywhere += _prefixes(match)
            if match := _ROW.search(comment):
                rows.update(dict.fromkeys(range(first, last + 1), _prefixes(match)))
        return cls(rows, everywhere, skip_file or "" in everywhere, tuple(skipped))

    @classmethod
    def of_rows(cls, text: str) -> Suppressions:
        """Read the comments of a file that is not Python: from `#` to the row's end, each for its own row."""
        rows: dict[int, Prefixes] = {}
        skip_file = False
        for number, row in enumerate(_NEWLINES.sub("\n", text).split("\n"), 1):
            comment = row[row.find("#") :] if "#" in row else ""
            skip_file = skip_file or bool(_SKIP_FILE.match(comment))
            if match := _ROW.search(comment):
                rows[number] = _prefixes(match)
        return cls(rows, skip_file=skip_file)

    def hides(self, finding: Finding) -> bool:
        """Whether a comment silences this finding."""
        if self.skip_file or any(first <= finding.span.row <= last for first, last in self.skipped):
            return True
        return finding.code.startswith((*self.rows.get(finding.span.row, ()), *self.everywhere))


def _prefixes(match: re.Match[str]) -> Prefixes:
    """The codes that a comment names."""
    codes: str | None = match["codes"]
    return tuple(re.split(r"[,\s]+", codes.strip(", \t"))) if codes else _ALL


def _comments(text: str) -> list[tuple[str, int, int, bool]]:
    """Each comment with the rows it speaks for, first and last, and whether it stands alone on its row."""
    found: list[tuple[str, int, int, bool]] = []
    # The tokenizer counts rows by "\n" only.
    reader = io.StringIO(_NEWLINES.sub("\n", text)).readline
    first = 0
    pending: list[tuple[str, int, bool]] = []
    try:
        for kind, string, (row, _), (end_row, _), line in tokenize.generate_tokens(reader):
            if kind in (tokenize.DEDENT, tokenize.ENDMARKER):
                continue
            first = first or row
            if kind == tokenize.COMMENT:
                pending.append((string, row, line.lstrip().startswith("#")))
            elif kind in (tokenize.NL, tokenize.NEWLINE):
                found += [(comment, first, max(at, end_row), alone) for comment, at, alone in pending]
                pending.clear()
                first = 0
    except (tokenize.TokenError, SyntaxError):
        # The file parses (it has findings), so this is a quirk of the tokenizer: keep what it read.
        found += [(comment, first or at, at, alone) for comment, at, alone in pending]
    return found


_NEWLINES = re.compile(r"\r\n?")
