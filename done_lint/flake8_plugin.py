"""The rules as a flake8 plugin, under the codes `GYM101` and so on.

flake8 selects, ignores and silences by itself. `GYM000` means that done-lint could not check a file.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence

from done_lint import __version__

#: Diagnostics that flake8 reports itself, or that only the command reports: syntax, comments, skipped files.
_NOT_REPORTED = ("syntax", "warning", "skipped")


class Plugin:
    """Runs on one file."""

    name = "done-lint"
    version = __version__

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        """Take the file that flake8 has read; the parameter `tree` makes this a plugin for whole files."""
        self._path = os.path.abspath(filename)
        self._text = "".join(lines).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")

    def run(self) -> Iterator[tuple[int, int, str, type[Plugin]]]:
        """Row, column from 0, code and message of each finding; a failure is reported as one of them, never raised."""
        try:
            from done_lint.engine.one_file import answer

            findings, diagnostics = answer(self._path, self._text)
        except Exception as error:
            yield 1, 0, f"GYM000 done-lint failed: {type(error).__name__}: {' '.join(str(error).split())}", type(self)
            return
        for finding in findings:
            yield finding.span.row, finding.span.column, f"{finding.code} {finding.message}", type(self)
        for diagnostic in diagnostics:
            if diagnostic.kind not in _NOT_REPORTED:
                yield diagnostic.row, diagnostic.column, f"GYM000 {diagnostic.message}", type(self)
