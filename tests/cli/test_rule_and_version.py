"""The pages of the rules, the version, the help, and what is imported for them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from command import ROOT, done_lint


def test_rule_prints_a_page_or_the_list() -> None:
    listed = done_lint(ROOT, "rule").stdout
    assert "GYM101  four-value-step\n" in listed
    page = done_lint(ROOT, "rule", "GYM101")
    assert page.returncode == 0
    assert page.stdout.startswith("# GYM101 four-value-step")
    assert done_lint(ROOT, "rule", "four-value-step").stdout == page.stdout
    assert done_lint(ROOT, "rule", "gym101").stdout == page.stdout


def imported(folder: Path, *arguments: str) -> set[str]:
    """Top-level modules that a run imports."""
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "done_lint", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return {row.rpartition("|")[2].strip().partition(".")[0] for row in result.stderr.splitlines()}


def test_libcst_is_imported_only_where_there_is_something_to_report(folder: Path) -> None:
    (folder / "plain.py").write_text("print('hello')\n")
    (folder / "done-lint.toml").write_text('select = ["GYM1"]\nexclude = ["old.py"]\n')
    assert "libcst" in imported(folder, "check", "--isolated", "old.py")
    assert "libcst" not in imported(folder, "--version")
    assert "libcst" not in imported(folder, "check", "plain.py")
    assert "libcst" not in imported(folder, "check", "--select", "GYM2", "plain.py")
    assert "libcst" not in imported(folder, "rule")


def test_the_version_is_that_of_the_package() -> None:
    from done_lint import __version__

    assert done_lint(ROOT, "--version").stdout == f"done-lint, version {__version__}\n"
    assert done_lint(ROOT, "-V").stdout == f"done-lint, version {__version__}\n"


def test_the_help_says_how_to_do_without_the_cache() -> None:
    assert "Neither use answers of before nor keep these" in " ".join(done_lint(ROOT, "check", "--help").stdout.split())
