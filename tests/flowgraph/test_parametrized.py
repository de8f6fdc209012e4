"""Parameters of tests, which pytest fills with the values that a decorator lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from done_lint.cli import main

AGENTS = """
class Agent:
    def train(self, env):
        obs, done = env.reset(), False
        while not done:
            obs, reward, done, info = env.step(0)
            print(obs, reward)
"""

TEST = """
import gym
import pytest

from agents import Agent


@pytest.mark.parametrize({})
def test_agents(kind, size):
    kind().train(gym.make("CartPole-v1"))
"""


@pytest.mark.parametrize(
    ("listed", "followed"),
    [
        ('"kind", [Agent]', True),
        ('"kind, size", [(Agent, 1), (Agent, 2)]', True),
        ('("size", "kind"), ((1, Agent),)', True),
        ('["size", "kind"], [pytest.param(1, Agent, id="one")]', True),
        ('"size", [1, Agent]', False),
        ('"kind", make_kinds()', False),
    ],
)
def test_a_test_is_given_the_classes_that_are_listed(tmp_path: Path, listed: str, followed: bool) -> None:
    """Otherwise what a method of the project is handed, of an object that nothing shows, keeps the files on Gym."""
    (tmp_path / "agents.py").write_text(AGENTS)
    (tmp_path / "test_agents.py").write_text(TEST.format(listed))
    result = CliRunner().invoke(main, ["check", "--no-cache", "--output-format", "json", str(tmp_path)])
    found = json.loads(result.stdout)
    assert found
    assert all(not one["unfixed"] for one in found) is followed
