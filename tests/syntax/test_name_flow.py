"""Which bindings of a name can arrive where it is read."""

from __future__ import annotations

import pytest

from done_lint.syntax.bound_names import UNBOUND
from done_lint.syntax.name_flow import names_of


def sources(text: str, name: str) -> list[set[int]]:
    """For each read of a name, the rows of the statements that may have bound it; 0: nothing."""
    names = names_of(text)
    assert names is not None
    reads = [read for _, read in sorted(names.reads.items()) if read.name == name]
    return [{0 if one == UNBOUND else text.count("\n", 0, one) + 1 for one in read.sources} for read in reads]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if a:\n    x = 1\nx", {0, 2}),
        ("if a:\n    x = 1\nelse:\n    x = 2\nx", {2, 4}),
        ("if a:\n    raise E\nelse:\n    x = 2\nx", {4}),
        ("while a:\n    x = 1\nx", {0, 2}),
        ("while True:\n    x = 1\n    if x:\n        break\nprint(x)", {2}),
        ("for x in a:\n    pass\nx", {0, 1}),
        ("for i in a:\n    x = 1\n    break\nelse:\n    x = 2\nx", {2, 5}),
        ("try:\n    x = f()\nexcept E:\n    pass\nx", {0, 2}),
        ("try:\n    x = f()\nexcept E:\n    x = 1\nx", {2, 4}),
        ("try:\n    x = f()\nfinally:\n    x", {0, 2}),
        ("x = 1\ndel x\nx", {0}),
        ("with a as x:\n    pass\nx", {1}),
        ("(x := 1)\nx", {1}),
        ("[x for x in a]\nx", {0}),
        ("match a:\n    case 1:\n        x = 2\n    case x:\n        pass\nx", {0, 1, 3}),
        ("from a import *\nx", None),
        ("class A:\n    x = 1\n    def f(self):\n        return x", {0}),
        ("x = 1\ndef f():\n    return x\nx = 2", {1, 4}),
        ("def f():\n    def g():\n        return x\n    x = 1\n    return g", {4}),
        ("def f(x):\n    return [x for _ in x]", {1}),
    ],
)
def test_the_last_read_has_these_sources(text: str, expected: set[int] | None) -> None:
    found = sources(text, "x")
    assert (found[-1] if found else None) == expected


def test_a_loop_hands_its_bindings_on_to_its_own_start() -> None:
    text = "x = 0\nwhile x:\n    x\n    x = 1\n    if a:\n        continue\n    x = 2\n"
    assert sources(text, "x")[:2] == [{1, 4, 7}, {1, 4, 7}]


def test_columns_count_characters() -> None:
    assert sources('a = "äöü"; x = 1; y = x', "x") == [{1}]
