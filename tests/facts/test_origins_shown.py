"""What a finding shows of a flag's way: where it begins, and the reader and the target of the same program."""

from __future__ import annotations

from model_programs import sink

from done_lint.core.findings import Related

SUITE = """import gymnasium as gym
from dm_control import suite


class Suite(gym.Env):
    def __init__(self, domain, task):
        self.inner = suite.load(domain, task)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.inner.reset().observation["seen"], {}

    def step(self, action):
        given = self.inner.step(action)
        done = given.last()
        return given.observation["seen"], given.reward, done, False, {}
"""
MEMORY = """import random


class Memory:
    def __init__(self):
        self.rows = []

    def add(self, *row):
        self.rows.append(row)

    def sample(self):
        return random.choice(self.rows)
"""
LEARNER = """def learn(memory, value):
    reward, seen, done = memory.sample()
    {}
    return reward + 0.99 * (1.0 - done) * value(seen)
"""
LOOP = """import sys

import gymnasium as gym
from {0}_learner import learn
from memory import Memory
from suite_env import Suite

env = Suite("cheetah", "run") if "suite" in sys.argv else gym.make("CartPole-v1")
memory = Memory()
obs, _ = env.reset()
for _ in range(1000):
    obs, reward, done, truncated, _ = env.step(0)
    memory.add(reward, obs, done)
    learn(memory, {0}_value)
"""
#: Two programs, each with a learner of its own, over one memory.
PROGRAM = {
    "suite_env.py": SUITE,
    "memory.py": MEMORY,
    "first_learner.py": LEARNER.format("pass"),
    "second_learner.py": LEARNER.format("memory = None"),
    "first_loop.py": LOOP.format("first"),
    "second_loop.py": LOOP.format("second"),
}


def shown(path: str) -> list[Related]:
    """What the finding about the store in a file is shown with."""
    return list(sink(PROGRAM, "last", path).path)


def test_the_last_step_of_an_environment_inside_is_where_the_flag_begins() -> None:
    first = shown("first_loop.py")[0]
    assert (first.path, first.message) == ("suite_env.py", "`LAST` comes from this step")


def test_the_learner_is_that_of_the_same_program() -> None:
    for name in ("first", "second"):
        learners = {one.path for one in shown(f"{name}_loop.py") if one.path.endswith("_learner.py")}
        assert learners == {f"{name}_learner.py"}
