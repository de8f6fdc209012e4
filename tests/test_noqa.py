"""Comments silence what flake8 would silence, and strings nothing."""

from __future__ import annotations

import pytest

from done_lint.findings import Finding, Span
from done_lint.noqa import Suppressions


def hidden(text: str, row: int = 1, code: str = "GYM101") -> bool:
    return Suppressions.read(text).hides(Finding(code, "", "", "a.py", Span(row, 0, row, 1)))


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# NOQA",
        "# noqa: GYM101",
        "# noqa:GYM101",
        "# noqa: E501,GYM101",
        "# noqa: E501 GYM101",
        "# noqa: E501, GYM101 why it is right",
        "# noqa: GYM1",
        "# type: ignore  # noqa: GYM101",
        "# noqa: see the issue",
        "# noqa : E501",
    ],
)
def test_these_comments_silence(comment: str) -> None:
    assert hidden(f"x = 1  {comment}\n")


@pytest.mark.parametrize("comment", ["# noqa: E501", "# noqa: GYM102", "# noqa:E501,W291", "#noqa", "# no qa", "# nqa"])
def test_these_comments_do_not(comment: str) -> None:
    assert not hidden(f"x = 1  {comment}\n")


def test_a_comment_speaks_for_its_own_row_only() -> None:
    text = "f(  # noqa: GYM101\n    x,\n)\ny\n"
    assert [hidden(text, row) for row in (1, 2, 3, 4)] == [True, False, False, False]


def test_a_comment_behind_a_string_of_several_rows_speaks_for_all_of_them() -> None:
    text = "x = f('''a\nb\n''')  # noqa: GYM101\ny = 1\n"
    assert [hidden(text, row) for row in (1, 2, 3, 4)] == [True, True, True, False]


def test_a_comment_behind_a_backslash_continuation_speaks_for_all_of_its_rows() -> None:
    assert [hidden("x = \\\n    1  # noqa\ny\n", row) for row in (1, 2, 3)] == [True, True, False]


def test_text_in_a_string_is_no_comment() -> None:
    assert not hidden("x = '# noqa'\n")
    assert not hidden("'''\n# done-lint: skip-file\n# flake8: noqa\n'''\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_rows_are_counted_alike_with_every_newline(newline: str) -> None:
    text = f"a{newline}b  # noqa: GYM101{newline}c{newline}"
    assert [hidden(text, row) for row in (1, 2, 3)] == [False, True, False]


@pytest.mark.parametrize("comment", ["# done-lint: skip-file", "#done-lint:skip-file", "# flake8: noqa"])
def test_a_whole_file_can_be_skipped(comment: str) -> None:
    assert Suppressions.read(f"x = 1\n{comment}\n").skip_file
    assert hidden(f"x = 1\n{comment}\n")


def test_a_code_can_be_silenced_in_the_whole_file() -> None:
    text = "# flake8: noqa: GYM101\nx\n"
    assert hidden(text, 2)
    assert not hidden(text, 2, "GYM102")


def test_flake8s_file_comment_behind_code_does_not_skip_the_file() -> None:
    assert not Suppressions.read("x = 1  # flake8: noqa\n").skip_file


def test_an_unfinished_file_keeps_what_was_read() -> None:
    assert hidden("x  # noqa\ny = (\n")
