"""Of several readers of one batch, the evidence shows one that asks for what is in it."""

from __future__ import annotations

import json
from pathlib import Path

from command import done_lint

AGENTS = {
    # asks for less than there is, for what is not there, and for all of it
    "alpha.py": ["rewards", "next_obs", "dones"],
    "beta.py": ["rewards", "next_obs", "dones", "weights"],
    "gamma.py": ["obs", "rewards", "next_obs", "next_actions", "dones"],
    "omega.py": ["rewards", "next_obs", "dones"],
}
AGENT = """class Agent:
    def update(self, batch):
{reads}
        target = rewards + 0.99 * self.q(next_obs) * (1 - dones)
        self.fit(target)
"""
MAIN = """import random

import gymnasium as gym
import numpy as np

import alpha, beta, gamma, omega


def train(name):
    agent = {"a": alpha.Agent, "b": beta.Agent, "c": gamma.Agent, "d": omega.Agent}[name]()
    env, rows = gym.make("CartPole-v1"), []
    obs, info = env.reset()
    action = agent.act(obs)
    while True:
        next_obs, reward, terminated, truncated, info = env.step(action)
        done = terminated or truncated
        next_action = agent.act(next_obs)
        rows.append((obs, reward, next_obs, float(done), next_action))
        o, r, n, d, a = zip(*random.sample(rows, 32))
        agent.update(
            {
                "obs": np.array(o),
                "rewards": np.array(r),
                "next_obs": np.array(n),
                "dones": np.array(d),
                "next_actions": np.array(a),
            }
        )
        obs, action = (env.reset()[0] if done else next_obs), next_action
"""


def test_the_reader_that_asks_for_the_whole_batch_is_shown(tmp_path: Path) -> None:
    for name, keys in AGENTS.items():
        reads = "\n".join(f'        {key} = batch["{key}"]' for key in keys)
        (tmp_path / name).write_text(AGENT.format(reads=reads))
    (tmp_path / "main.py").write_text(MAIN)
    (found,) = json.loads(done_lint(tmp_path, "check", ".", "--select", "GYM203", "--output-format", "json").stdout)
    assert found["filename"] == "main.py"
    assert {one["filename"] for one in found["related"]} == {"main.py", "gamma.py"}
