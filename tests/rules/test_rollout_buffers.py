"""Rollouts that one file collects, and another one computes targets of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint

BUFFER = """import numpy as np


class RolloutBuffer:
    def __init__(self):
        self.next = 0
        self.rewards, self.values = np.zeros((128, 4)), np.zeros((129, 4))
        self.terms, self.dones = np.zeros((128, 4)), np.zeros((128, 4))

    def insert_step(self, values, rewards, terms, truncs):
        self.values[self.next] = values
        self.rewards[self.next] = rewards
        self.terms[self.next] = terms
        self.dones[self.next] = terms | truncs
        self.next += 1

    def advantages(self, last_value):
        self.values[128] = last_value
        advantages, last = np.zeros((128, 4)), 0.0
        for t in reversed(range(128)):
            delta = self.rewards[t] + 0.99 * self.values[t + 1] * (1 - self.terms[t]) - self.values[t]
            last = delta + 0.99 * 0.95 * (1 - self.dones[t]) * last
            advantages[t] = last
        return advantages
"""
TRAIN = """import gymnasium as gym
from buffer import RolloutBuffer


def collect(make, policy, value):
    envs = gym.vector.SyncVectorEnv([make] * 4, autoreset_mode="{}")
    buffer = RolloutBuffer()
    obs, _ = envs.reset()
    for t in range(128):
        values = value(obs)
        obs, rewards, terms, truncs, _ = envs.step(policy(obs))
        buffer.insert_step(values, rewards, terms, truncs)
    return buffer.advantages(value(obs))
"""


@pytest.mark.parametrize(
    ("modes", "found"),
    [
        (["SameStep"], [("buffer.py", 21)]),
        (["SameStep", "SameStep"], [("buffer.py", 21)]),
        (["NextStep"], []),
        # the second one's rows are right
        (["SameStep", "NextStep"], []),
    ],
)
def test_the_value_one_row_on_is_reported_in_the_buffer(
    tmp_path: Path, modes: list[str], found: list[tuple[str, int]]
) -> None:
    (tmp_path / "buffer.py").write_text(BUFFER)
    for number, mode in enumerate(modes):
        (tmp_path / f"train_{number}.py").write_text(TRAIN.format(mode))
    result = done_lint(tmp_path, "check", "--select", "GYM205", "--output-format", "json")
    assert [(one["filename"], one["location"]["row"]) for one in json.loads(result.stdout)] == found
