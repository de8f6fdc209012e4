"""What a type checker and a package index find in the project."""

from __future__ import annotations

import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent


def test_the_package_says_that_it_is_typed_and_by_whom_it_is() -> None:
    # The wheel has every file of the folder.
    assert (ROOT / "done_lint" / "py.typed").is_file()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["authors"] == [{"name": "The done-lint authors"}]
    assert "Typing :: Typed" in project["classifiers"]
