"""Comments silence what flake8 would silence, and strings nothing."""

from __future__ import annotations

import pytest

from done_lint.core.findings import Edit, Finding, Span
from done_lint.core.text import Lines
from done_lint.source.source import Source
from done_lint.source.suppression_warnings import comment_warnings, comment_warnings_in_rows
from done_lint.source.suppressions import Suppressions

ALL_RULES = "`done-lint rule` lists all rules"


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
        "# noqa : GYM101",
        "# NOQA: gym101",
        "# noqa: e501, gym101",
        "#noqa",
        "#noqa:GYM101",
        "#  noqa: GYM101",
        "# noqa:E501GYM101",
        "# noqa: four-value-step",
        "# noqa: E501  # noqa: GYM101",
    ],
)
def test_these_comments_silence(comment: str) -> None:
    assert hidden(f"x = 1  {comment}\n")


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: E501",
        "# noqa: GYM102",
        "# noqa:E501,W291",
        "#noqa:E501",
        "# noqa: GYM2",
        "# noqa: E501;GYM101",
        "# no qa",
        "# nqa",
    ],
)
def test_these_comments_do_not(comment: str) -> None:
    assert not hidden(f"x = 1  {comment}\n")


def test_a_comment_silences_its_own_row_only() -> None:
    text = "f(  # noqa: GYM101\n    x,\n)\ny\n"
    assert [hidden(text, row) for row in (1, 2, 3, 4)] == [True, False, False, False]


def test_a_comment_behind_a_string_of_several_rows_silences_all_of_them() -> None:
    text = "x = f('''a\nb\n''')  # noqa: GYM101\ny = 1\n"
    assert [hidden(text, row) for row in (1, 2, 3, 4)] == [True, True, True, False]


def test_a_comment_behind_a_backslash_continuation_silences_all_of_its_rows() -> None:
    assert [hidden("x = \\\n    1  # noqa\ny\n", row) for row in (1, 2, 3)] == [True, True, False]


