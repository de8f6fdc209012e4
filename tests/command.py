"""Runs done-lint as a user does: as a process, whose imports are done already (see `forks`)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from forks import forked

ROOT = Path(__file__).resolve().parent.parent

#: The default settings, one line a finding.
PLAIN = ["--isolated", "--output-format", "concise"]

#: Two findings (GYM401 and GYM101), both with a safe fix, of which one run fixes both.
OLD = """\
import gym

env = gym.make("CartPole-v1")
done = False
while not done:
    obs, reward, done, info = env.step(env.action_space.sample())
"""

CLEAN = """\
import gymnasium as gym

env = gym.make("CartPole-v1")
obs, info = env.reset()
done = False
while not done:
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    done = terminated or truncated
"""

FIXED = """\
import gymnasium as gym

env = gym.make("CartPole-v1")
done = False
while not done:
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    done = terminated or truncated
"""

#: The stored-done bug over two files: the flag is stored here and cuts the target there.
TRAIN = """\
import gymnasium as gym

from learner import Learner

env = gym.make("CartPole-v1")
learner = Learner()
obs, info = env.reset()
done = False
while not done:
    next_obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    done = terminated or truncated
    learner.memory.append((obs, reward, next_obs, done))
    learner.learn()
    obs = next_obs
"""
LEARNER = """\
class Learner:
    gamma = 0.99

    def __init__(self):
        self.memory = []

    def learn(self):
        obs, reward, next_obs, done = self.memory[-1]
        target = reward + self.gamma * self.value(next_obs) * (1 - done)
        self.update(obs, target)

    def value(self, obs):
        return 0.0

    def update(self, obs, target):
        pass
"""


def done_lint(
    folder: Path, *arguments: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command of this checkout in a folder; output is decoded as UTF-8, newlines as they are."""
    result = python(folder, "-m", "done_lint", *arguments, stdin=stdin, env=env)
    assert "Traceback" not in result.stderr, result.stderr
    return result


def python(
    folder: Path, *arguments: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `python ARGUMENT ...` in a folder, with done-lint imported already."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **(env or {})}
    return forked(folder, *arguments, modules=("done_lint.*",), environment=environment, stdin=stdin or b"")
