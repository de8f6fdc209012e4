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


def test_a_parameter_that_no_fixture_provides_is_of_no_package(tmp_path: Path) -> None:
    """There is no `conftest.py`: a plugin has the fixture, and nothing is known of what it gives."""
    (tmp_path / "test_pole.py").write_text(TESTS)
    result = CliRunner().invoke(main, ["check", "--no-cache", "--output-format", "json", str(tmp_path)])
    found = json.loads(result.stdout)
    assert {one["code"] for one in found} == {"GYM101", "GYM104", "GYM401"}
    assert not any("conftest" in one["unfixed"] for one in found)
