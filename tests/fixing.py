"""Fixes a project in this process, as `done-lint fix` does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from done_lint.core.apply_edits import unified_diff
from done_lint.core.findings import Finding
from done_lint.engine import analyze
from done_lint.project.discovery import projects
from done_lint.project.settings import Overrides


@dataclass(frozen=True)
class Fixed:
    """What `fix` did."""

    findings: list[Finding]
    #: The new texts of the files that changed.
    changed: Mapping[str, str]
    diffs: list[str]


def texts(folder: Path) -> dict[str, str]:
    """The Python files below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}


def fix(folder: Path) -> Fixed:
    """Fix what is safe in a folder."""
    before = texts(folder)
    report = analyze.fix(projects([str(folder)], Overrides().settings))
    after = texts(folder)
    changed = {name: text for name, text in after.items() if text != before[name]}
    return Fixed(report.findings, changed, [unified_diff(name, before[name], text) for name, text in changed.items()])
