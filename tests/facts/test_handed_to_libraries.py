"""A class of another library hands on what the project's environment gives: its callers are not in sight."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixing import fix

GRID = """import gymnasium as gym


class Grid(gym.Env):
    def __init__(self):
        self.agents = ["left", "right"]

    def reset(self):
        self.places = {agent: 0 for agent in self.agents}
        return self.places

    def step(self, actions):
        ends = {agent: False for agent in self.agents}
        return self.places, ends, ends, ends, {}
"""
PARALLEL = """from pettingzoo import ParallelEnv

from grid import Grid


class ParallelGrid(ParallelEnv):
    def __init__(self):
        self.env = Grid()

    def reset(self, seed=None, options=None):
        observations = self.env.reset()
        return {returned}

    def step(self, actions):
        return self.env.step(actions)
"""


@pytest.mark.parametrize(("returned", "changed"), [("observations", False), ("observations, {}", True)])
def test_a_reset_that_is_handed_on_is_not_changed(tmp_path: Path, returned: str, changed: bool) -> None:
    (tmp_path / "grid.py").write_text(GRID)
    (tmp_path / "parallel.py").write_text(PARALLEL.replace("{returned}", returned))
    result = fix(tmp_path)
    assert ("grid.py" in result.changed) == changed
    reasons = [one.unfixed for one in result.findings if one.code == "GYM303"]
    assert changed or "`ParallelGrid.reset` hands it on" in reasons[0]
