"""Fixes go in whole or not at all, and the diff shows just them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from done_lint.core.apply_edits import apply, unified_diff
from done_lint.core.findings import Edit, Fix


def fix(*edits: tuple[int, int, str]) -> Fix:
    return Fix("", tuple(Edit(*edit) for edit in edits))


def test_fixes_that_do_not_overlap_are_applied_together() -> None:
    assert apply("abcdef", [fix((4, 5, "E")), fix((0, 1, "A"))]) == ("AbcdEf", 2)


def test_of_two_that_overlap_the_first_in_the_text_goes_in_and_the_other_waits() -> None:
    assert apply("abcdef", [fix((2, 5, "X")), fix((0, 3, "Y"))]) == ("Ydef", 1)


def test_all_edits_of_a_fix_are_applied_or_none() -> None:
    both = fix((1, 2, "B"), (4, 5, "E"))
    assert apply("abcdef", [fix((0, 2, "X")), both]) == ("Xcdef", 1)


def test_a_fix_that_several_findings_share_is_applied_once() -> None:
    shared = fix((0, 0, "import x\n"))
    assert apply("a", [shared, fix((0, 0, "import x\n")), shared]) == ("import x\na", 1)


def test_an_edit_that_two_fixes_share_is_made_once() -> None:
    text, count = apply("ab", [fix((0, 0, "import x\n"), (0, 1, "A")), fix((0, 0, "import x\n"), (1, 2, "B"))])
    assert (text, count) == ("import x\nAB", 2)


def test_of_two_insertions_at_one_place_the_first_goes_in() -> None:
    assert apply("ab", [fix((1, 1, "x")), fix((1, 1, "y"))]) == ("axb", 1)


def test_insertions_of_one_fix_at_one_place_stay_in_its_order() -> None:
    assert apply("ab", [fix((1, 1, "x"), (1, 1, "y"), (1, 2, "B"))]) == ("axyB", 1)


def test_neighbours_do_not_overlap() -> None:
    assert apply("abcd", [fix((0, 2, "X")), fix((2, 4, "Y"))]) == ("XY", 2)


@pytest.mark.parametrize("broken", [fix((0, 3, ""), (2, 4, "")), fix((3, 9, "")), fix((3, 2, ""))])
def test_a_fix_that_contradicts_itself_is_refused(broken: Fix) -> None:
    with pytest.raises(ValueError, match="overlap or leave the text"):
        apply("abcd", [broken])


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8), st.text("xy", max_size=2)), max_size=6))
def test_the_result_does_not_depend_on_the_order_of_the_fixes(edits: list[tuple[int, int, str]]) -> None:
    fixes = [fix((min(a, b), max(a, b), text)) for a, b, text in edits]
    # Equal places with different texts have no order but the given one.
    fixes = list({item.edits[0][:2]: item for item in fixes}.values())
    assert apply("abcdefgh", fixes) == apply("abcdefgh", fixes[::-1])


@pytest.mark.parametrize(
    ("old", "new"),
    [("a\nb\n", "a\nc\n"), ("a", "b"), ("a\r\nb\r\n", "a\r\nb\r\nc\r\n"), ("a\n", "a"), ("a\rb\r", "a\rc\r")],
)
def test_the_diff_can_be_applied(old: str, new: str, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(old.encode())
    patch = unified_diff("a.py", old, new).encode()
    subprocess.run(["git", "apply", "-p0", "--unidiff-zero", "-"], cwd=tmp_path, input=patch, check=True)
    assert path.read_bytes() == new.encode()


def test_without_a_change_there_is_no_diff() -> None:
    assert unified_diff("a.py", "a\n", "a\n") == ""


def test_rows_that_stand_often_are_the_same_as_others() -> None:
    """Blank rows at the end of a long file are no part of the change, nor are those between its rows."""
    rows = [f"row {number}" if number % 2 else "" for number in range(400)]
    old = "\n".join([*rows, "end", "", "", "", ""])
    patch = unified_diff("a.py", old, old.replace("end", "end, False"))
    changed = [row for row in patch.splitlines()[2:] if row[0] in "+-"]
    assert changed == ["-end", "+end, False"]
