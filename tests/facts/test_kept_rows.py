"""Rows of vector environments that are kept: found by what arrives, whatever the names and the files are."""

import pytest
from model_programs import facts

from done_lint.facts.rows.handed_on import HandedOn

MAIN = """\
import gymnasium as gym
from ledger import Ledger

envs = gym.make_vec("CartPole-v1", num_envs=4)
pages = Ledger(128)
seen, _ = envs.reset()
for _ in range(100):
    move = choose(seen)
    after, gain, over, cut, _ = envs.step(move)
    pages.note(seen, move, gain, after, over)
    seen = after
"""
ARRAYS = """\
import numpy as np


class Ledger:
    def __init__(self, size):
        self.first, self.moves = np.zeros((size, 4, 4)), np.zeros((size, 4))
        self.gains, self.overs = np.zeros((size, 4)), np.zeros((size, 4))
        self.at = 0

    def note(self, first, move, gain, after, over):
        self.first[self.at] = first
        self.moves[self.at] = move
        self.gains[self.at] = gain
        self.overs[self.at] = over
        self.at += 1
"""
TUPLES = """\
class Ledger:
    def __init__(self, size):
        self.pages = []

    def note(self, *page):
        self.pages.append(page)
"""
TENSORS = """\
import torch


class Ledger:
    def __init__(self, size):
        self.first, self.gains, self.moves = torch.zeros(size, 4, 4), torch.zeros(size, 4), torch.zeros(size, 4)

    def note(self, first, move, gain, after, over):
        self.first[0].copy_(torch.as_tensor(first))
        self.moves[0].copy_(torch.as_tensor(move))
        self.gains[0].copy_(torch.as_tensor(gain).view(-1) * 0.1)
"""


@pytest.mark.parametrize("ledger", [ARRAYS, TUPLES, TENSORS])
def test_what_another_file_keeps_is_a_row_where_it_is_handed_on(ledger: str) -> None:
    (row,) = facts({"main.py": MAIN, "ledger.py": ledger}, "main.py").rows
    assert (row.place.row, row.step.span.row, row.chosen) == (10, 9, False)
    assert not facts({"main.py": MAIN, "ledger.py": ledger}, "ledger.py").rows


def test_rows_that_nobody_keeps_are_none() -> None:
    ledger = "class Ledger:\n    def __init__(self, size): ...\n    def note(self, *page):\n        print(page)\n"
    assert not facts({"main.py": MAIN, "ledger.py": ledger}, "main.py").rows


@pytest.mark.parametrize(
    ("read", "chosen"),
    [
        ("self.first[self.overs == 0]", True),
        ("self.first[(1 - self.overs).astype(bool)]", True),
        ("np.flatnonzero(1 - self.overs)", True),
        ("(self.gains * (1 - self.overs)).sum() / (1 - self.overs).sum()", True),
        ("self.first[self.at]", False),
    ],
)
def test_a_mask_in_another_file_chooses_rows(read: str, chosen: bool) -> None:
    ledger = f"{ARRAYS}\n    def draw(self):\n        return {read}\n"
    (row,) = facts({"main.py": MAIN, "ledger.py": ledger}, "main.py").rows
    assert row.chosen == chosen


def test_a_wrapper_hands_rows_to_whoever_steps_it() -> None:
    wrapper = """\
import gymnasium as gym


class Lab:
    def __init__(self):
        self.envs = gym.make_vec("CartPole-v1", num_envs=4)

    def step(self, move):
        seen, gain, over, cut, _ = self.envs.step(move)
        return seen, gain * 0.5, over | cut
"""
    main = """\
from lab import Lab


def train(agent, pages):
    lab = Lab()
    seen = None
    while True:
        move = agent(seen)
        after, gain, end = lab.step(move)
        pages.append((seen, move, gain, after, end))
        seen = after


def show(agent):
    lab = Lab()
    seen, total = None, 0
    while True:
        seen, gain, end = lab.step(agent(seen))
        total += gain
"""
    (row,) = facts({"main.py": main, "lab.py": wrapper}, "main.py").rows
    assert (row.place.row, row.step.path) == (10, "lab.py")


def test_sums_of_rewards_are_no_rewards() -> None:
    text = """\
import gymnasium as gym

envs = gym.make_vec("CartPole-v1", num_envs=4)
seen, _ = envs.reset()
frames, totals, moves, total = [], [], [], 0
for _ in range(100):
    move = choose(seen)
    seen, gain, over, cut, _ = envs.step(move)
    total += gain
    frames.append(seen)
    moves.append(move)
    totals.append(total)
"""
    assert not facts(text).rows


LAB = """\
from abc import ABC, abstractmethod

import gymnasium as gym


class Bench(ABC):
    @abstractmethod
    def step(self, move): ...


class Lab(Bench):
    def __init__(self, name):
        self.envs = gym.make_vec(name, num_envs=4)
        self.seen, _ = self.envs.reset()

    def step(self, move):
        seen, gain, over, cut, _ = self.envs.step(move)
        return seen, gain, over, cut
"""
LEARNER = """\
import lab


def learn(bench: lab.{kind}, agent, pages):
    seen = bench.seen
    for _ in range(100):
        move = agent(seen)
        after, gain, over, cut = bench.step(move)
        pages.append((seen, move, gain, after, over))
        seen = after
"""


def test_a_file_with_rows_alone_has_facts() -> None:
    """Nothing else in it is of an environment: the rules are to look at it all the same."""
    found = facts({"lab.py": LAB, "learn.py": LEARNER.format(kind="Lab")}, "learn.py")
    assert len(found.rows) == 1
    assert found


@pytest.mark.parametrize(
    ("beside", "rows"),
    [
        ("", 1),
        ("\n\nclass Other(Bench):\n    def step(self, move):\n        return measured(move)\n", 0),
    ],
)
def test_the_only_class_that_does_what_a_base_leaves_open_stands_for_it(beside: str, rows: int) -> None:
    test = "import lab\n\n\nclass Fake(lab.Bench):\n    def step(self, move):\n        return 0, 0.0, False, False\n"
    program = {"lab.py": LAB + beside, "learn.py": LEARNER.format(kind="Bench"), "test_lab.py": test}
    assert len(facts(program, "learn.py").rows) == rows


def test_what_came_before_an_action_is_not_looked_for_in_whole_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search for each of thousands of rows would take longer than all else."""
    monkeypatch.setattr(HandedOn, "ways", None)
    assert len(facts({"ledger.py": ARRAYS, "main.py": MAIN}, "main.py").rows) == 1
