"""Wrong options and paths, full disks, closed pipes: one clear line, and the right exit status."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import OLD, ROOT, done_lint


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["check", "missing.py"], "error: no such file or directory: missing.py"),
        (["fix", "missing"], "error: no such file or directory: missing"),
        (["check", ""], "error: no such file or directory: "),
        (["check", "--select", "GYM1O6"], "error: --select: unknown rule 'GYM1O6'; did you mean GYM106?"),
        (["check", "--ignore", "done-masks"], "did you mean GYM201 (done-mask)?"),
        (["check", "--select", ""], "error: --select: names no rule; `done-lint rule` lists all rules"),
        (["check", "--select", "GYM1", "--select", ","], "error: --select: names no rule"),
        (["check", "--ignore", ""], "error: --ignore: names no rule"),
        (["check", "--extend-select", " , "], "error: --extend-select: names no rule"),
        (["check", "--target-version", "0.21"], "error: --target-version: '0.21' is not a known release of Gymnasium"),
        (["check", "--config", "none.toml"], "error: none.toml: cannot read: No such file or directory"),
        (
            ["check", "--output-file", "no/such/folder"],
            "error: no/such/folder: cannot write: No such file or directory",
        ),
        (["check", "-", "old.py"], "error: `-` (standard input) cannot be combined with other paths"),
        (["rule", "GYM1O6"], "error: unknown rule 'GYM1O6'; did you mean GYM106?"),
        (["rule", "GYM999"], "error: unknown rule 'GYM999'; `done-lint rule` lists all rules"),
    ],
)
def test_a_wrong_call_is_exit_2_with_one_line(tmp_path: Path, arguments: list[str], line: str) -> None:
    (tmp_path / "old.py").write_text(OLD)
    result = done_lint(tmp_path, *arguments, stdin=b"")
    assert result.returncode == 2
    assert line in result.stderr
    assert result.stderr.count("\n") == 1
    assert (tmp_path / "old.py").read_text() == OLD


@pytest.mark.parametrize("command", ["check", "fix"])
@pytest.mark.parametrize("arguments", [[], ["--exit-zero"]])
def test_a_missing_path_costs_a_line_and_the_others_are_done(
    tmp_path: Path, command: str, arguments: list[str]
) -> None:
    (tmp_path / "old.py").write_text(OLD)
    result = done_lint(tmp_path, command, *arguments, "-q", "no.py", "old.py", "nor/this")
    assert result.returncode == 2
    assert result.stderr == "error: no such file or directory: no.py\nerror: no such file or directory: nor/this\n"
    if command == "check":
        assert "GYM101" in result.stdout
    else:
        assert "terminated" in (tmp_path / "old.py").read_text()


def test_where_all_paths_are_missing_nothing_is_checked(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(OLD)
    result = done_lint(tmp_path, "check", "no.py", "nor/this")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.count("error: no such file or directory: ") == result.stderr.count("\n") == 2


def in_shell(folder: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run done-lint as `"$@"` of a script."""
    return subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "done_lint", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ('"$@" > /dev/full', "cannot write to standard output: No space left on device"),
        ('"$@" >&-', "cannot write to standard output: it is closed"),
        # The reader is gone before a byte is written.
        ('{ sleep 0.5; "$@"; echo $? > status; } | true; exit $(cat status)', "standard output: Broken pipe"),
    ],
)
@pytest.mark.parametrize(
    "arguments",
    [["check", "-q"], ["fix", "--diff", "-q"], ["check", "--statistics", "-q"], ["rule"], ["rule", "GYM101"]],
)
def test_an_output_that_takes_no_more_is_exit_1_with_one_line(
    tmp_path: Path, script: str, line: str, arguments: list[str]
) -> None:
    if "/dev/full" in script and not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    (tmp_path / "old.py").write_text(OLD)
    result = in_shell(tmp_path, script, *arguments)
    assert result.returncode == 1
    assert line in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_a_page_of_the_command_line_on_a_full_disk_is_exit_1_with_one_line(tmp_path: Path, argument: str) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    result = in_shell(tmp_path, '"$@" > /dev/full', argument)
    assert result.returncode == 1
    assert result.stderr == "error: cannot write to standard output: No space left on device\n"


@pytest.mark.parametrize("arguments", [["check"], ["fix"], ["check", "--isolated", "/"]])
def test_in_a_folder_that_was_deleted_there_is_one_line(tmp_path: Path, arguments: list[str]) -> None:
    result = in_shell(tmp_path, 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', *arguments)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "error: the current folder cannot be read: No such file or directory\n"


def test_standard_input_that_is_closed_is_one_line(tmp_path: Path) -> None:
    result = in_shell(tmp_path, '"$@" <&-', "check", "-")
    assert (result.returncode, result.stderr) == (1, "error: cannot read standard input: it is closed\n")


@pytest.mark.parametrize("arguments", [["check"], ["fix", "."], ["check", "empty"]])
def test_a_folder_without_python_is_one_line_and_exit_0(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").touch()
    result = done_lint(tmp_path, *arguments)
    folder = arguments[1] if len(arguments) > 1 else "."
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == f"No Python files or notebooks found in {folder}.\n"


def test_broken_toml_is_exit_2_with_one_line_and_its_place(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool\n")
    result = done_lint(tmp_path, "check")
    assert result.returncode == 2
    assert result.stderr.startswith("error: pyproject.toml:1:6: invalid TOML: ")
    assert result.stderr.count("\n") == 1
