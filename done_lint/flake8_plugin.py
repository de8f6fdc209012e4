"""The rules as a flake8 plugin: what one file proves, under the codes `GYM101` and so on.

flake8 selects, ignores and silences by itself. `GYM000` says that done-lint could not check a file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from done_lint import __version__, prefilter, run
from done_lint.config import Settings
from done_lint.files import Project


class Plugin:
    """Runs on one file."""

    name = "done-lint"
    version = __version__

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        """Take from flake8 what it has read; `tree` makes this a plugin that sees whole files."""
        self._path = filename
        # flake8 has decoded the file already, whatever its cookie says, and silences findings by itself.
        head = [row.replace("coding", "c0ding") if row.lstrip().startswith("#") else row for row in lines[:2]]
        text = re.sub("noqa", "n0qa", "".join([*head, *lines[2:]]), flags=re.IGNORECASE)
        self._data = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").encode("utf-8", "replace")

    def run(self) -> Iterator[tuple[int, int, str, type[Plugin]]]:
        """Row, column from 0, code and message of each finding."""
        if not prefilter.is_seed(self._data):
            return
        project = Project("", Settings(), [self._path], alone=True)
        report = run.check([project], given={self._path: self._data})
        for finding in report.findings:
            yield finding.span.row, finding.span.column, f"{finding.code} {finding.message}", type(self)
        for diagnostic in report.diagnostics:
            # flake8 says itself what is no Python for it, and a warning must not fail its run.
            if diagnostic.kind in ("unreadable", "internal"):
                yield diagnostic.row, diagnostic.column, f"GYM000 {diagnostic.message}", type(self)
