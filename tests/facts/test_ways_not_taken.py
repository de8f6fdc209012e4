"""Two scripts that share what learns, of which one leaves it alone: each is judged by the ways that it takes itself."""

from __future__ import annotations

import pytest
from model_programs import marked, sinks

KEEPING = """
import random

import torch
from torch import nn


class Agent:
    def __init__(self):
        self.q, self.target, self.memory = nn.Linear(4, 2), nn.Linear(4, 2), []

    def remember(self, state, after, reward):
        self.memory.append((state, after, reward))

    def learn(self):
        states, afters, rewards = zip(*random.sample(self.memory, 32))
        going = torch.tensor([one is not None for one in afters])
        values = torch.zeros(32)
        values[going] = self.target(torch.stack([one for one in afters if one is not None])).max(1).values
        goal = torch.tensor(rewards) + 0.99 * values
        (self.q(torch.stack(states)).max(1).values - goal).pow(2).mean().backward()
"""
MASKING = """
import random

from torch import nn


class Agent:
    def __init__(self):
        self.q, self.target, self.memory = nn.Linear(4, 2), nn.Linear(4, 2), []

    def remember(self, state, after, reward, over):
        self.memory.append((state, after, reward, over))

    def learn(self):
        states, afters, rewards, overs = zip(*random.sample(self.memory, 32))
        goal = rewards + 0.99 * self.target(afters).max(1).values * (1 - overs){}
        (self.q(states).max(1).values - goal).pow(2).mean().backward()
"""
SCRIPT = """
import gymnasium as gym
import torch
from agent import Agent

agent = Agent()


def play(first, last, mode, episode):
    env = gym.make("CartPole-v1")
    obs, _ = env.reset(seed=first + last + episode)
    state = torch.tensor(obs)
    done = False
    while not done:
        obs, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        done = terminated or truncated
        {after}
        if mode == "train":
            {remember}
            agent.learn()
        state = torch.tensor(obs)


for days in ((1, 2), (3, 4)):
    play({given})
"""
NONE = "after = None if done else torch.tensor(obs)"
OVER = "after, over = torch.tensor(obs), float(done)"


@pytest.mark.parametrize("given", ['*days, "test", 1', 'days[0], days[1], "test", 1', '0, 1, episode=2, mode="test"'])
def test_a_script_that_leaves_what_learns_alone_is_right(given: str) -> None:
    row = "agent.remember(state, after, reward)"
    learning = SCRIPT.format(after=f"{NONE}  # sink: branch", remember=row, given='*days, "train", 1')
    program = {
        "agent.py": KEEPING,
        "train.py": learning,
        "main.py": SCRIPT.format(after=NONE, remember=row, given=given),
    }
    assert sinks(program) == marked(program)


def test_what_such_a_script_would_store_is_not_wrong() -> None:
    row = "agent.remember(state, after, reward, over)"
    learning = SCRIPT.format(after=OVER, remember=f"{row}  # sink: store", given='*days, "train", 1')
    program = {
        "agent.py": MASKING.format("  # sink: mask"),
        "train.py": learning,
        "main.py": SCRIPT.format(after=OVER, remember=row, given='*days, "test", 1'),
    }
    assert sinks(program) == marked(program)
    # alone, it learns nothing
    assert not sinks({"agent.py": MASKING.format(""), "main.py": program["main.py"]})


@pytest.mark.parametrize("given", ['*days, 1, "test"', '*days, "train", *days', '"train", *days, 1', "*days, days, 1"])
def test_what_is_given_may_be_the_text(given: str) -> None:
    row = "agent.remember(state, after, reward, over)  # sink: store"
    program = {
        "agent.py": MASKING.format("  # sink: mask"),
        "main.py": SCRIPT.format(after=OVER, remember=row, given=given),
    }
    assert sinks(program) == marked(program)
