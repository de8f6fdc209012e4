"""The outline of a file: what scopes and loops bind and step, read from statements and marked rows."""

from __future__ import annotations

import ast

import pytest

from done_lint.flowgraph.binding_scan import Outline, Region


def regions(text: str) -> tuple[Region, dict[int, Region]]:
    """The module's region, and those of scopes and loops by the row they start at."""
    tree = ast.parse(text)
    outline = Outline(tree, text)
    return outline.top, {node.lineno: region for node, region in outline.regions.items() if hasattr(node, "lineno")}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "row",
    [
        "env.step(a)",
        "env.\\\n  step(a)",
        "(env\n  .step_wait())",
        "x, y = [\n  env . step(b) for b in c], 2",
        "if env.step(a): pass",
        "while env.step(a): pass",
        "with env.step(a) as b: pass",
        "def f(a=env.step(b)): pass",
        "f = lambda: env.step(a)",
        "return_ = f'{env.step(a)}'",
        "assert env.step(a), 3",
    ],
)
def test_a_loop_steps_where_any_row_of_it_does(row: str, end: str) -> None:
    rows = [
        "'''text",
        "'''",
        "for t in steps:",
        *(f"    {line}" for line in row.split("\n")),
        "for t in others:",
        "    step()",
    ]
    _, found = regions(end.join(rows) + end)
    assert found[3].steps
    assert not found[len(rows) - 1].steps


@pytest.mark.parametrize("row", ["'env.step(a)'", "env.restep(a)", "env.step", "steps(a)", "pass  # env.step(a)"])
def test_what_only_looks_like_a_step_is_none(row: str) -> None:
    _, found = regions(f"for t in steps:\n    {row}\n    pass\n")
    assert not found[1].steps


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("a = b = c\n(d, *e), [f] = g\n", "a b d e f"),
        ("for a, b in c:\n    pass\nelse:\n    d = 1\n", "a b d"),
        ("with a as b, c as (d, e):\n    pass\n", "b d e"),
        ("try:\n    a = 1\nexcept E as b:\n    c = 1\nelse:\n    d = 1\nfinally:\n    e = 1\n", "a b c d e"),
        ("match a:\n    case [b, *c] if (d := b):\n        e = 1\n", "b c d e"),
        ("while (a :=\n  f()):\n    b += 1\n", "a b"),
        ("x = [a for a in (b := c)]\n", "x b"),
        ("a.b = c[d] = 1\ne: int = 2\ndel f\n", "e f"),
        ("def a(b):\n    c = 1\nclass D:\n    e = 1\n", "a D"),
        ("import a.b, c as d\nfrom e import f as g\n", "a d g"),
    ],
)
def test_what_a_module_binds(text: str, bound: str) -> None:
    top, _ = regions(text)
    assert top.bound == set(bound.split())


def test_names_bound_more_than_once_are_listed() -> None:
    top, found = regions("a = 1\nfor b in c:\n    a = 2\n    d = 3\nb = 4\n")
    assert top.again == {"a", "b"}
    assert found[2].again == set()
