"""One file is checked or fixed from standard input."""

from __future__ import annotations

from pathlib import Path

from command import CLEAN, FIXED, LEARNER, OLD, TRAIN, done_lint


def test_standard_input_is_checked_and_fixed_byte_by_byte(tmp_path: Path) -> None:
    data = OLD.replace("\n", "\r\n").encode()
    checked = done_lint(tmp_path, "check", "-", "--output-format", "concise", stdin=data)
    assert checked.returncode == 1
    assert checked.stdout.startswith("-:1:1: GYM401")
    fixed = done_lint(tmp_path, "fix", "-", stdin=data)
    assert fixed.stdout == FIXED.replace("\n", "\r\n")
    assert fixed.returncode == 0


def test_standard_input_that_cannot_be_fixed_comes_back_as_it_is(tmp_path: Path) -> None:
    for data in (CLEAN.encode(), b"import gym\nx = (\n"):
        assert done_lint(tmp_path, "fix", "-", stdin=data).stdout == data.decode()
    result = done_lint(tmp_path, "fix", "-", stdin=b"import gym\nx = (\n")
    assert result.returncode == 1
    assert "-:2:5: syntax-error: " in result.stderr


def test_standard_input_stands_for_the_file_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.done-lint.per-file-ignores]\n"a.py" = ["GYM401"]\n')
    (tmp_path / "learner.py").write_text(LEARNER)
    (tmp_path / "train.py").write_text("# an older state of the file, still on disk\n")
    arguments = ("check", "-", "--output-format", "concise", "--stdin-filename")
    assert "train.py:12:" in done_lint(tmp_path, *arguments, "train.py", stdin=TRAIN.encode()).stdout
    assert "GYM401" not in done_lint(tmp_path, *arguments, "a.py", stdin=OLD.encode()).stdout
    assert "new/b.py:1:1: GYM401" in done_lint(tmp_path, *arguments, "new/b.py", stdin=OLD.encode()).stdout


def test_standard_input_of_an_excluded_name_is_passed_on_with_force_exclude(tmp_path: Path) -> None:
    arguments = ("fix", "-", "--stdin-filename", "build/a.py", "--force-exclude")
    (tmp_path / "pyproject.toml").touch()
    assert done_lint(tmp_path, *arguments, stdin=OLD.encode()).stdout == OLD
