"""What tests ask a vector environment for says nothing of the program that they test, which makes its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import PLAIN, done_lint

ROLLS = """import gymnasium as gym
import numpy as np


def collect(envs, policy, memory):
    obs, _ = envs.reset()
    for _ in range(128):
        next_obs, reward, terminated, truncated, _ = envs.step(policy(obs))
        memory.add(obs, next_obs, reward, terminated)
        obs = next_obs
    return memory


def main(make, policy, memory):
    envs = gym.vector.SyncVectorEnv([make] * 3, autoreset_mode=gym.vector.AutoresetMode.SAME_STEP)
    seen, later, rewards, ends = collect(envs, policy, memory).sample()
    return rewards + 0.99 * (1 - ends) * policy.value(later)
"""
OTHER = """import gymnasium as gym

from rolls import collect


def test_rows(make, policy, memory):
    envs = gym.vector.SyncVectorEnv([make] * 3, autoreset_mode=gym.vector.AutoresetMode.NEXT_STEP)
    assert len(collect(envs, policy, memory)) == 128
"""


@pytest.mark.parametrize(("name", "found"), [("test_rolls.py", 1), ("rolls_test.py", 1), ("tried.py", 0)])
def test_the_program_decides_how_its_environments_reset(name: str, found: int, tmp_path: Path) -> None:
    (tmp_path / "rolls.py").write_text(ROLLS)
    (tmp_path / name).write_text(OTHER)
    result = done_lint(tmp_path, "check", "--select", "GYM205,GYM207", *PLAIN)
    assert result.stdout.count("rolls.py:9:25: GYM205") == found
    assert "GYM207" not in result.stdout
