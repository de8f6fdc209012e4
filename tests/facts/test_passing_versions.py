"""What a function sees of a name that the module sets twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint

MAKE = 'import gymnasium as gym\n\nenv = gym.make("CartPole-v1")\n'
AGAIN = "env = env.unwrapped\n"
PLAY = """def play():
    obs, info = env.reset()
    while True:
        obs, reward, done, _, info = env.step(0)
        if done:
            break
"""


@pytest.mark.parametrize(
    ("program", "codes"),
    [(MAKE + AGAIN + PLAY + "play()\n", []), (MAKE + PLAY + "play()\n" + AGAIN, ["GYM107"])],
)
def test_a_function_sees_what_is_there_when_it_can_be_called(tmp_path: Path, program: str, codes: list[str]) -> None:
    """No function runs between the two assignments, or one does."""
    (tmp_path / "play.py").write_text(program)
    found = json.loads(done_lint(tmp_path, "check", "--output-format", "json").stdout)
    assert [one["code"] for one in found] == codes
