"""Syntax of a newer Python skips its file; Python 2 stays a syntax error that names Python 2."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from command import OLD, done_lint
from notebooks import of_sources

from done_lint.source.python_versions import needs_python_2, unread

PYTHON_2 = "is Python 2: convert it first (2to3 or futurize)"
NEWER = [
    ((3, 11), "try:\n    x\nexcept* A:\n    y\n"),
    ((3, 11), "a[*b]\n"),
    ((3, 11), "def f(*args: *Ts): ...\n"),
    ((3, 12), "type X = int\n"),
    ((3, 12), "def f[T](x: T) -> T: ...\n"),
    ((3, 12), "class A[T: int, *Ts, **P]: ...\n"),
    ((3, 12), "x = f'{d['a']}'\n"),
    ((3, 12), "x = f'{\"\\n\".join(y)}'\n"),
    ((3, 12), "x = f'{\n  y\n}'\n"),
    ((3, 12), "x = f'''{\n  y  # why\n}'''\n"),
    ((3, 13), "def f[T = int](x: T): ...\n"),
    ((3, 14), "try:\n    x\nexcept A, B:\n    y\n"),
    ((3, 14), "try:\n    x\nexcept A, B, c:\n    y\n"),
    ((3, 14), "from socket import timeout\ntry:\n    x\nexcept A, timeout:\n    y\n"),
    ((3, 14), "x = t'a{b}'\n"),
    ((3, 14), "type X = int\nx = t'a{b}'\n"),
    ((3, 15), "lazy import x\n"),
]


@pytest.mark.parametrize(("since", "text"), NEWER)
def test_newer_syntax_names_the_python_that_reads_it(since: tuple[int, int], text: str) -> None:
    if since <= sys.version_info[:2]:
        pytest.skip("the running Python reads it")
    assert unread(text, "invalid syntax") == ("skipped", f"needs Python {since[0]}.{since[1]} to read")


@pytest.mark.parametrize(
    "text",
    [
        "print 'x'\n",
        "print x\n",
        "if x: print x, y\n",
        "exec 'x = 1'\n",
        "try:\n    x\nexcept X, e:\n    y\n",
        "try:\n    x\nexcept (X, Y), e:\n    y\n",
        "try:\n    x\nexcept X, (code, text):\n    y\n",
        "raise E, 'x'\n",
        "x = `y`\n",
        "x = 0777\n",
        "x = 10L\n",
        "x = ur'a'\n",
        "if x <> y: z\n",
    ],
)
def test_python_2_is_named_beside_the_error(text: str) -> None:
    assert unread(text, "invalid syntax") == ("syntax", f"invalid syntax; {PYTHON_2}")


@pytest.mark.parametrize(
    "text",
    [
        "x = (\n",
        "def f(:\n",
        "f'{x'\n",
        "type X = = int\n",
        "x = '''\nprint x\n'''\ny = (\n",
        "# print x\n(\n",
        "```python\nx = 1\n```\n",
        "return <></>\n",
        "print(x) y\n",
        "print in x\n(\n",
        "x = 00.5 + 0_0\n(\n",
    ],
)
def test_broken_syntax_keeps_the_message_of_python(text: str) -> None:
    assert unread(text, "invalid syntax") == ("syntax", "invalid syntax")


needs_newer = pytest.mark.skipif(sys.version_info >= (3, 15), reason="the running Python reads it")


@needs_newer
@pytest.mark.parametrize("content", ["import gym\n{newer}", "{newer}"])
def test_a_file_with_newer_syntax_is_skipped_in_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "new.py").write_text(content.format(newer="lazy import x\n"))
    (tmp_path / "clean.py").write_text("x = 1\n")
    for command in (["check"], ["fix"], ["fix", "--diff"]):
        result = done_lint(tmp_path, *command)
        assert (result.returncode, result.stdout) == (0, "")
        first, last = result.stderr.splitlines()
        assert first == "new.py: skipped: needs Python 3.15 to read"
        assert last.endswith("; 1 file skipped.")
    assert json.loads(done_lint(tmp_path, "check", "--output-format", "json").stdout) == []


@needs_newer
def test_a_skipped_file_hides_no_findings_of_others(tmp_path: Path) -> None:
    (tmp_path / "new.py").write_text("import gym\nlazy import x\n")
    (tmp_path / "old.py").write_text(OLD)
    result = done_lint(tmp_path, "check")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith("Found 2 findings in 1 file")
    assert result.stderr.splitlines()[-1].endswith("; 1 file skipped.")


@needs_newer
def test_a_skipped_file_from_standard_input_comes_back_as_it_is(tmp_path: Path) -> None:
    result = done_lint(tmp_path, "fix", "-", stdin=b"lazy import x\nimport gym\n")
    assert (result.returncode, result.stdout) == (0, "lazy import x\nimport gym\n")
    assert result.stderr.splitlines()[0] == "-: skipped: needs Python 3.15 to read"


def test_python_2_fails_the_run_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text("import gym\nprint 'x'\n")
    result = done_lint(tmp_path, "check", "--output-format", "concise")
    assert result.returncode == 1
    assert result.stdout.startswith("old.py:2:1: syntax-error: ")
    assert result.stdout.endswith(f"; {PYTHON_2}\n")


@needs_newer
def test_a_cell_says_which_python_it_needs(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(of_sources(["import gym", "lazy import x", "print 'x'"]))
    result = done_lint(tmp_path, "check", "-v")
    assert "a.ipynb:cell 2:1:6: not checked: needs Python 3.15 to read" in result.stderr
    (row,) = (row for row in result.stderr.splitlines() if row.startswith("a.ipynb:cell 3"))
    assert row.startswith("a.ipynb:cell 3:1:1: not checked: is not Python: ")
    assert row.endswith(f"; {PYTHON_2}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("for _ in xrange(3): pass", True),
        ("if sys.version_info[0] == 2:\n    a = 1\nelse:\n    a = 2\nfor _ in xrange(3): pass", False),
        ("if options.version:\n    a = 1\nelse:\n    a = 2\nfor _ in xrange(3): pass", True),
        ("size = reduce(mul, shape, 1)", True),
        ("def is_text(x):\n    return isinstance(x, (str, unicode))", True),
        ("try:\n    n = raw_input()\nexcept KeyboardInterrupt:\n    pass", True),
        ("from functools import reduce\nsize = reduce(mul, shape, 1)", False),
        ("from six.moves import xrange\nfor _ in xrange(3): pass", False),
        ("from helpers import *\nfor _ in xrange(3): pass", False),
        ("import past.builtins as xrange\nfor _ in xrange(3): pass", False),
        ("def take(long):\n    return long + 1", False),
        ("try:\n    xrange\nexcept NameError:\n    xrange = range\nxrange(3)", False),
        ("try:\n    n = raw_input()\nexcept NameError:\n    n = input()", False),
        ("if sys.version_info[0] < 3:\n    n = raw_input()\nelse:\n    n = input()", False),
        ("kind = unicode if six.PY2 else str", False),
        ("kind = torch.long\nnames = 'unicode'  # long", False),
        ("def take(n: int):\n    return xrange(n)", False),
        ("print(f'{len(xrange(3))}')", False),
    ],
)
def test_names_of_python_2_say_that_a_file_is_for_it(text: str, expected: bool) -> None:
    assert needs_python_2(text) == expected