def test_text_in_a_string_is_no_comment() -> None:
    assert not hidden("x = '# noqa'\n")
    assert not hidden("'''\n# done-lint: skip-file\n# flake8: noqa\n'''\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_rows_are_counted_alike_with_every_newline(newline: str) -> None:
    text = f"a{newline}b  # noqa: GYM101{newline}c{newline}"
    assert [hidden(text, row) for row in (1, 2, 3)] == [False, True, False]


@pytest.mark.parametrize(
    "comment",
    [
        "# done-lint: skip-file",
        "#done-lint:skip-file",
        "# done-lint: skip-file, it shows the old API",
        "# pylint: disable=all  # done-lint: skip-file",
        "# flake8: noqa",
        "#flake8:noqa",
        "# flake8 : noqa",
        "# flake8: noqa because it is generated",
        "# -*- mode: python -*- # flake8: noqa",
    ],
)
def test_a_whole_file_can_be_skipped(comment: str) -> None:
    assert Suppressions.read(f"x = 1\n{comment}\n").skip_file
    assert hidden(f"x = 1\n{comment}\n")


@pytest.mark.parametrize(
    "comment",
    [
        "# flake8: noqa: GYM101",
        "# flake8: noqa: e501, gym101 for now",
        "# ruff: noqa: GYM101",
        "#ruff:noqa:E501,GYM101",
        "# done-lint: skip-file: GYM101",
        "# done-lint: skip-file: GYM203, gym101 for now",
        "# done-lint: skip-file GYM101",
    ],
)
def test_a_code_can_be_silenced_in_the_whole_file(comment: str) -> None:
    text = f"{comment}\nx\n"
    assert hidden(text, 2)
    assert not hidden(text, 2, "GYM102")
    assert not Suppressions.read(text).skip_file


@pytest.mark.parametrize(
    "comment",
    ["# ruff: noqa", "# ruff: noqa: E501", "# done-lint: skip-file: GYM999", "# as `# done-lint: skip-file` does"],
)
def test_a_comment_about_other_rules_skips_no_file(comment: str) -> None:
    assert not hidden(f"{comment}\nx\n", 2)


def test_codes_can_be_silenced_in_a_cell() -> None:
    suppressions = Suppressions.read("a\nb  # done-lint: skip-cell: GYM101\n\nc\n", [(1, 2), (4, 4)])
    assert [suppressions.silences("GYM101", row) for row in (1, 2, 4)] == [True, True, False]
    assert not suppressions.silences("GYM203", 1)


def test_flake8s_file_comment_behind_code_does_not_skip_the_file() -> None:
    assert not Suppressions.read("x = 1  # flake8: noqa\n").skip_file


def test_an_unfinished_file_keeps_what_was_read() -> None:
    assert hidden("x  # noqa\ny = (\n")


# --- what edits may change -------------------------------------------------------------------------------------


def forbidden(edit: Edit) -> bool:
    text = "first\nsecond  # noqa: GYM101\nthird\n"
    return Suppressions.read(text).forbid("GYM101", [edit], Lines(text))


def test_an_edit_that_changes_a_silenced_row_is_forbidden() -> None:
    assert forbidden(Edit(6, 12, "other"))
    assert forbidden(Edit(0, 12, "other"))
    assert forbidden(Edit(6, 30, ""))


def test_rows_beside_a_silenced_one_may_be_added_and_changed() -> None:
    assert not forbidden(Edit(0, 5, "other"))
    assert not forbidden(Edit(0, 6, "other\n"))
    assert not forbidden(Edit(6, 6, "added\n"))
    assert not forbidden(Edit(5, 5, "\nadded"))


# --- what cannot be meant --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# noqa: GYM999", f"`# noqa: GYM999` names the unknown code GYM999; {ALL_RULES}"),
        (
            "# noqa: E501, gym999",
            f"`# noqa: E501, gym999` names the unknown code GYM999; {ALL_RULES}",
        ),
        ("# flake8: noqa: GYM9", "`# flake8: noqa: GYM9` names the unknown code GYM9; did you mean GYM309?"),
        (
            "# ruff: noqa: GYM999",
            f"`# ruff: noqa: GYM999` names the unknown code GYM999; {ALL_RULES}",
        ),
        (
            "# noqa: four-value-step",
            "`# noqa: four-value-step` silences every code, of all tools; write `# noqa: GYM101`",
        ),
        ("# noqa : GYM101", "`# noqa : GYM101` silences every code, of all tools; write `# noqa: GYM101`"),
        ("# noqa GYM101", "`# noqa GYM101` silences every code, of all tools; write `# noqa: GYM101`"),
        ("# noqa: GYM", "`# noqa: GYM` silences every code, of all tools; write `# noqa: GYM101`"),
        ("# noqa: E501;GYM101", "`GYM101` is ignored in `# noqa: E501;GYM101`; write `# noqa: E501, GYM101`"),
        (
            "# noqa: E501, done-mask",
            "`done-mask` is ignored in `# noqa: E501, done-mask`; write `# noqa: E501, GYM201`",
        ),
        ("# done-lint: skip-fil", "`# done-lint: skip-fil` is not a known comment; did you mean done-lint: skip-file?"),
        (
            "# done-lint: skip-files",
            "`# done-lint: skip-files` is not a known comment; did you mean done-lint: skip-file?",
        ),
        ("# done-lint skip-file", "`# done-lint skip-file` is not a known comment; did you mean done-lint: skip-file?"),
        ("# done-lint: skip-cell", "`skip-cell` has no effect in a file without cells; did you mean skip-file?"),
        (
            "# done-lint: skip-file: E501",
            f"`# done-lint: skip-file: E501` names the unknown code E501; {ALL_RULES}",
        ),
        (
            "# done-lint: skip-file: done-mask",
            "`# done-lint: skip-file: done-mask` silences every code; write `# done-lint: skip-file: GYM201`",
        ),
    ],
)
def test_a_comment_that_cannot_be_meant_is_warned_about(comment: str, message: str) -> None:
    assert comment_warnings(Source("a.py", f"x = 1\n{comment}\n")) == [(2, 0, message)]


def test_a_comment_for_the_file_behind_code_is_warned_about() -> None:
    (warning,) = comment_warnings(Source("a.py", "x = 1  # flake8: noqa: GYM101\n"))
    assert warning == (1, 7, "`# flake8: noqa: GYM101` must be alone on its row")


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# noqa: E501, XYZ999",
        "# noqa: no-such-rule",
        "# noqa: GYM101, GYM2 why: done-mask is fine here",
        "# noqa: GYM101 four-value-step",
        "# noqa: E501 as GYM101 says",
        "# ruff: noqa",
        "# flake8: noqa: E999",
        "# done-lint: skip-file: GYM101",
        "# done-lint finds the bug",
        "# not as `# done-lint: skip-fil` does",
    ],
)
def test_what_can_be_meant_and_what_other_tools_read_is_not_warned_about(comment: str) -> None:
    assert comment_warnings(Source("a.py", f"{comment}\nx = 1\n")) == []


def test_text_in_a_string_is_not_warned_about() -> None:
    assert comment_warnings(Source("a.py", "x = '# noqa: GYM999'\n")) == []


def test_comments_of_requirements_files_are_warned_about_too() -> None:
    assert [warning.row for warning in comment_warnings_in_rows("numpy\ngym  # noqa: GYM999\n")] == [2]
