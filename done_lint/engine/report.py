"""The result of a run, as the user sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from done_lint.core.findings import Diagnostic, Finding


class Change(NamedTuple):
    """A text before and after `fix`: a file, or a cell of a notebook, with its title in the diff."""

    title: str
    before: str
    after: str


@dataclass(slots=True)
class Report:
    """The result of a run."""

    findings: list[Finding] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    #: How many files were asked for; of those that are not Python, only the ones with findings or diagnostics.
    files: int = 0
    #: Displayed path, and number of the cell in a notebook, to the text that the findings' positions refer to.
    texts: dict[tuple[str, int | None], str] = field(default_factory=dict)
    #: Number of findings that were fixed, and the files that `fix` changed: displayed path to the changes in it.
    fixed: int = 0
    changed: dict[str, list[Change]] = field(default_factory=dict)
    #: Displayed path to the bytes of the files that `fix` changed.
    written: dict[str, bytes] = field(default_factory=dict)
    #: What the last project was read into: taking it apart takes a twentieth of a check, and a command may end before.
    basis: object = field(default=None, compare=False, repr=False)

    def add(self, other: Report) -> None:
        """Add what was found in another project."""
        self.findings += other.findings
        self.diagnostics += other.diagnostics
        self.files += other.files
        self.texts |= other.texts
        self.basis, other.basis = other.basis, None

    def sort(self) -> None:
        """Sort by place, so that the output does not depend on how the work was distributed."""
        self.findings.sort(key=lambda finding: finding.sort_key)
        self.diagnostics.sort(key=lambda one: (one.path, one.cell or 0, one.row, one.column))

    @property
    def internal(self) -> bool:
        """Whether done-lint itself failed somewhere."""
        return any(diagnostic.kind == "internal" for diagnostic in self.diagnostics)

    @property
    def failed(self) -> bool:
        """Whether a file could not be linted or written."""
        return any(diagnostic.kind not in ("warning", "cell", "skipped", "kept") for diagnostic in self.diagnostics)
