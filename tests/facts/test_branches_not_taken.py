"""A value target behind a test of a parameter, for which every call gives the other constant, is never computed."""

from __future__ import annotations

import pytest
from model_programs import sinks

BUFFER = """
import gymnasium as gym


class Buffer:
    def __init__(self):
        self.rewards, self.values, self.dones = [], [], []

    def add(self, reward, value, done):
        self.rewards.append(reward)
        self.values.append(value)
        self.dones.append(done)

    def update(self, last, plain{default}):
        if {test}:
            self.targets = self.rewards
        else:
            following = self.values[1:] + [last]
            self.targets = [
                self.rewards[i] + (1 - self.dones[i]) * 0.99 * following[i] for i in range(len(self.values))
            ]


def train(agent, choice):
    env = gym.make("CartPole-v1")
    buffer = Buffer()
    obs, info = env.reset()
    done = False
    while not done:
        action, value = agent.act(obs)
        obs, reward, terminated, truncated, info = env.step(action)
        done = terminated or truncated
        buffer.add(reward, value, done)
    {calls}
"""


@pytest.mark.parametrize(
    ("test", "default", "calls"),
    [
        ("plain", "", "buffer.update(0, True)"),
        ("plain", "=False", "buffer.update(0, plain=True)"),
        ("plain", "=True", "buffer.update(0)"),
        ("not plain", "", "buffer.update(0, False)"),
        ("plain", "=True", "buffer.update(0); buffer.update(last=1, plain=True)"),
    ],
)
def test_a_target_in_a_branch_that_no_call_takes_is_none(test: str, default: str, calls: str) -> None:
    assert not sinks(BUFFER.format(test=test, default=default, calls=calls))


@pytest.mark.parametrize(
    ("test", "default", "calls"),
    [
        ("plain", "", "buffer.update(0, False)"),
        ("plain", "", "buffer.update(0, choice)"),
        ("plain", "", "buffer.update(0, None)"),
        ("plain", "=True", "buffer.update(0, **choice)"),
        ("plain", "=True", "buffer.update(*choice)"),
        ("plain", "=False", "buffer.update(0, plain=True); buffer.update(1)"),
        ("plain", "=True", "return buffer"),
        ("not plain", "", "buffer.update(0, True)"),
        ("plain and last", "", "buffer.update(0, True)"),
    ],
)
def test_a_target_in_a_branch_that_a_call_may_take_is_one(test: str, default: str, calls: str) -> None:
    assert {kind for _, _, kind in sinks(BUFFER.format(test=test, default=default, calls=calls))} == {"store", "mask"}


def test_a_target_of_a_function_that_only_such_a_branch_calls_is_none() -> None:
    text = BUFFER.format(test="plain", default="=False", calls="buffer.update(0, plain=True)")
    start, end = text.index("            self.targets = ["), text.index("\n\n\ndef train")
    body = text[start:end].replace("self.targets =", "return").replace("            ", "    ").replace("self", "buffer")
    inside = f"{text[:start]}            self.targets = targets(self, following){text[end:]}"
    function = f"\n\ndef targets(buffer, following):\n{body}\n"
    assert not sinks(inside + function)
    assert len(sinks(inside.replace("plain=True", "plain=False") + function)) == 2
    assert len(sinks(f"{inside}    return targets(buffer, [])\n{function}")) == 2
