"""What a test of its length leaves of a result."""

from __future__ import annotations

import ast

import pytest

from done_lint.flowgraph.libraries.length_tests import name_left_old


@pytest.mark.parametrize(
    ("test", "holds", "name"),
    [
        ("len(out) == 5", False, "out"),
        ("len(out) == 5", True, ""),
        ("len(out) > 4", False, "out"),
        ("len(out) != 4", False, "out"),
        ("len(out) == 4", True, "out"),
        ("isinstance(out, tuple) and len(out) == 5", False, "out"),
        ("not isinstance(out, tuple) or len(out) != 4", False, "out"),
        ("isinstance(out, tuple)", False, "out"),
        ("not isinstance(out, tuple)", False, ""),
        ("len(out) == 2", False, "out"),
        ("len(out) == 4", False, ""),
        ("len(out) == 5 and verbose", False, ""),
        ("len(out) == 5 or verbose", False, "out"),
        ("len(out[0]) == 5", False, ""),
        ("len(out) == count", False, ""),
    ],
)
def test_what_is_left_of_a_result_is_old(test: str, holds: bool, name: str) -> None:
    assert name_left_old(ast.parse(test, mode="eval").body, holds) == name
