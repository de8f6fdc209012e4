"""Which classes pay for the ends of their episodes, read from what their `step` returns as reward."""

from __future__ import annotations

import ast

import pytest

from done_lint.flowgraph.paid_ends import pays_end

CLASS = """class Maze:
    def step(self, action):
        reward = -0.1
        terminated, truncated = self.at == 3, self.turns > 9
        {}
        return self.at, reward, terminated, truncated, {{}}
"""


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["if terminated or truncated:", "    reward -= 5"], True),
        (["if truncated:", "    reward = PENALTY"], True),
        (["over = bool(terminated or truncated)", "if over:", "    reward += 5 if self.won else -5"], True),
        (["over = terminated or truncated", "reward = sum({'end': -2.0 if self.won else 3.0 if over else 0})"], True),
        (["over = terminated or truncated", "end = 2.0 if over else 0.0", "reward += end"], True),
        (["parts = {}", "if truncated and not self.won:", "    parts['end'] = -1", "reward = sum(parts)"], True),
        # nothing, or not at every limit
        (["if terminated:", "    reward = 5"], False),
        (["if truncated:", "    reward = 0"], False),
        (["if truncated and self.won:", "    reward = 5"], False),
        (["if terminated or truncated:", "    if self.won:", "        reward = 5"], False),
        (["if terminated or truncated:", "    reward = 5 if terminated else 0"], False),
        (["if terminated and truncated:", "    reward = 5"], False),
        # no part of the reward
        (["if terminated or truncated:", "    self.ends = 1"], False),
        (["if terminated or truncated:", "    reward = reward + self.rest()"], False),
    ],
)
def test_what_pays(rows: list[str], expected: bool) -> None:
    (made,) = ast.parse(CLASS.format("\n        ".join(rows))).body
    assert isinstance(made, ast.ClassDef)
    assert pays_end(made.body) == expected


def test_each_agent_has_the_flag_of_all() -> None:
    (made,) = ast.parse(
        "class Maze:\n"
        "    def step(self, actions):\n"
        "        over = bool(self.sim.terminated or self.sim.truncated)\n"
        "        shared = 2.0 if over else 0.0\n"
        "        rewards = {}\n"
        "        for one in self.agents:\n"
        "            rewards[one] = shared\n"
        "        truncated = bool(self.sim.truncated)\n"
        "        ends = {one: self.sim.terminated for one in self.agents}\n"
        "        limits = {one: truncated for one in self.agents}\n"
        "        return {}, rewards, ends, limits, {}\n"
    ).body
    assert isinstance(made, ast.ClassDef)
    assert pays_end(made.body)
