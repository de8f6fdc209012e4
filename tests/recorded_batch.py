"""A batch of four steps that the tests replay to programs, and what a value target of them has to be.

Its rows are an ordinary step, a truncated one, a terminated one, and one that is both.
"""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

np = pytest.importorskip("numpy")

GAMMA = 0.9
REWARDS = [1.0, 2.0, 3.0, 4.0]
NEXT_VALUES = [10.0, 20.0, 30.0, 40.0]
TERMINATED = [False, False, True, True]
TRUNCATED = [False, True, False, True]

#: r + gamma * V, and r alone where the episode terminated: 1 + 9, 2 + 18, 3, 4.
RIGHT = [10.0, 20.0, 3.0, 4.0]
#: The same, but r alone at the truncation, too.
CUT = [10.0, 2.0, 3.0, 4.0]


IMPORTS = "import gymnasium as gym\nimport numpy as np\n\n"


class Recorded:
    """An environment that replays the batch; `vector` has all rows in one step."""

    def __init__(self, vector: bool = False) -> None:
        self.vector = vector
        self.place = -1

    def reset(self, **_: Any) -> tuple[int, dict[str, Any]]:
        """Begin an episode: nothing of the batch is in it."""
        return -1, {}

    def step(self, action: Any) -> tuple[Any, ...]:
        """The next row. Its observation is its number."""
        self.place += 1
        if self.vector:
            rows = (np.arange(len(REWARDS)), REWARDS, TERMINATED, TRUNCATED)
            return (*(np.array(row) for row in rows), {})
        row = self.place
        return row, REWARDS[row], TERMINATED[row], TRUNCATED[row], {}


class Library:
    """What the programs import as `gymnasium`."""

    @staticmethod
    def make(name: str) -> Recorded:
        """One environment."""
        return Recorded()

    @staticmethod
    def make_vec(name: str, num_envs: int) -> Recorded:
        """All of them."""
        return Recorded(vector=True)


def computed(text: str) -> list[float]:
    """The targets that a program computes, run on the recorded batch."""
    assert text.startswith(IMPORTS)
    body = text.removeprefix(IMPORTS)
    names = {"gym": Library, "np": np, "value": lambda place: np.array(NEXT_VALUES)[place], "gamma": GAMMA}
    exec(compile(body, "target.py", "exec"), names)
    return [float(target) for target in names["targets"]]  # type: ignore[attr-defined]


def program(text: str) -> str:
    """A program of the cases below, with its import."""
    return IMPORTS + dedent(text).lstrip("\n")
