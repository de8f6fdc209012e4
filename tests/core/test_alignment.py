"""Rows below an open parenthesis move with it, as a person moves them."""

from __future__ import annotations

import pytest

from done_lint.core.alignment import aligned
from done_lint.core.apply_edits import edited
from done_lint.core.findings import Edit


def _replaced(text: str, *changes: tuple[str, str]) -> str:
    """The text with other words, and what moves with them."""
    edits = [Edit(text.index(old), text.index(old) + len(old), new) for old, new in changes]
    return edited(text, [*aligned(text, edits), *edits])


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        ("x = old(a,\n        b)\n", [("old", "newer")], "x = newer(a,\n          b)\n"),
        ("newer(a,\n      b)\n", [("newer", "old")], "old(a,\n    b)\n"),
        # rows in between, comments, another parenthesis
        ("old(a,\n\n    # why\n    b)\n", [("old", "newer")], "newer(a,\n\n      # why\n      b)\n"),
        ("old(a, [b,\n        c],\n    d)\n", [("old", "newer")], "newer(a, [b,\n          c],\n      d)\n"),
        # what stands in a row that moves moves with it
        ("old(a,\n    b(c,\n      d))\n", [("old", "newer")], "newer(a,\n      b(c,\n        d))\n"),
        (
            "old(a,\n    b(c,\n      d))\n",
            [("old", "newer"), ("b", "bcd")],
            "newer(a,\n      bcd(c,\n          d))\n",
        ),
        ("\told(a,\n\t    b)\n", [("old", "newer")], "\tnewer(a,\n\t      b)\n"),
        ("old(a,\r\n    b)\r\n", [("old", "newer")], "newer(a,\r\n      b)\r\n"),
        # the parenthesis stays where it is
        ("old(a,\n    b)\n", [("a", "abc")], "old(abc,\n    b)\n"),
        ("old(a,\n    b)\n", [("old", "new")], "new(a,\n    b)\n"),
        ("x; old(a,\n       b)\n", [("x", "import y\nx")], "import y\nx; old(a,\n       b)\n"),
        # the row is not aligned, or no row of the program
        ("old(\n    a,\n    b)\n", [("old", "newer")], "newer(\n    a,\n    b)\n"),
        ("old(  # why\n    a)\n", [("old", "newer")], "newer(  # why\n    a)\n"),
        ("old(a, '''\n    b''')\n", [("old", "newer")], "newer(a, '''\n    b''')\n"),
        ("old(a,\n  b)\n", [("old", "newer")], "newer(a,\n  b)\n"),
        ("if old(a):\n    (b)\n", [("old", "newer")], "if newer(a):\n    (b)\n"),
        # the row is written anew
        ("old(a,\n    b)\n", [("old", "newer"), (",\n    b", ", b")], "newer(a, b)\n"),
    ],
)
def test_rows_move_with_their_parenthesis(before: str, changes: list[tuple[str, str]], after: str) -> None:
    assert _replaced(before, *changes) == after
