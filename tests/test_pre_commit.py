"""The hooks of `.pre-commit-hooks.yaml`, and which files pre-commit passes to them."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest

from done_lint.project.requirement_files import is_requirements_file

identify = pytest.importorskip("identify.identify", reason="the extra `test` brings identify")
yaml = pytest.importorskip("yaml", reason="the extra `test` brings PyYAML")

ROOT = Path(__file__).resolve().parent.parent
HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}
CODE = (".py", ".pyw", ".ipynb")
FOLDERS = ("", "docs", "requirements", "dev-requirements", "requirements-old", "requirements/deep", "env", "my.conda")
STEMS = (
    *("requirements", "dev-requirements", "requirements-dev", "Requirements", "require", "base", "gym"),
    *("environment", "my_env", "conda", "conda-linux", "venv", "pyproject", "my-pyproject", "setup", "tox", "README"),
    *("LICENSE", "Pipfile", "train", ".env", "a b"),
)
ENDINGS = (*CODE, "", ".txt", ".in", ".yml", ".yaml", ".toml", ".cfg", ".ini", ".lock", ".md", ".json", ".txt.bak")


def takes(hook: dict[str, Any], folder: Path, name: str) -> bool:
    """Whether pre-commit passes a file to a hook, by its defaults."""
    if not re.search(hook.get("files", ""), name) or re.search(hook.get("exclude", "^$"), name):
        return False
    tags = identify.tags_from_path(str(folder / name))
    return tags.issuperset(hook.get("types", ["file"])) and not tags.isdisjoint(hook.get("types_or", tags))


def write(folder: Path, name: str, text: str = "x = 1\n", mode: int = 0o644) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


@pytest.mark.parametrize("hook", ["done-lint", "done-lint-fix"])
def test_a_hook_takes_code_by_its_ending_and_the_files_that_name_packages(tmp_path: Path, hook: str) -> None:
    taken = set()
    names = {"{}/{}{}".format(*parts).lstrip("/") for parts in itertools.product(FOLDERS, STEMS, ENDINGS)}
    for name in sorted(names.difference(FOLDERS)):
        write(tmp_path, name)
        expected = name.endswith(CODE) or is_requirements_file(name)
        assert takes(HOOKS[hook], tmp_path, name) is expected, name
        taken |= {name} if expected else set()
    assert {"pyproject.toml", "setup.cfg", "requirements/base.in", "docs/environment.yml", "train.ipynb"} <= taken


@pytest.mark.parametrize("kind", ["", "-fix"])
def test_python_without_the_ending_is_for_a_hook_of_its_own(tmp_path: Path, kind: str) -> None:
    write(tmp_path, "bin/train", "#!/usr/bin/env python3\nimport gym\n", 0o755)
    write(tmp_path, "bin/run", "#!/bin/sh\n", 0o755)
    for name in ("train.py", "app.wsgi", "LICENSE", "notebook.ipynb"):
        write(tmp_path, name)
    names = ("bin/train", "bin/run", "train.py", "app.wsgi", "LICENSE", "notebook.ipynb")

    def taken(hook: str) -> list[str]:
        return [name for name in names if takes(HOOKS[hook], tmp_path, name)]

    assert taken(f"done-lint{kind}") == ["train.py", "notebook.ipynb"]
    assert taken(f"done-lint{kind}-scripts") == ["bin/train", "app.wsgi"]
