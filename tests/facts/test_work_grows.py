"""What a further part of a program costs, counted in calls of functions: as much as the one before, not more.

Time would depend on the machine; and a search that is made again for every pair of parts shows in the count at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FrameType

import pytest

from done_lint.facts.build import link
from done_lint.flowgraph.build import survey

#: A further part may cost so much more than the one before: tables and lists that all of them share.
_MORE = 1.1

_ROWS = """\
import gymnasium as gym

envs = gym.make_vec("CartPole-v1", num_envs=2)
obs, _ = envs.reset()
rows = []
while len(rows) < 9:
    actions = envs.action_space.sample()
    obs0, rewards, terminated, truncated, infos = envs.step(actions)
"""

_AGENT = """\
import gymnasium as gym
from base import Base


class Agent{n}(Base):
    def __init__(self, env):
        self.env = env
        self.rows = []

    def run(self):
        obs, _ = self.env.reset()
        for _ in range(9):
            action = self.env.action_space.sample()
            next_obs, reward, terminated, truncated, info = self.env.step(action)
            done = terminated or truncated
            self.rows.append((obs, reward, next_obs, done))
            obs = next_obs
            if done:
                obs, _ = self.env.reset()
        for o, r, o2, d in self.rows:
            self.learn(o, r + 0.99 * (1 - d) * self.value(o2))


Agent{n}(gym.make("CartPole-v1")).run()
"""

_WRAPPER = """\
import gymnasium as gym
from m{before} import run as before


class Own(gym.Wrapper):
    def step(self, action):
        return self.env.step(action)

    def reset(self, **kwargs):
        return self.env.reset(**kwargs)


def run(env):
    obs, _ = env.reset()
    done = False
    while not done:
        obs, reward, terminated, truncated, info = env.step(0)
        done = terminated or truncated
    before(env)


run(Own(gym.make("CartPole-v1")))
"""


def rows(parts: int) -> dict[str, str]:
    """An observation that is put into lists, one after the other, and then kept in a row at as many places."""
    put = (f"    obs{n + 1} = [obs{n}][0]\n" for n in range(parts))
    kept = f"    row = (obs{parts}, actions, obs0)\n" + "    rows.append(row)\n" * parts
    return {"main.py": f"{_ROWS}{''.join(put)}{kept}    obs = obs0\n"}


def agents(parts: int) -> dict[str, str]:
    """Files with a class each that keeps transitions and learns from them."""
    base = {"base.py": "class Base:\n    def value(self, obs):\n        return 0\n\n    def learn(self, *row): ...\n"}
    return base | {f"a{n}.py": _AGENT.format(n=n) for n in range(parts)}


def wrappers(parts: int) -> dict[str, str]:
    """Files that hand one environment on, each to the one before."""
    last = {"m0.py": "def run(env):\n    env.reset()\n"}
    return last | {f"m{n + 1}.py": _WRAPPER.format(before=n) for n in range(parts)}


def work(program: Mapping[str, str]) -> int:
    """How many times functions of Python are called, and generators asked, to link a program."""
    surveys = [survey(path, text) for path, text in program.items()]
    calls = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        link(surveys)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("program", [rows, agents, wrappers])
def test_a_further_part_costs_what_the_one_before_cost(program: Callable[[int], Mapping[str, str]]) -> None:
    # the first of them fills what the process looks up once
    _, few, more, most = (work(program(parts)) for parts in (10, 10, 20, 30))
    assert most - more <= _MORE * (more - few)
