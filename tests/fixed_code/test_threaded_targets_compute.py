"""The proof by computing: targets that got a `terminated` of their own are the right numbers."""

from __future__ import annotations

from typing import Any

import pytest
from markdown_cases import findings_in, fixed
from recorded_batch import GAMMA, program
from rollouts import LAMBDA, TOY, Rollout, long_rollout

np = pytest.importorskip("numpy")

IN_PLACE = """
rewards, values, next_values = np.zeros(rows), np.zeros(rows), np.zeros(rows)
dones = np.zeros(rows)
obs, info = env.reset()
for t in range(rows):
    values[t] = value(obs)
    obs, reward, terminated, truncated, info = env.step(0)
    done = terminated or truncated
    rewards[t], next_values[t] = reward, value(obs)
    dones[t] = float(done)
    if done:
        obs, info = env.reset()
advantages = np.zeros(rows)
last = 0.0
for t in reversed(range(rows)):
    delta = rewards[t] + gamma * next_values[t] * (1 - dones[t]) - values[t]
    advantages[t] = last = delta + gamma * lam * (1 - dones[t]) * last
"""

THROUGH_FUNCTIONS = """
def collect(env):
    rewards, values, next_values, dones = [], [], [], []
    obs, info = env.reset()
    for _ in range(rows):
        values.append(value(obs))
        obs, reward, terminated, truncated, info = env.step(0)
        done = terminated or truncated
        rewards.append(reward)
        next_values.append(value(obs))
        dones.append(done)
        if done:
            obs, info = env.reset()
    return rewards, values, next_values, dones


def gae(rewards, values, next_values, dones):
    advantages = np.zeros(rows)
    last = 0.0
    for t in reversed(range(rows)):
        mask = 1.0 - dones[t]
        delta = rewards[t] + gamma * next_values[t] * mask - values[t]
        last = delta + gamma * lam * mask * last
        advantages[t] = last
    return advantages


rewards, values, next_values, dones = collect(env)
advantages = gae(rewards, values, next_values, dones)
"""


class Played:
    """An environment that replays a rollout; its observation is a row, and whether it is the one behind it."""

    def __init__(self, rollout: Rollout) -> None:
        self.rollout, self.row = rollout, -1

    def reset(self) -> tuple[Any, dict[str, Any]]:
        """The first state of the next episode."""
        return (self.row + 1, False), {}

    def step(self, action: int) -> tuple[Any, ...]:
        """The next row."""
        self.row += 1
        ends = self.rollout.terminated[self.row], self.rollout.truncated[self.row]
        return ((self.row, True), self.rollout.rewards[self.row], *ends, {})


def consistent(rollout: Rollout) -> Rollout:
    """The value behind a row is that of the next row, but where an episode ends."""
    ahead = np.where(rollout.done, rollout.next_values, rollout.shifted)
    return Rollout(rollout.rewards, rollout.values, ahead, rollout.terminated, rollout.truncated)


def advantages(text: str, rollout: Rollout) -> Any:
    """What a program computes of a rollout; it makes its environment by `gym.make`."""

    class Library:
        @staticmethod
        def make(name: str) -> Played:
            return Played(rollout)

    def value(place: Any) -> float:
        row, behind = place
        return float((rollout.next_values if behind else rollout.values)[row])

    names = {"gym": Library, "np": np, "gamma": GAMMA, "lam": LAMBDA, "rows": len(rollout.rewards), "value": value}
    exec(
        compile(text.replace("import gymnasium as gym\n", "").replace("import numpy as np\n", ""), "gae.py", "exec"),
        names,
    )
    return names["advantages"]


@pytest.mark.parametrize("text", [IN_PLACE, THROUGH_FUNCTIONS], ids=["arrays", "functions"])
@pytest.mark.parametrize("rollout", [TOY, consistent(long_rollout())], ids=["toy", "long"])
def test_the_mask_of_its_own_equals_the_reference_episode_by_episode(text: str, rollout: Rollout) -> None:
    text = program('env = gym.make("CartPole-v1")\n' + text)
    codes = frozenset({"GYM204", "GYM206"})
    assert fixed(text, codes) == text, "it is no safe fix"
    result = fixed(text, codes, unsafe=True)

    assert np.abs(advantages(text, rollout) - rollout.reference()).max() > 0.5
    assert np.abs(advantages(result, rollout) - rollout.reference()).max() < 1e-9, result
    assert not findings_in(result, codes)


def test_the_value_of_the_reset_observation_gets_no_mask_of_its_own() -> None:
    """`values[t + 1]` behind an end is that of the next episode: two masks alone would not make it right."""
    text = program(
        'env = gym.make("CartPole-v1")\n' + IN_PLACE.replace("gamma * next_values[t]", "gamma * values[t + 1]")
    )
    (finding,) = findings_in(text, frozenset({"GYM204"}))
    assert finding.fix is None
    assert finding.unfixed


def test_a_list_that_another_function_fills_gets_no_second_one() -> None:
    """The second list would stay empty, and the program would fail on it."""
    note = "def note(dones, done):\n    dones.append(done)\n\n\n"
    filled = IN_PLACE.replace("dones = np.zeros(rows)", "dones = []").replace(
        "dones[t] = float(done)", "note(dones, done)"
    )
    text = program(note + 'env = gym.make("CartPole-v1")\n' + filled)
    (finding,) = findings_in(text, frozenset({"GYM204"}))
    assert finding.fix is None
    assert finding.unfixed
