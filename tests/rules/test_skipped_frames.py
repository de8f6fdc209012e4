"""A program that tells Gym's preprocessing of games by an id that no frames are skipped stays with Gym."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

PROGRAM = """import gym
from gym.wrappers import AtariPreprocessing


def make(game):
    env = gym.make(game + "-v4"{arguments})
    env.spec.id = game + "{said}"
    env = AtariPreprocessing(env, frame_skip=4)
    state = env.reset()
    return env, state
"""


@pytest.mark.parametrize(
    ("arguments", "said", "stays"),
    [("", "NoFrameskip", True), (", frameskip=1", "NoFrameskip", False), ("", "Logged", False)],
)
def test_the_wrapper_asks_the_game_today(arguments: str, said: str, tmp_path: Path, *, stays: bool) -> None:
    text = PROGRAM.format(arguments=arguments, said=said)
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "main.py").write_text(text)
    result = done_lint(tmp_path, "fix")
    assert ((tmp_path / "main.py").read_text() == text) is stays
    assert ("GYM406" in result.stdout) is stays
