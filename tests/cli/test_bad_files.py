"""Files that cannot be read, parsed or written: one clear line, never a traceback, and the other files go on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import CLEAN, OLD, done_lint, python

#: What `OLD` reports, in the concise format.
FINDINGS = 2


def check(folder: Path, *arguments: str) -> tuple[int, list[str], str]:
    """Exit status, lines about the file `bad.py`, and standard error; the file beside it is always reported."""
    (folder / "old.py").write_text(OLD)
    result = done_lint(folder, "check", "--output-format", "concise", *arguments)
    rows = result.stdout.splitlines()
    assert sum(row.startswith("old.py:") for row in rows) == FINDINGS, result.stdout + result.stderr
    return result.returncode, [row for row in rows if row.startswith("bad.py:")], result.stderr


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"import gym\nx = (\n", "bad.py:2:5: syntax-error: '(' was never closed"),
        (b"def f(:\n", "bad.py:1:7: syntax-error: invalid syntax"),
        (b"if x:\npass\n", "bad.py:2:1: syntax-error: expected an indented block after 'if' statement on line 1"),
        (b"import gym\nprint 'x'\n", "bad.py:2:1: syntax-error: Missing parentheses in call to 'print'"),
        (b"x = '\xc3\xa9' +\n", "bad.py:1:10: syntax-error: invalid syntax"),
        (b"# coding: klingon\nimport gym\n", "bad.py:1:1: unreadable-file: cannot decode: unknown encoding: klingon"),
        (b"import gym\ny = '\xff'\n", "bad.py:2:1: unreadable-file: cannot decode as utf-8: invalid start byte"),
        (b"import gym\n\0", "bad.py:2:1: unreadable-file: contains NUL bytes"),
        (b"import gym\nx = " + b"(" * 201 + b")" * 201, "bad.py:2:205: syntax-error: too many nested parentheses"),
        (b"import gym\nx = " + b"[" * 5000 + b"]" * 5000, "bad.py:2:205: syntax-error: too many nested parentheses"),
    ],
)
def test_a_file_that_is_no_python_is_a_diagnostic_with_its_place(tmp_path: Path, content: bytes, line: str) -> None:
    (tmp_path / "bad.py").write_bytes(content)
    status, rows, _ = check(tmp_path)
    assert status == 1
    assert len(rows) == 1
    assert rows[0].startswith(line.partition(": ")[0])
    # Python's message differs from one version to the next.
    assert rows[0].split()[1] == line.split()[1]
    if sys.version_info[:2] == (3, 11):
        assert rows[0].startswith(line)


def test_a_diagnostic_has_no_code_in_json(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import gym\nx = (\n")
    result = done_lint(tmp_path, "check", "--output-format", "json")
    (found,) = json.loads(result.stdout)
    assert found["code"] is None
    assert found["name"] == "syntax-error"
    assert found["location"] == {"row": 2, "column": 5}
    assert result.returncode == 1


@pytest.mark.parametrize(
    "expression",
    [
        " + ".join(["a"] * 1500),
        "a" + ".b" * 1500,
        "a" + ".b()" * 500,
        "not " * 1500 + "a",
        " and ".join(["a"] * 3000),
        " < ".join(["a"] * 3000),
        "a if b else " * 1500 + "c",
        " ** ".join(["a"] * 3000),
        "lambda: " * 3000 + "c",
        "(" + " 'a'\n" * 3000 + ")",
        "[" * 199 + "]" * 199,
        "-" * 100_000 + "1",
        " + ".join(["a"] * 100_000),
    ],
    ids=lambda expression: f"{expression[:12]!r} of {len(expression)}",
)
def test_a_deep_expression_is_linted_or_refused_in_one_line_but_never_ends_the_process(
    tmp_path: Path, expression: str
) -> None:
    (tmp_path / "bad.py").write_text(f"import gym\n\nx = {expression}\n")
    status, rows, _ = check(tmp_path)
    assert status == 1
    assert len(rows) == 1
    assert "GYM401" in rows[0] or "nested too deeply" in rows[0] or "too many nested" in rows[0] or "syntax" in rows[0]


@pytest.mark.skipif(sys.version_info[:2] == (3, 12), reason="the parser of Python 3.12 itself refuses it")
def test_a_sum_of_two_thousand_terms_is_linted_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(f"import gym\n\nx = {' + '.join(['a'] * 2000)}\n")
    _, rows, _ = check(tmp_path)
    assert "GYM401" in rows[0]


def test_an_empty_file_is_clean(tmp_path: Path) -> None:
    (tmp_path / "bad.py").touch()
    assert check(tmp_path)[1] == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_a_diagnostic(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(OLD)
    path.chmod(0)
    status, rows, _ = check(tmp_path)
    assert (status, rows) == (1, ["bad.py:1:1: unreadable-file: cannot read: Permission denied"])


def test_a_named_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bad.py")
    status, rows, _ = check(tmp_path, "bad.py", "old.py")
    assert (status, rows) == (1, ["bad.py:1:1: unreadable-file: is not a regular file"])


def test_a_symbolic_link_loop_is_a_diagnostic_when_given_and_skipped_when_found(tmp_path: Path) -> None:
    (tmp_path / "bad.py").symlink_to("bad.py")
    (tmp_path / "loop").symlink_to(".")
    assert check(tmp_path)[1] == []
    status, rows, _ = check(tmp_path, "bad.py", "old.py")
    assert status == 1
    assert rows == ["bad.py:1:1: unreadable-file: cannot read: Too many levels of symbolic links"]


def test_a_file_that_vanishes_in_the_run_is_one_diagnostic(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "bad.py").write_text(OLD)
    program = (
        "import os\nfrom done_lint.engine import contents\nfrom done_lint.cli import main\n"
        "read = contents.read_bytes\n"
        "def vanishing(path, limit):\n"
        "    if path.endswith('bad.py') and os.path.exists(path):\n"
        "        os.unlink(path)\n"
        "    return read(path, limit)\n"
        "contents.read_bytes = vanishing\n"
        "main(['check', '--output-format', 'concise'])\n"
    )
    result = python(tmp_path, "-c", program)
    rows = [row for row in result.stdout.splitlines() if row.startswith("bad.py")]
    assert rows == ["bad.py:1:1: unreadable-file: cannot read: No such file or directory"]
    assert result.stdout.count("old.py:") == FINDINGS
    assert result.returncode == 1
    assert "Traceback" not in result.stderr


def test_a_folder_that_cannot_be_read_is_a_diagnostic_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "sub" / "locked").mkdir(parents=True)
    # Root may read everything, so that permissions would not be enough.
    program = (
        "import os, sys\nfrom done_lint.cli import main\n"
        "scandir = os.scandir\n"
        "def refusing(path='.'):\n"
        "    if str(path).endswith('locked'):\n"
        "        raise PermissionError(13, 'Permission denied')\n"
        "    return scandir(path)\n"
        "os.scandir = refusing\n"
        "main(['check', '--output-format', 'concise', *sys.argv[1:]])\n"
    )

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return python(tmp_path, "-c", program, *arguments)

    line = "sub/locked:1:1: unreadable-folder: cannot read: Permission denied\n"
    whole = run()
    assert whole.stdout.count("old.py:") == FINDINGS
    assert line in whole.stdout
    alone = run("sub")
    assert (alone.returncode, alone.stdout) == (1, line)
    # Where a file is given, unreadable folders beside it are not reported.
    assert line not in run("old.py").stdout


def test_a_file_that_cannot_be_written_is_called_so_and_counts_as_checked(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(OLD)
    program = (
        "import os\nfrom done_lint.cli import main\n"
        "os.access = lambda *arguments: False\n"
        "main(['fix', '--output-format', 'concise'])\n"
    )
    result = python(tmp_path, "-c", program)
    assert result.returncode == 1
    assert result.stdout.splitlines()[0] == "old.py:1:1: unwritable-file: cannot write: the file is read-only"
    assert result.stderr == "Nothing to fix; 2 findings left.\n"
    assert (tmp_path / "old.py").read_text() == OLD


def test_a_rule_that_fails_is_named_and_the_other_rules_and_files_go_on(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(OLD)
    (tmp_path / "b.py").write_text(OLD)
    program = (
        "from done_lint.cli import main\nfrom done_lint.rules.library.gym401_gym_import import GymImport\n"
        "def run(self):\n    raise KeyError('a\\nb')\n"
        "GymImport.run = run\n"
        "main(['check', '--output-format', 'concise'])\n"
    )
    result = python(tmp_path, "-c", program)
    assert result.returncode == 2
    assert result.stdout.count("internal-error: rule GYM401 failed: KeyError: ") == 2
    assert result.stdout.count("GYM101") == 2
    assert "Traceback" not in result.stderr


def test_a_warning_of_pythons_parser_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"{CLEAN}\nx = '\\d' is 5\n")
    result = done_lint(tmp_path, "check", env={"PYTHONWARNINGS": "default"})
    assert result.stderr == "No findings in 1 file.\n"


def test_a_file_that_does_not_parse_is_named_once_though_another_one_imports_it(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import gym\ndef f(:\n    pass\n")
    (tmp_path / "user.py").write_text(f"import bad\n{OLD}")
    assert check(tmp_path)[1] == ["bad.py:2:7: syntax-error: invalid syntax"]
