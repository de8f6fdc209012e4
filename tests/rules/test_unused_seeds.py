"""GYM309 says what is true of an environment: that a seed has no effect, only where something is random."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint
from markdown_cases import findings_in

CODES = frozenset({"GYM309"})
ENVIRONMENT = """import random
from random import choice

import gymnasium as gym
import numpy as np


class Board(gym.Env):
    action_space = observation_space = gym.spaces.Discrete(9)

    def reset(self, *, seed=None, options=None):
        self.places = np.zeros(9)
        return {start}, {{}}

    def step(self, action):
        self.places[action] = 1.0
        return action, 0.0, bool(self.places.all()), False, {{}}
"""


@pytest.mark.parametrize(
    ("start", "effect"),
    [
        ("0", "`np_random` stays unseeded, and `check_env` rejects the environment"),
        ("self.simulator.reset()", "`np_random` stays unseeded, and `check_env` rejects the environment"),
        ("self.np_random.integers(9)", "a seed has no effect"),
        ("np.random.randint(9)", "a seed has no effect"),
        ("random.randrange(9)", "a seed has no effect"),
        ("choice(range(9))", "a seed has no effect"),
        ("np.random.default_rng().integers(9)", "a seed has no effect"),
        ("self.action_space.sample()", "a seed has no effect"),
    ],
)
def test_what_is_said_depends_on_what_is_random(start: str, effect: str) -> None:
    (finding,) = findings_in(ENVIRONMENT.format(start=start), CODES)
    assert finding.message == f"`Board.reset` takes a `seed` and never uses it: {effect}"


BOARD = """import random

import gymnasium as gym


class Board(gym.Env):
    def reset(self, seed=None, options=None):
        self.place = self.drawn()
        return self.place, {}

    def drawn(self):
        return random.randint(0, 3)
"""
DUEL = """from board import Board


class Duel(Board):
    def opened(self):
        return self.place == 0
"""


def test_what_draws_from_a_module_beside_a_subclass_elsewhere_is_not_safely_fixed(tmp_path: Path) -> None:
    (tmp_path / "board.py").write_text(BOARD)
    (tmp_path / "duel.py").write_text(DUEL)
    out = done_lint(tmp_path, "check", "--select", "GYM309", ".").stdout
    assert "GYM309 `Board.reset`" in out
    assert "it draws from `random` too, which the seed would not reach" in out
