"""What a run found out, as the user is to see it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from done_lint.core.findings import Diagnostic, Finding


class Change(NamedTuple):
    """A text before and after `fix`: a file, or a cell of a notebook, and how it is called."""

    title: str
    before: str
    after: str


@dataclass(slots=True)
class Report:
    """What a run found out."""

    findings: list[Finding] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    #: How many files were asked for; of those that are not Python, the ones with something to say.
    files: int = 0
    #: Displayed path, and number of the cell in a notebook, to the text that the findings' positions refer to.
    texts: dict[tuple[str, int | None], str] = field(default_factory=dict)
    #: Number of findings that `fix` mended, and the files it changed: displayed path to what changed in it.
    fixed: int = 0
    changed: dict[str, list[Change]] = field(default_factory=dict)
    #: Displayed path to the bytes of the files that `fix` changed.
    written: dict[str, bytes] = field(default_factory=dict)

    def sort(self) -> None:
        """Bring everything into the order of output, which how the work was shared out must not show."""
        self.findings.sort(key=lambda finding: finding.sort_key)
        self.diagnostics.sort(key=lambda said: (said.path, said.cell or 0, said.row, said.column))

    @property
    def internal(self) -> bool:
        """Whether done-lint itself failed somewhere."""
        return any(diagnostic.kind == "internal" for diagnostic in self.diagnostics)

    @property
    def failed(self) -> bool:
        """Whether a file could not be linted or written."""
        return any(diagnostic.kind not in ("warning", "cell", "skipped") for diagnostic in self.diagnostics)
