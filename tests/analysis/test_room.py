"""Where so many objects arrive that they stand for anything."""

from __future__ import annotations

from typing import Any

import pytest
from model_programs import linked

from done_lint.analysis import linker
from done_lint.analysis.context import Analysis
from done_lint.analysis.room import MOST_OBJECTS
from done_lint.analysis.values import Object

RETURNS = """
import gymnasium as gym
import numpy as np


def advantages(rewards, values, dones, gamma):
    found, last = np.zeros(len(rewards)), 0.0
    for t in reversed(range(len(rewards) - 1)):
        alive = 1.0 - dones[t]
        delta = rewards[t] + gamma * values[t + 1] * alive - values[t]
        last = delta + gamma * 0.95 * alive * last
        found[t] = last
    return found


class Rollout:
    def __init__(self):
        self.rewards, self.values, self.dones = [], [], []

    def add(self, reward, value, done):
        self.rewards.append(reward)
        self.values.append(value)
        self.dones.append(done)

    def compute(self):
        return advantages(np.array(self.rewards), np.array(self.values), np.array(self.dones), 0.99)


def collect(agent):
    rollout = Rollout()
    env = gym.make("CartPole-v1")
    obs, info = env.reset()
    for _ in range(200):
        obs, reward, terminated, truncated, info = env.step(agent.act(obs))
        rollout.add(reward, agent.value(obs), terminated or truncated)
        if terminated or truncated:
            obs, info = env.reset()
    return rollout.compute()
"""


@pytest.mark.parametrize(("name", "is_seen"), [("test_returns.py", True), ("other.py", False)])
def test_what_tests_hand_in_takes_no_room_from_the_program(name: str, is_seen: bool) -> None:
    calls = "".join(
        f"advantages(np.array([{n}.0]), np.array([0.0]), np.array([{n % 2}.0]), 0.9)\n" for n in range(MOST_OBJECTS + 4)
    )
    files = {"returns.py": RETURNS, name: f"import numpy as np\nfrom returns import advantages\n\n{calls}"}
    assert bool(linked(files).facts("returns.py").sinks) is is_seen


def test_what_tests_hand_in_has_the_room_that_the_program_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both counted by themselves, each place had twice as many, and all that they hold in turn."""
    solved: list[Analysis] = []
    begin = linker.solve

    def solve(at: Analysis, *rest: Any) -> None:
        begin(at, *rest)
        solved.append(at)

    monkeypatch.setattr(linker, "solve", solve)
    keep = (
        "import gymnasium as gym\n\nenv = gym.make('CartPole-v1')\nenv.reset()\n\n\ndef keep(rows): print(rows)\n\n\n"
    )
    calls = "".join(f"keep([{n}])\n" for n in range(MOST_OBJECTS + 4))
    own = "keep([1])\nkeep([2])\nkeep([3])\n"
    linked({"keep.py": keep + own, "test_keep.py": f"from keep import keep\n\n{calls}"})
    (at,) = solved
    places = [at.solver.values(node, Object) for node in range(len(at.solver.held))]
    assert max(map(len, places)) == MOST_OBJECTS
    program = at.program.bases["keep.py"], at.program.bases["test_keep.py"]
    fullest = max(places, key=len)
    assert sum(program[0] <= one.node < program[1] for one in fullest) == 3
