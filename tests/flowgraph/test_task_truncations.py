"""Which classes truncate an episode by their task, read from the tests that set the flag."""

from __future__ import annotations

import ast

import pytest

from done_lint.flowgraph.task_truncations import task_truncation

CLASS = """class Maze:
    def step(self, action):
        self.turns += 1
        at = self.at + action
        {}
        return at, 0.0, terminated, truncated, {{}}

    def fell(self):
        return self.at in self.holes

    def late(self):
        return self.turns > 9

    def crashed(self):
        return self.sim.crashed
"""
FIRST = 5


def row(*rows: str) -> int:
    """The row of the test within what stands before the `return`, from 1; 0: none."""
    (made,) = ast.parse(CLASS.format("\n        ".join(rows))).body
    assert isinstance(made, ast.ClassDef)
    found = task_truncation(made.body)
    return found - FIRST + 1 if found else 0


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["terminated = at == self.goal", "truncated = at in self.holes"], 2),
        (["terminated = False", "truncated = bool(at < 0) | (at > self.width)"], 2),
        (["terminated = False", "truncated = not 0 <= at <= self.width or self.turns > 9"], 2),
        (["terminated = truncated = False", "if at in self.holes:", "    truncated = True"], 2),
        (["terminated = truncated = False", "lost = at in self.holes", "if lost:", "    truncated = True"], 3),
        (["terminated = False", "truncated = self.fell()"], 2),
        (["terminated = at == 3", "truncated = self.turns > 9", "if at < 0:", "    truncated = True"], 3),
        # a limit, or what may be one
        (["terminated = at in self.holes", "truncated = self.turns >= 100"], 0),
        (["terminated = False", "truncated = self.played >= self.max_played"], 0),
        (["terminated = False", "truncated = self.late()"], 0),
        (["terminated = False", "left = 9 - self.turns", "truncated = left < 0"], 0),
        (["terminated = False", "over = 9 - self.turns", "truncated = over < 0"], 0),
        (["terminated = truncated = False", "if self.turns > 9:", "    if at < 0:", "        truncated = True"], 0),
        (["terminated = False", "truncated = at < 0 and self.turns > 9"], 0),
        # nobody sees what is asked
        (["terminated = False", "truncated = self.crashed()"], 0),
        (["terminated = False", "truncated = self.is_over"], 0),
        (["terminated, truncated = self.sim.judge(at)"], 0),
        (["terminated = truncated = False", "try:", "    self.sim.go()", "except OSError:", "    truncated = True"], 0),
        # it terminates as well
        (["truncated = at in self.holes", "terminated = truncated"], 0),
        (["terminated = at in self.holes", "truncated = at in self.holes"], 0),
        (["terminated = truncated = at in self.holes"], 0),
        (["terminated = truncated = False", "if at < 0:", "    terminated = True", "    truncated = True"], 0),
        (["terminated = False", "truncated = False"], 0),
    ],
)
def test_what_truncates(rows: list[str], expected: int) -> None:
    assert row(*rows) == expected
