"""What stays with Gym because something beside the code names it: entry points, and classes in configuration files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint

ENV = """import gym


class Sand(gym.Env):
    action_space = observation_space = gym.spaces.Discrete(9)

    def reset(self):
        return 0

    def step(self, action):
        return 0, 0.0, True, {}
"""
PLAY = """import gym

env = gym.make("Sand-v0")
obs = env.reset()
obs, reward, done, info = env.step(0)
"""
FILES = {
    "sand/__init__.py": "from gym.envs import register\n\nregister(id='Sand-v0', entry_point='sand.env:Sand')\n",
    "sand/env.py": ENV,
    "play.py": PLAY,
}


def fixes(folder: Path, files: dict[str, str]) -> tuple[set[str], set[str]]:
    """How safe the fixes of a project are, and the reasons why some are not."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    found = json.loads(done_lint(folder, "check", "--no-cache", "--output-format", "json").stdout)
    of_code = [one["fix"] and one["fix"]["applicability"] for one in found if one["filename"].endswith(".py")]
    return {one for one in of_code if one}, {one["unfixed"] for one in found}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("setup.py", "from setuptools import setup\n\nsetup(entry_points={'gym.envs': ['__root__ = sand']})\n"),
        ("setup.cfg", "[metadata]\nname = sand\n[options.entry_points]\ngym.envs =\n    __root__ = sand\n"),
        ("pyproject.toml", "[project]\nname = 'sand'\n[project.entry-points.'gym.envs']\n__root__ = 'sand'\n"),
        ("pyproject.toml", "[tool.poetry]\nname = 'sand'\n[tool.poetry.plugins.\"gym.envs\"]\n__root__ = 'sand'\n"),
    ],
)
def test_entry_points_of_gym_change_first(tmp_path: Path, name: str, text: str) -> None:
    safeties, reasons = fixes(tmp_path, {**FILES, name: text})
    assert safeties == {"unsafe"}
    assert any("names the entry points `gym.envs`" in one for one in reasons)
    safeties, _ = fixes(tmp_path, {name: text.replace("gym.envs", "gymnasium.envs")})
    assert safeties == {"safe"}


def test_another_mention_of_the_module_is_no_entry_point(tmp_path: Path) -> None:
    text = (
        "[project]\nname = 'sand'\n[project.entry-points.console_scripts]\nplay = 'sand.play'\n# gym.envs: see README\n"
    )
    assert fixes(tmp_path, {**FILES, "pyproject.toml": text})[0] == {"safe"}


LOADING = """import json
from pydoc import locate

import gym

env = gym.make("CartPole-v1")
for one in json.load(open("wrappers.json")):
    env = locate(one["class"])(env, **one["given"])
obs = env.reset()
obs, reward, done, info = env.step(0)
"""
OWN = """import gym


class Shift(gym.ObservationWrapper):
    def observation(self, observation):
        return observation + 1
"""


@pytest.mark.parametrize(("wrapper", "safety"), [("gym.wrappers.TimeLimit", "unsafe"), ("own.Scale", "safe")])
def test_a_program_that_imports_what_its_configuration_names(tmp_path: Path, wrapper: str, safety: str) -> None:
    listed = json.dumps([{"class": wrapper, "given": {}}, {"class": "own.Shift", "given": {}}])
    safeties, reasons = fixes(tmp_path, {"main.py": LOADING, "own.py": OWN, "wrappers.json": listed})
    assert safeties == {safety}
    assert any(f"has the program call `{wrapper}`" in one for one in reasons) is (safety == "unsafe")


ASKING = """import importlib
import importlib.metadata
import importlib.util
import sys

import gym

{}
env = gym.make(sys.argv[1] if len(sys.argv) > 1 else "CartPole-v1")
obs = env.reset()
obs, reward, done, info = env.step(0)
"""


@pytest.mark.parametrize(
    ("asked", "safety"),
    [
        ('if importlib.util.find_spec("gym") is None:\n    sys.exit("install Gym")', "unsafe"),
        ('print(importlib.metadata.version("numpy"))', "safe"),
        ("for name in sys.argv[2:]:\n    importlib.import_module(name)", "unsafe"),
        ("for name in sys.argv[2:]:\n    print(importlib.import_module(name).__doc__)", "safe"),
        ('importlib.import_module("json")', "safe"),
    ],
)
def test_a_program_that_asks_for_modules_by_their_names(tmp_path: Path, asked: str, safety: str) -> None:
    assert fixes(tmp_path, {"main.py": ASKING.format(asked)})[0] == {safety}


@pytest.mark.parametrize(
    ("name", "command", "safety"),
    [
        ("run.sh", "python -m spinup.run ppo --env Sand-v0\n", "unsafe"),
        ("scripts/train.sh", "python3 -u -m baselines.run --alg=ppo2 \\\n    --env=Sand-v0\n", "unsafe"),
        ("Dockerfile", "FROM python:3.7\nCMD python -m baselines.run --env sand:Sand-v0\n", "unsafe"),
        ("run.sh", "# python -m spinup.run ppo --env Sand-v0\n", "safe"),
        ("run.sh", "python -m spinup.run ppo --env CartPole-v1\n", "safe"),
        ("run.sh", "python -m play --env Sand-v0\n", "safe"),
    ],
)
def test_a_command_has_a_package_for_gym_run_what_is_registered(
    tmp_path: Path, name: str, command: str, safety: str
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    assert fixes(tmp_path, {**FILES, name: command})[0] == {safety}
