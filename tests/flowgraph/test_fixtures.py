"""Parameters of tests, which pytest fills with fixtures."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from done_lint.cli import main

TESTS = """
import gym
import pytest


@pytest.fixture
def pole():
    return gym.make("CartPole-v1")


def test_pole(pole):
    obs = pole.reset()


def test_another(env):
    obs, reward, done, info = env.step(1)
    print(obs, done)
"""


LAMP = """
import gymnasium as gym


class Lamp(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0, {}

    def step(self, action):
        return 0, 0.0, True, False, {}

    def render(self, mode="human"):
        print("lamp")
"""
METHOD = """
import pytest

from lamp import Lamp


class TestLamp:
    @pytest.fixture
    def made(self):
        return Lamp()

    @pytest.fixture(name="lamp")
    def prepared(self, made):
        made.reset()
        yield made

    def test_render(self, lamp):
        lamp.render(mode="human")


def test_size(lamp):
    lamp.render(mode="other")
"""


def test_the_fixtures_of_a_class_are_those_of_its_own_tests(tmp_path: Path) -> None:
    (tmp_path / "lamp.py").write_text(LAMP)
    (tmp_path / "test_lamp.py").write_text(METHOD)
    result = CliRunner().invoke(main, ["check", "--no-cache", "--output-format", "json", str(tmp_path)])
    (found,) = json.loads(result.stdout)
    assert found["code"] == "GYM305"
    assert found["unfixed"].endswith("test_lamp.py:18 calls it with a mode")


def test_a_parameter_that_no_fixture_provides_is_of_no_package(tmp_path: Path) -> None:
    """There is no `conftest.py`: a plugin has the fixture, and nothing is known of what it gives."""
    (tmp_path / "test_pole.py").write_text(TESTS)
    result = CliRunner().invoke(main, ["check", "--no-cache", "--output-format", "json", str(tmp_path)])
    found = json.loads(result.stdout)
    assert {one["code"] for one in found} == {"GYM101", "GYM104", "GYM401"}
    assert not any("conftest" in one["unfixed"] for one in found)
