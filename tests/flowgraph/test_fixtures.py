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


MAKERS = """
import gym
import pytest


@pytest.fixture
def pole():
    env = gym.make("CartPole-v1")
    yield env
    env.close()


@pytest.fixture(params=["MountainCar-v0", "Acrobot-v1"])
def each(request):
    return gym.make(request.param)


@pytest.fixture
def both(pole, each):
    return pole, each


def plain():
    return gym.make("CartPole-v1")
"""
USES = """
def test_pole(pole):
    print(pole.reset().shape)


def test_each(each):
    print(each.reset().shape)


def test_both(both):
    for env in both:
        state = env.reset()
        print(state.shape)


def test_plain(plain):
    print(plain.reset().shape)
"""
FOUND = [("GYM104", 3), ("GYM104", 7), ("GYM104", 12)]


def _uses(folder: Path, files: dict[str, str], used: str) -> list[tuple[str, int]]:
    """What is found in a file that uses fixtures, and said to be certain."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    result = CliRunner().invoke(main, ["check", "--no-cache", "--output-format", "json", str(folder)])
    found = [one for one in json.loads(result.stdout) if one["filename"].endswith(used)]
    return [(one["code"], one["location"]["row"]) for one in found if (one["fix"] or {}).get("applicability") == "safe"]


def test_fixtures_that_a_test_imports(tmp_path: Path) -> None:
    """A function that is no fixture has nothing to do with the parameter of its name."""
    star = {"tests/__init__.py": "", "tests/makers.py": MAKERS, "tests/test_a.py": f"from .makers import *\n{USES}"}
    rows = [(code, row + 1) for code, row in FOUND]
    assert _uses(tmp_path / "star", star, "test_a.py") == rows
    names = "from tests.makers import both, each, plain, pole"
    named = {"tests/__init__.py": "", "tests/makers.py": MAKERS, "tests/test_a.py": f"{names}\n{USES}"}
    assert _uses(tmp_path / "named", named, "test_a.py") == rows


def test_fixtures_of_the_folders_above(tmp_path: Path) -> None:
    near = "import pytest\n\n\n@pytest.fixture\ndef other():\n    return 1\n"
    above = {"tests/conftest.py": MAKERS, "tests/deep/conftest.py": near, "tests/deep/test_a.py": USES}
    assert _uses(tmp_path / "above", above, "test_a.py") == FOUND
    handed_on = {"conftest.py": "from tests.makers import *\n", "tests/makers.py": MAKERS, "tests/test_a.py": USES}
    assert _uses(tmp_path / "handed_on", handed_on, "test_a.py") == FOUND
    plugin = {"conftest.py": 'pytest_plugins = ["makers"]\n', "makers.py": MAKERS, "tests/test_a.py": USES}
    assert _uses(tmp_path / "plugin", plugin, "test_a.py") == FOUND


def test_the_nearest_fixture_wins(tmp_path: Path) -> None:
    new = "import pytest\n\n\nclass Pole:\n    def reset(self):\n        return 1\n\n\n"
    new += "".join(f"@pytest.fixture\ndef {name}():\n    return Pole()\n\n\n" for name in ("pole", "each"))
    new += "@pytest.fixture\ndef both(pole):\n    return [pole]\n"
    files = {"tests/conftest.py": MAKERS, "tests/deep/conftest.py": new, "tests/deep/test_a.py": USES}
    assert _uses(tmp_path, files, "test_a.py") == []


FACTORY = """
import gym
import pytest


@pytest.fixture(scope="module")
def make_pole():
    def make():
        return gym.make("CartPole-v1")

    yield make


@pytest.fixture
async def pole(make_pole):
    return make_pole()
"""
ASKS = """
def test_made(make_pole):
    pole = make_pole()
    print(pole.reset().shape)


def test_asked(request):
    pole = request.getfixturevalue("pole")
    print(pole.reset().shape)
"""
INHERITED = """
import gym
import pytest


class Poles:
    @pytest.fixture
    def pole(self):
        return gym.make("CartPole-v1")

    @pytest.fixture
    def other(self):
        return gym.make("CartPole-v1")


class TestPole(Poles):
    @pytest.fixture
    def other(self):
        return []

    def test_pole(self, pole):
        print(pole.reset().shape)

    def test_other(self, other):
        print(other.reset().shape)
"""


def test_fixtures_that_are_asked_for_in_other_ways(tmp_path: Path) -> None:
    """The test holds no word of an environment but its reset."""
    asked = {"tests/conftest.py": FACTORY, "tests/test_a.py": ASKS}
    assert _uses(tmp_path / "asked", asked, "test_a.py") == [("GYM104", 4), ("GYM104", 9)]
    inherited = {"test_a.py": INHERITED}
    assert _uses(tmp_path / "inherited", inherited, "test_a.py") == [("GYM401", 2), ("GYM104", 22)]
