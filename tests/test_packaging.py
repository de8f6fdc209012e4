"""What a type checker and a package index read of the project."""

from __future__ import annotations

import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent


def test_the_package_declares_its_types_and_its_authors() -> None:
    # The wheel has every file of the folder.
    assert (ROOT / "done_lint" / "py.typed").is_file()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["authors"] == [{"name": "The done-lint authors"}]
    assert "Typing :: Typed" in project["classifiers"]
