"""A recursion over time that nothing in the program calls gives no value that anybody learns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint

ROLLOUT = """class Rollout:
    def __init__(self):
        self.rewards, self.dones = [], []

    def push(self, reward, done):
        self.rewards.append(reward)
        self.dones.append(done)

    def returns(self, last):
        found, total = [], last
        for reward, done in zip(reversed(self.rewards), reversed(self.dones)):
            total = reward + 0.99 * total * (1 - done)
            found.append(total)
        return found[::-1]
"""
MAIN = """import gymnasium as gym
from parts.rollout import Rollout


def play(policy):
    env, rollout = gym.make("CartPole-v1"), Rollout()
    (obs, info), done = env.reset(), False
    while not done:
        obs, reward, terminated, truncated, info = env.step(policy(obs))
        done = terminated or truncated
        rollout.push(reward, done)
    return sum(rollout.rewards)
"""
ALIKE = """from parts.rollout import Rollout


class Rows(Rollout):
    def returns(self, last):
        return list(self.rewards)


print(Rows().returns(0.0))
"""
OTHER = """class Log:
    def returns(self):
        return []


print(Log().returns())
"""


@pytest.mark.parametrize(
    ("path", "text", "called"),
    [
        ("other.py", OTHER, False),
        ("tests/test_rollout.py", "from parts.rollout import Rollout\n\nRollout().returns(0.0)\n", True),
        ("parts/__init__.py", "from .rollout import Rollout\n", True),
        ("parts/__init__.py", "", False),
        (
            "other.py",
            'import main\n\n\ndef ask(rollout, name="returns"):\n    return getattr(rollout, name), main\n',
            True,
        ),
        ("other.py", "import main\n\n\ndef ask(rollout):\n    return rollout.returns(0.0), main\n", True),
        # it may stand in the place of the other one
        ("other.py", ALIKE, True),
    ],
)
def test_a_recursion_that_nothing_calls_is_left(tmp_path: Path, path: str, text: str, *, called: bool) -> None:
    files = {"parts/rollout.py": ROLLOUT, "main.py": MAIN, path: text}
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    found = json.loads(done_lint(tmp_path, "check", ".", "--output-format", "json").stdout)
    assert [one["code"] for one in found] == (["GYM204"] if called else [])
