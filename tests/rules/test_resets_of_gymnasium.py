"""`env.reset()[0]`, in a file that imports neither library, of what Gymnasium's `make` gave in another one."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

POOL = """class Pool:
    def __init__(self, functions):
        self.envs = [one() for one in functions]

    def reset(self):
        return [env.reset()[0] for env in self.envs]

    def step(self, actions):
        rows = []
        for env, action in zip(self.envs, actions):
            obs, reward, done, info = env.step(action)
            if done:
                obs = env.reset()
            rows.append((obs, reward, done, info))
        return rows
"""
MAIN = """import {} as gym
from pool import Pool

pool = Pool([lambda: gym.make("CartPole-v1")])
pool.reset()
"""


@pytest.mark.parametrize(("library", "kept"), [("gymnasium", True), ("gym", False)])
def test_the_first_of_the_pair_is_the_observation(tmp_path: Path, library: str, *, kept: bool) -> None:
    (tmp_path / "pool.py").write_text(POOL)
    (tmp_path / "main.py").write_text(MAIN.format(library))
    done_lint(tmp_path, "fix")
    text = (tmp_path / "pool.py").read_text()
    assert ("return [env.reset()[0] for env in self.envs]" in text) is kept
    assert "obs, _ = env.reset()" in text
