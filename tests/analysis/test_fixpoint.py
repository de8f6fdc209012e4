"""Linking ends, and gives the same facts in any order."""

from __future__ import annotations

from textwrap import dedent

import pytest
from agent_project import project
from model_programs import STEP, after_rows, linked, meanings

from done_lint.facts.build import link
from done_lint.flowgraph.build import survey


def test_the_answer_does_not_depend_on_the_order_of_the_files() -> None:
    files = project("buffer", "agent", "done)", "")
    surveys = [survey(path, dedent(text)) for path, text in files.items()]
    forward, backward = link(surveys), link(surveys[::-1])
    for path in files:
        assert forward.facts(path) == backward.facts(path)


def test_linking_twice_gives_the_same_facts() -> None:
    files = project("buffer", "agent", "done)", "")
    assert linked(files).facts("train.py") == linked(files).facts("train.py")


@pytest.mark.parametrize(
    "rows",
    [
        "class Node:\n    pass\nx = Node()\nwhile x:\n    x = x.parent\nx = done",
        "x = [0]\nwhile True:\n    x = [x]\n    break\nx = done",
        "x = {}\nfor i in range(9):\n    x = {'inner': x}\nx = done",
        "def f(n):\n    return f(n - 1) if n else done\nx = f(3)",
        "def f(g):\n    return f(f)\nf(f)\nx = done",
        "class A:\n    def __init__(self, a):\n        self.a = A(self)\nA(None)\nx = done",
        "class A:\n    def __getattr__(self, name):\n        return getattr(self.inner, name)\nA().foo.bar\nx = done",
        "class A:\n    def __init__(self, a):\n        self.a = a\n    def __getattr__(self, name):\n"
        "        return getattr(self.a, name)\nw = A(None)\nfor _ in range(9):\n    w = A(w)\nw.foo.bar\nx = done",
        "x = lambda: x\nx()()()\nx = done",
        "next_done = done\nfor t in range(9):\n    mask = 1 - next_done\n    next_done = next_done\nx = next_done",
        "mask = 1 - done\nfor t in range(9):\n    mask = mask * (1 - done)\nx = done",
        "w = env\nfor _ in range(9):\n    w = gym.wrappers.ClipAction(w)\nx = done",
    ],
)
def test_what_refers_to_itself_ends(rows: str) -> None:
    assert after_rows(f"{rows}\nprint(x)", "x") == {"done"}


def test_a_node_that_holds_too_many_objects_is_no_evidence() -> None:
    """No flag is followed through a polymorphic helper that all kinds of objects pass through."""
    kinds = "".join(f"class K{i}:\n    pass\nhand_on(K{i}())\n" for i in range(12))
    program = f"def hand_on(x):\n    return x\n{STEP}{kinds}row = (obs, done)\ny = hand_on(row)\nprint(y[1])\n"
    assert meanings(program, "y[1]") == set()


def test_a_tuple_that_grows_at_its_front_for_ever_is_linked() -> None:
    program = "import gym\n\ndef up(n):\n    rest = up(n - 1)\n    return (n, *rest)\n\nenv = gym.make(up(3))\n"
    assert linked(program).facts("main.py").envs
