"""flake8 shows what the command shows, wherever one file suffices."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from command import CLEAN, OLD, ROOT, done_lint

from done_lint.flake8_plugin import Plugin

pytest.importorskip("flake8")


def flake8(folder: Path, *arguments: str) -> list[str]:
    """Lines that flake8 prints about GYM codes."""
    if not any(point.name == "GYM" for point in entry_points(group="flake8.extension")):
        pytest.skip("done-lint is not installed: pip install -e '.[test]'")
    result = subprocess.run(
        [sys.executable, "-m", "flake8", "--isolated", "--select", "GYM,E9", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in result.stderr, result.stderr
    return result.stdout.splitlines()


def test_flake8_prints_the_lines_of_the_concise_format(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "clean.py").write_text(CLEAN)
    ours = done_lint(tmp_path, "check", "--output-format", "concise").stdout.replace(" [*]", "").splitlines()
    assert sorted(row.removeprefix("./") for row in flake8(tmp_path, ".")) == sorted(ours)
    assert len(ours) == 2


@pytest.mark.parametrize("program", sorted((ROOT / "fixtures" / "projects").rglob("*.py")), ids=lambda path: path.stem)
def test_flake8_and_the_command_agree_on_the_fixture_programs(program: Path, tmp_path: Path) -> None:
    copy = tmp_path / program.name
    copy.write_bytes(program.read_bytes())
    ours = done_lint(tmp_path, "check", "--output-format", "concise", copy.name).stdout.replace(" [*]", "")
    assert sorted(flake8(tmp_path, copy.name)) == sorted(ours.splitlines())


def test_columns_are_characters(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("'é数'; import gym\n", encoding="utf-8")
    (row,) = flake8(tmp_path, "a.py")
    assert row.startswith("a.py:1:7: GYM401 ")


@pytest.mark.parametrize("data", [OLD.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + OLD.encode()])
def test_newlines_and_byte_order_marks_do_not_move_a_finding(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.py").write_bytes(data)
    assert [row.split()[0] for row in sorted(flake8(tmp_path, "a.py"))] == ["a.py:1:1:", "a.py:6:5:"]


def test_a_cookie_is_flake8s_concern(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"# coding: latin-1\nx = '\xe9'; import gym\n")
    (row,) = flake8(tmp_path, "a.py")
    assert row.startswith("a.py:2:10: GYM401 ")


def test_flake8_silences_by_itself(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import gym  # noqa: GYM401\n")
    assert flake8(tmp_path, "a.py") == []
    assert len(flake8(tmp_path, "--disable-noqa", "a.py")) == 1
    (tmp_path / "a.py").write_text("import gym\n")
    assert flake8(tmp_path, "--extend-ignore", "GYM4", "a.py") == []


def test_a_file_can_be_skipped_in_flake8_too(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"# done-lint: skip-file: GYM101\n{OLD}")
    assert [row.split()[1] for row in flake8(tmp_path, "a.py")] == ["GYM401"]
    (tmp_path / "a.py").write_text(f"# done-lint: skip-file\n{OLD}")
    assert flake8(tmp_path, "a.py") == []


def test_a_warning_of_the_command_is_none_of_flake8(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import gym\n# done-lint: skip-fil\n")
    assert [row.split()[1] for row in flake8(tmp_path, "a.py")] == ["GYM401"]


def test_a_syntax_error_is_said_once_and_by_flake8(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import gym\nx = (\n")
    assert [row.split()[1] for row in flake8(tmp_path, "a.py")] == ["E999"]


def test_a_file_that_cannot_be_analysed_is_said_so() -> None:
    text = f"import gym\nx = {'-' * 80_000}1\n"
    (found,) = Plugin(ast.parse(""), "a.py", text.splitlines(keepends=True)).run()
    assert found == (1, 0, "GYM000 is nested too deeply to be analysed", Plugin)


def test_a_file_without_environments_does_not_import_libcst() -> None:
    program = (
        "import ast, sys\nfrom done_lint.flake8_plugin import Plugin\n"
        "text = 'def f(x):\\n    return x\\n'\n"
        "assert not list(Plugin(ast.parse(text), 'a.py', text.splitlines(keepends=True)).run())\n"
        "print('libcst' in sys.modules)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"
