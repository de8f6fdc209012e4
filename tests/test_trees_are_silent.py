"""Large trees without reinforcement learning report nothing at all.

A tree's Python files are copied first: so it is whole, whatever the command excludes by default, and nothing that is
installed inside of it counts.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


def copied(tree: Path, to: Path) -> Path:
    """A copy of the tree's Python files, without packages that are installed inside of it."""

    def other(folder: str, names: list[str]) -> set[str]:
        files = {n for n in names if not n.endswith(".py") and not (Path(folder) / n).is_dir()}
        return files | ({"site-packages", "dist-packages", "__pycache__"} & set(names))

    shutil.copytree(tree, to, ignore=other)
    return to


def reported(tree: Path) -> list[dict[str, Any]]:
    """Findings below a tree."""
    result = subprocess.run(
        [sys.executable, "-m", "done_lint", "check", "--isolated", "--no-cache", "--output-format", "json", str(tree)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    # Exit 1 is right where a tree holds files that no Python parses, as the standard library's tests do.
    assert result.returncode in (0, 1), result.stderr
    assert "Traceback" not in result.stderr, result.stderr
    findings: list[dict[str, Any]] = json.loads(result.stdout)
    return findings


def test_the_standard_library_reports_nothing(tmp_path: Path) -> None:
    tree = copied(Path(sysconfig.get_paths()["stdlib"]).resolve(), tmp_path / "stdlib")
    assert (tree / "argparse.py").exists()
    assert reported(tree) == []


@pytest.mark.parametrize("package", ["numpy", "scipy", "sympy", "django"])
def test_an_installed_package_reports_nothing(package: str, tmp_path: Path) -> None:
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        pytest.skip(f"{package} is not installed")
    tree = copied(Path(spec.origin).resolve().parent, tmp_path / package)
    assert (tree / "__init__.py").exists()
    assert reported(tree) == []
