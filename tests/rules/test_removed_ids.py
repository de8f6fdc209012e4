"""A program whose environment was removed without a successor stays with Gym; one that can make others moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

STEPS = """
s = env.reset()
s, r, done, _ = env.step(env.action_space.sample())
"""


@pytest.mark.parametrize(
    ("making", "stays"),
    [
        ('env = gym.make("Copy-v0")', True),
        ('NAME = "Copy-v0"\nenv = gym.make(NAME)', True),
        ('env = gym.make("Copy-v0" if gym else "Reverse-v0")', True),
        ('def made(name):\n    return gym.make(name)\n\n\nenv = made("Copy-v0")', True),
        # another id may arrive
        ('def made(name="Copy-v0"):\n    return gym.make(name)\n\n\nenv = made()', False),
        ('import sys\n\nenv = gym.make(sys.argv[1] if sys.argv[1:] else "Copy-v0")', False),
        ('import os\n\nenv = gym.make(os.environ.get("GAME", "Copy-v0"))', False),
        ('for name in ["Copy-v0", "CartPole-v1"]:\n    env = gym.make(name)', False),
        ('env = gym.make("Copy-v0" if gym else "CartPole-v1")', False),
        # the program registers it
        ('gym.register(id="Copy-v0", entry_point="gym.envs:Env")\nenv = gym.make("Copy-v0")', False),
        # it has a successor
        ('env = gym.make("LunarLander-v2")', False),
        ('env = gym.make("FetchReach-v1")', False),
    ],
)
def test_nothing_else_can_be_made(making: str, tmp_path: Path, *, stays: bool) -> None:
    text = f"import gym\n\n{making}\n{STEPS}"
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "main.py").write_text(text)
    result = done_lint(tmp_path, "fix")
    assert ((tmp_path / "main.py").read_text() == text) is stays
    assert ("which makes an environment that was removed" in result.stdout) is stays
    assert not (stays and "Programs stop" in result.stderr)


def test_another_program_moves(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    for name, made in (("copying", "Copy-v0"), ("balancing", "CartPole-v1")):
        (tmp_path / f"{name}.py").write_text(f'import gym\n\nenv = gym.make("{made}")\n{STEPS}')
    done_lint(tmp_path, "fix")
    assert "import gym\n" in (tmp_path / "copying.py").read_text()
    assert "import gymnasium as gym\n" in (tmp_path / "balancing.py").read_text()
