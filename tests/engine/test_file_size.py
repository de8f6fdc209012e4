"""One large file: its cost grows with its size and no faster, and above a limit it is skipped."""

from __future__ import annotations

import importlib.util
import json
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType, ModuleType

import pytest
from click.testing import CliRunner, Result

from done_lint.cli import main
from done_lint.core import apply_edits
from done_lint.engine import analyze
from done_lint.project.discovery import projects
from done_lint.project.settings import Settings
from done_lint.reporters import render

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "file_size.py"
OLD = "import gym\n\nenv = gym.make('CartPole-v1')\nobs = env.reset()\nobs, reward, done, info = env.step(0)\n"
BIG = OLD + "# so large\n" * 200


def _benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("file_size", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["file_size"] = module
    spec.loader.exec_module(module)
    return module


SHAPES: dict[str, Callable[[int], str]] = _benchmark().SHAPES


def _calls(work: Callable[[], object]) -> int:
    """How many functions are called, in Python and below, in all threads."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    threading.setprofile(counted)
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return count


def _calls_a_byte(shape: str, size: int, folder: Path) -> float:
    """What checking one file costs, by its size."""
    file = folder / f"of_{size}" / ("big.ipynb" if shape == "notebook" else "big.py")
    file.parent.mkdir()
    file.write_text(SHAPES[shape](size), encoding="utf-8")
    found = projects([str(file)], lambda root: Settings(root=root))
    return _calls(lambda: render(analyze.check(found), "full")) / file.stat().st_size


@pytest.mark.parametrize("shape", SHAPES)
def test_a_file_of_three_times_the_size_takes_three_times_the_calls(shape: str, tmp_path: Path) -> None:
    _calls_a_byte(shape, 1_000, tmp_path)  # imports and caches are paid for here
    size = 24_000 if shape == "notebook" else 12_000  # a smaller notebook has too few cells to compare
    assert _calls_a_byte(shape, size, tmp_path) / _calls_a_byte(shape, size // 3, tmp_path) < 1 + size / 600_000


def test_choosing_among_twice_the_fixes_takes_twice_the_calls() -> None:
    fixes = [
        apply_edits.Fix("one", (apply_edits.Edit(at, at + 2, ""), apply_edits.Edit(at + 3, at + 3, "x")))
        for at in range(0, 4000, 5)
    ]
    first, both = (_calls(partial(apply_edits.chosen, 4000, some)) for some in (fixes[:400], fixes))
    assert both / first < 2.2


def test_a_fix_that_findings_share_is_compared_once() -> None:
    shared = tuple(apply_edits.Edit(at, at + 1, "") for at in range(0, 2000, 2))
    calls = _calls(lambda: apply_edits.chosen(2000, [apply_edits.Fix("all", shared) for _ in range(1000)]))
    assert calls < 20_000


def _checked(folder: Path, *arguments: str, **settings: object) -> Result:
    table = "".join(f"{key.replace('_', '-')} = {json.dumps(value)}\n" for key, value in settings.items())
    (folder / "pyproject.toml").write_text(f"[tool.done-lint]\n{table}", encoding="utf-8")
    return CliRunner().invoke(main, ["check", *arguments, str(folder)])


def test_a_file_above_the_limit_is_skipped_with_one_line_and_exit_0(tmp_path: Path) -> None:
    (tmp_path / "big.py").write_text(BIG, encoding="utf-8")
    result = _checked(tmp_path, max_file_size=1000)
    assert result.exit_code == 0
    assert result.stdout == ""
    skipped, summary = result.stderr.splitlines()
    assert skipped.endswith("big.py: skipped: 2.3 kB, larger than max-file-size (1 kB)")
    assert summary == "No findings in 1 file; 1 file skipped."


@pytest.mark.parametrize(("limit", "read"), [(1000, False), (0, True)])
def test_a_file_above_the_limit_is_not_read(limit: int, read: bool, tmp_path: Path) -> None:
    # no Python: parsing it reports that
    (tmp_path / "big.py").write_text(f"{BIG}def (\n", encoding="utf-8")
    assert ("syntax-error" in _checked(tmp_path, max_file_size=limit).stdout) == read


def test_the_other_files_are_checked_beside_a_skipped_one(tmp_path: Path) -> None:
    (tmp_path / "big.py").write_text(BIG, encoding="utf-8")
    (tmp_path / "small.py").write_text(OLD, encoding="utf-8")
    result = _checked(tmp_path, "--output-format", "json", max_file_size=1000)
    assert result.exit_code == 1
    assert {Path(finding["filename"]).name for finding in json.loads(result.stdout)} == {"small.py"}


def test_a_limit_of_0_skips_nothing(tmp_path: Path) -> None:
    (tmp_path / "big.py").write_text(BIG, encoding="utf-8")
    assert "GYM101" in _checked(tmp_path, max_file_size=0).stdout


@pytest.mark.parametrize(("limit", "skipped"), [(1000, False), (50, True)])
def test_of_a_notebook_the_code_counts_and_not_its_outputs(limit: int, skipped: bool, tmp_path: Path) -> None:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": OLD}
    page = {"cell_type": "markdown", "metadata": {}, "source": "x" * 5000}
    notebook = {"cells": [cell, page], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    result = _checked(tmp_path, max_file_size=limit)
    assert ("a.ipynb: skipped: " in result.stderr) == skipped
    assert result.exit_code == (0 if skipped else 1)


@pytest.mark.parametrize("value", [-1, True, "2 MB"])
def test_the_limit_is_a_number_of_bytes(tmp_path: Path, value: object) -> None:
    result = _checked(tmp_path, max_file_size=value)
    assert result.exit_code == 2
    assert "`max-file-size` must be a number of bytes; 0 means no limit" in result.stderr


def test_shared_fixes_and_edits_that_touch_are_chosen_as_one_by_one() -> None:
    shared = (apply_edits.Edit(4, 6, "x"), apply_edits.Edit(9, 9, "y"))
    fixes = [
        apply_edits.Fix("both", shared),
        apply_edits.Fix("both", shared),
        apply_edits.Fix("inside", (apply_edits.Edit(5, 5, "z"),)),
        apply_edits.Fix("at the edge", (apply_edits.Edit(6, 6, "z"),)),
        apply_edits.Fix("behind", (apply_edits.Edit(6, 8, "z"),)),
        apply_edits.Fix("at the insertion", (apply_edits.Edit(8, 9, "z"),)),
    ]
    edits, count = apply_edits.chosen(20, fixes)
    assert edits == [*shared, apply_edits.Edit(6, 8, "z")]
    assert count == 2
