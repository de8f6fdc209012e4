"""An import of Gym that nothing needs stays where all that uses environments stays, and moves with what moves."""

from __future__ import annotations

from pathlib import Path

import pytest
from fixing import fix

#: Who gives it an environment is not seen.
STAYS = """
import gym


class Agent:
    def __init__(self, env):
        self.env = env

    def rollout(self):
        self.env.reset()
        observation, reward, done, info = self.env.step(0)
"""
MOVES = 'import gym\n\ngym.make("CartPole-v1").reset()\n'


@pytest.mark.parametrize(
    ("files", "changed"),
    [
        ({"agent.py": STAYS, "idle.py": "import gym\n"}, set()),
        ({"agent.py": STAYS, "idle.py": "from gym import spaces\n\nSPACE = spaces.Discrete(2)\n"}, set()),
        ({"agent.py": STAYS, "idle.py": "import gym\n", "main.py": MOVES}, {"idle.py", "main.py"}),
        ({"idle.py": "import gym\n"}, {"idle.py"}),
        # the other one has moved already
        ({"agent.py": STAYS.replace("gym", "gymnasium as gym"), "idle.py": "import gym\n"}, {"idle.py"}),
    ],
)
def test_it_is_of_no_use_alone(tmp_path: Path, files: dict[str, str], changed: set[str]) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert fix(tmp_path).changed.keys() == changed
