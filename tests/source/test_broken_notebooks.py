"""Broken, empty and very large notebooks."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from command import PLAIN, ROOT, done_lint
from notebooks import PYTHON, TUTORIAL, code, notebook, of_sources, prose, renamed

from done_lint.core.file_io import SourceError
from done_lint.source.source import Source

BROKEN: dict[str, tuple[bytes, str]] = {
    "cut off": (
        notebook(code("import gym"))[:60],
        "a.ipynb:5:4: unreadable-file: is not valid JSON: Unterminated string starting here",
    ),
    "no JSON": (b"import gym\n", "a.ipynb:1:1: unreadable-file: is not valid JSON: Expecting value"),
    "a list": (b'["import gym"]', "a.ipynb:1:1: unreadable-file: is not a notebook: expected an object here"),
    "no cells": (b'{"gym": "import gym"}', "a.ipynb:1:1: unreadable-file: is not a notebook: it has no cells"),
    "no text": (
        b'{"cells": [{"source": [1, "import gym"]}]}',
        "a.ipynb:1:24: unreadable-file: is not a notebook: a cell's source must be text",
    ),
    "more behind it": (notebook(code("import gym")) + b"}", "unreadable-file: is not valid JSON: Extra data"),
    "no UTF-8": (
        notebook(code("import gym\xe9")).decode().encode("latin-1"),
        "unreadable-file: cannot decode as utf-8",
    ),
    "deep": (b'{"import gym": ' + b"[" * 100_000, "unreadable-file: "),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_notebook_is_one_clear_line_and_stays(tmp_path: Path, kind: str) -> None:
    data, line = BROKEN[kind]
    (tmp_path / "a.ipynb").write_bytes(data)
    for command in (["check", *PLAIN], ["fix", *PLAIN]):
        result = done_lint(tmp_path, *command)
        assert len(result.stdout.splitlines()) == 1
        assert line in result.stdout
        assert result.returncode == 1
    assert (tmp_path / "a.ipynb").read_bytes() == data


@pytest.mark.parametrize("cells", [[], [prose("import gym")], [code("")]])
def test_a_notebook_without_code_is_silent(tmp_path: Path, cells: list[dict[str, Any]]) -> None:
    (tmp_path / "a.ipynb").write_bytes(notebook(*cells))
    assert done_lint(tmp_path, "check", "--isolated", "--output-format", "concise").stdout == ""


@pytest.mark.parametrize("data", [b"", b"\n"])
def test_an_empty_notebook_is_silent(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.ipynb").write_bytes(data)
    for command in (["check", *PLAIN], ["fix", *PLAIN]):
        result = done_lint(tmp_path, *command)
        assert (result.stdout, result.returncode) == ("", 0)
    assert (tmp_path / "a.ipynb").read_bytes() == data


def test_characters_that_no_encoding_has_stay(tmp_path: Path) -> None:
    """A half of a surrogate pair can stand in JSON, in no file."""
    data = of_sources(['s = "\ud83d"', "import gym"], ensure_ascii=True)
    assert renamed(data, "gym", "gymnasium") == data.replace(b"gym", b"gymnasium")


def test_fifty_megabytes_of_outputs_take_bounded_memory_and_stay(tmp_path: Path) -> None:
    outputs = [{"data": {"image/png": "A" * 5_000_000}, "metadata": {}, "output_type": "display_data"}] * 10
    data = notebook(code("import gym", outputs=outputs), code("x = 1"))
    (tmp_path / "a.ipynb").write_bytes(data)
    limit = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({1_500_000_000}, {resource.RLIM_INFINITY}))\n"
        "from done_lint.cli import main\n"
        "main(['fix', '--isolated', '-q', 'a.ipynb'])\n"
    )
    result = subprocess.run([sys.executable, "-c", limit], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, check=False)
    assert result.returncode == 0
    new = (tmp_path / "a.ipynb").read_bytes()
    assert new == data.replace(b'"import gym"', b'"import gymnasium as gym"')


def test_a_cell_of_three_thousand_rows(tmp_path: Path) -> None:
    rows = [f"x{number} = {number}\n" for number in range(3_000)]
    data = notebook(code(["import gym\n", *rows, "import gym"]))
    (tmp_path / "a.ipynb").write_bytes(data)
    result = done_lint(tmp_path, "check", "--isolated", "--output-format", "concise")
    assert [row.split(" ")[1] for row in result.stdout.splitlines()] == ["1:1:1:", "1:3002:1:"]
    done_lint(tmp_path, "fix", *PLAIN)
    assert (tmp_path / "a.ipynb").read_bytes() == data.replace(b"import gym", b"import gymnasium as gym")


def test_the_message_of_a_broken_notebook_has_its_place() -> None:
    with pytest.raises(SourceError) as error:
        Source.from_bytes("a.ipynb", b'{\n  "cells": [}')
    assert (error.value.row, error.value.column) == (2, 12)


def test_what_makes_the_notebooks_here_is_a_notebook() -> None:
    nbformat.validate(nbformat.reads(notebook(*TUTORIAL).decode(), as_version=4))
    assert PYTHON["kernelspec"]["language"] == "python"
