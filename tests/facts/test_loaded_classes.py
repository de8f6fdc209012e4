"""A class that a program loads by its name may stand around what a file steps, though no import leads to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

WRAPPER = """import gym


class Logged(gym.Wrapper):
    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        print(reward)
        return obs, reward, done, info
"""
PROVIDER = """import importlib

import container

NAMES = {{"wrappers": "Logged"}}


def _wrapper(name):
    module = {module}
    return getattr(module, NAMES[name])


def create_env(config):
    env = container.create_env(config)
    for name in config["wrappers"]:
        wrapper = _wrapper(name)
        env = wrapper(env)
    return env
"""
MAIN = """from lab.provider import create_env

env = create_env({{}})
env.reset()
for _ in range(10):
    {values} = env.step(env.action_space.sample())
"""
LOADED = 'importlib.import_module("lab." + name)'


@pytest.mark.parametrize(
    ("module", "values", "fixed"),
    [
        (LOADED, "observation, reward, done, info", False),
        ("container.load(name)", "observation, reward, done, info", True),
        (LOADED, "observation, reward, terminated, truncated, info", True),
    ],
)
def test_a_wrapper_that_is_loaded_waits_for_who_steps(tmp_path: Path, module: str, values: str, fixed: bool) -> None:
    """It gives five values only where those who unpack four of what it may wrap are seen to change."""
    (tmp_path / "lab").mkdir()
    for name, text in {
        "__init__": "",
        "wrappers": WRAPPER,
        "provider": PROVIDER.format(module=module),
        "main": MAIN.format(values=values),
    }.items():
        (tmp_path / "lab" / f"{name}.py").write_text(text)
    result = done_lint(tmp_path, "fix", "--diff")
    assert ("terminated, truncated, info = self.env.step" in result.stdout) == fixed
    assert ("lab/main.py:6" in result.stdout + result.stderr) != fixed
