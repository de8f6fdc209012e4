"""Environments that nobody sees, where a class of the project truncates by its task: `terminated` is no promise."""

from __future__ import annotations

from pathlib import Path

import pytest

from done_lint.core.findings import Finding
from done_lint.engine.analyze import check
from done_lint.project.discovery import projects
from done_lint.project.settings import Overrides

MAZE = """import gymnasium as gym


class Maze(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.at, self.turns = 4, 0
        return self.at, {{}}

    def step(self, action):
        self.at += action
        self.turns += 1
        terminated = self.at == 8
        truncated = {}
        return self.at, 0.0, terminated, truncated, {{}}
"""
AGENT = """import gymnasium as gym


class Agent:
    def __init__(self, config):
        self.table = {{}}
        self.env = {}

    def train(self):
        state, info = self.env.reset()
        done = False
        while not done:
            action = self.env.action_space.sample()
            after, reward, terminated, truncated, info = self.env.step(action)
            done = terminated or truncated
            target = reward + 0.9 * (1 - done) * self.table[after].max()
            self.table[state][action] += 0.1 * (target - self.table[state][action])
            state = after
"""
MAIN = """from agent import Agent
from maze import Maze

Agent({"env_fn": print}).train()
print(Maze().reset())
"""
LOST, LATE = "self.at < 0 or self.turns > 50", "self.turns > 50"


def found(folder: Path, truncated: str, made: str) -> Finding:
    """The finding at the target of the agent, of a project whose maze truncates so."""
    (folder / "maze.py").write_text(MAZE.format(truncated))
    (folder / "agent.py").write_text(AGENT.format(made))
    (folder / "main.py").write_text(MAIN)
    findings = check(projects([str(folder)], Overrides(isolated=True).settings)).findings
    (target,) = [one for one in findings if one.code == "GYM201"]
    return target


@pytest.mark.parametrize("made", ['config["env_fn"]()', "gym.make(config.name)"])
def test_a_class_that_may_be_the_one_is_named(tmp_path: Path, made: str) -> None:
    target = found(tmp_path, LOST, made)
    assert target.fix is not None
    assert target.fix.safety == "unsafe"
    assert "may be a `Maze`" in target.unfixed
    assert "(maze.py:14)" in target.unfixed


@pytest.mark.parametrize(
    ("truncated", "made"),
    [(LATE, 'config["env_fn"]()'), (LATE, "gym.make(config.name)"), (LOST, 'gym.make("CartPole-v1")')],
)
def test_a_limit_and_what_is_seen_to_be_another(tmp_path: Path, truncated: str, made: str) -> None:
    target = found(tmp_path, truncated, made)
    assert target.fix is not None
    assert target.fix.safety == "safe"
