"""Packages re-export names: what an `__init__` imports is found through it, and keeps its name when others change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint


def test_an_init_re_exports_the_old_name(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    package = tmp_path / "wrapping"
    package.mkdir()
    (package / "__init__.py").write_text("from gym.wrappers import ClipAction, FrameStack\n")
    user = "from wrapping import FrameStack\n\n\ndef stacked(env):\n    return FrameStack(env, 4)\n"
    (tmp_path / "main.py").write_text(user)
    done_lint(tmp_path, "fix")
    moved = "from gymnasium.wrappers import ClipAction, FrameStackObservation as FrameStack\n"
    assert (package / "__init__.py").read_text() == moved
    assert (tmp_path / "main.py").read_text() == user


def test_a_package_between_two_files_is_surveyed_though_it_has_no_finding(tmp_path: Path) -> None:
    """`game.memory` is no part of `game/agent/game.py`; and a script connects both without a step of its own."""
    files = {
        "pyproject.toml": "",
        "main.py": "from game.agent import Agent\nfrom game.envs import make_env\n\nAgent(make_env()).run()\n",
        "game/__init__.py": "",
        "game/envs.py": 'import gymnasium as gym\n\n\ndef make_env():\n    return gym.make("CartPole-v1")\n',
        "game/memory/__init__.py": "from .rows import Rows\n",
        "game/memory/rows.py": """
class Rows:
    def __init__(self):
        self.rows = []

    def append(self, reward, done):
        self.rows.append((reward, done))

    def sample(self):
        return zip(*self.rows)
""",
        "game/agent/__init__.py": "from .game import Agent\n",
        "game/agent/game.py": """
from .base import Base


class Agent(Base):
    def target(self, rewards, dones):
        return rewards + self.gamma * (1 - dones) * self.value()
""",
        "game/agent/base.py": """
from game.memory import Rows


class Base:
    def __init__(self, env):
        self.env = env
        self.memory = Rows()

    def run(self):
        self.env.reset()
        _, reward, terminated, truncated, _ = self.env.step(0)
        self.memory.append(reward, terminated or truncated)
        self.target(*self.memory.sample())
""",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = done_lint(tmp_path, "check", "--output-format", "concise").stdout
    places = {(path, message.split()[0]) for path, _, _, message in (row.split(":", 3) for row in found.splitlines())}
    assert places == {("game/agent/base.py", "GYM203"), ("game/agent/game.py", "GYM201")}


@pytest.mark.parametrize(
    ("files", "path", "safety"),
    [
        # the package is the project itself, which moves
        ({"dmc2gym/__init__.py": ""}, "dmc2gym/make.py", "safe"),
        ({"dmc2gym/__init__.py": ""}, "tests/test_make.py", "safe"),
        # a module that adapts it has its name
        (
            {"agents/__init__.py": "", "agents/dmc2gym.py": "", "main.py": "import gymnasium\nimport agents.make\n"},
            "agents/make.py",
            "unsafe",
        ),
        ({}, "make.py", "unsafe"),
    ],
)
def test_a_package_made_for_gym_keeps_no_file_of_its_own_project(
    tmp_path: Path, files: dict[str, str], path: str, safety: str
) -> None:
    importer = "import dmc2gym\nimport gym\n\nbox = gym.spaces.Discrete(2)\n"
    for name, text in {"pyproject.toml": "", **files, path: importer}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (found,) = json.loads(done_lint(tmp_path, "check", "--output-format", "json").stdout)
    assert (found["code"], found["fix"]["applicability"]) == ("GYM401", safety)


@pytest.mark.parametrize(("package", "found"), [("dmc2gym", 0), ("gymnasium", 2)])
def test_only_make_of_the_library_takes_a_render_mode(tmp_path: Path, package: str, found: int) -> None:
    files = {
        "pyproject.toml": "",
        "main.py": f"""
import {package}
from adapter import Adapter

env = Adapter({package}.make("CartPole-v1"))
env.reset()
frame = env.frame()
""",
        "adapter.py": """
class Adapter:
    def __init__(self, env):
        self._env = env

    def reset(self):
        return self._env.reset()

    def frame(self):
        return self._env.render(mode="rgb_array")
""",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    result = done_lint(tmp_path, "check", "--select", "GYM105", "--output-format", "json")
    assert len(json.loads(result.stdout)) == found
