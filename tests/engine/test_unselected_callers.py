"""A class does not change safely where a rule that is off would have changed its callers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import done_lint

MAZE = """import gymnasium as gym


class Maze(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = 0
        return self.place

    def step(self, action):
        return self.place, 0.0, False, False, {}
"""
CALLER = """from maze import Maze

env = Maze()
observation = env.reset(seed=1)
print(observation + 1)
"""
NO_CALLER = """from maze import Maze

env = Maze()
env.reset(seed=1)
"""


def returned(folder: Path, user: str, *arguments: str) -> dict[str, Any]:
    """The finding on what `reset` returns."""
    (folder / "pyproject.toml").write_text("")
    (folder / "maze.py").write_text(MAZE)
    (folder / "train.py").write_text(user)
    found = json.loads(done_lint(folder, "check", "--no-cache", "--output-format", "json", *arguments).stdout)
    (one,) = [finding for finding in found if finding["code"] == "GYM303"]
    return dict(one)


@pytest.mark.parametrize("arguments", [("--select", "GYM303"), ("--ignore", "GYM104"), ("maze.py", "--ignore", "GYM1")])
def test_a_caller_that_no_rule_changes_makes_the_fix_unsafe(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    one = returned(tmp_path, CALLER, *arguments)
    assert one["fix"]["applicability"] == "unsafe"
    assert one["unfixed"] == "train.py:4 takes what it returns, and GYM104 is not selected"
    done_lint(tmp_path, "fix", "--no-cache", *arguments, "maze.py")
    assert (tmp_path / "maze.py").read_text() == MAZE


@pytest.mark.parametrize(
    ("user", "arguments"), [(CALLER, ()), (NO_CALLER, ("--select", "GYM303"))], ids=["both rules", "no caller"]
)
def test_it_is_safe_otherwise(tmp_path: Path, user: str, arguments: tuple[str, ...]) -> None:
    assert returned(tmp_path, user, *arguments)["fix"]["applicability"] == "safe"
