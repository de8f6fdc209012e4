"""What a program hands to a library that does otherwise with it on Gymnasium keeps its fixes from being safe."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

PLAY = """import gym
from gym.utils.play import play


def note({}):
    print({})


play(gym.make("MountainCar-v0"), callback=note, fps=30)
"""


@pytest.mark.parametrize(
    ("names", "stays"),
    [
        ("before, after, action, reward, done, info", True),
        ("before, after, action, reward, terminated, truncated, info", False),
        ("*values", False),
    ],
)
def test_a_function_that_play_calls_with_six_values(tmp_path: Path, names: str, stays: bool) -> None:
    text = PLAY.format(names, names.removeprefix("*"))
    (tmp_path / "main.py").write_text(text)
    done_lint(tmp_path, "fix")
    assert ((tmp_path / "main.py").read_text() == text) is stays


SPLIT = """import gym
from gym.utils import seeding
from {package} import {name}


class Rows(gym.Env):
    action_space = observation_space = gym.spaces.Discrete(20)

    def seed(self, seed=None):
        self.np_random, seed = seeding.np_random(seed)
        return [seed]

    def reset(self):
        self.rows = {name}(list(range(20)), random_state=self.np_random)
        return self.rows[0]

    def step(self, action):
        return self.rows[action], 0.0, False, {{}}
"""


@pytest.mark.parametrize(
    ("package", "name", "stays"), [("sklearn.utils", "shuffle", True), ("scipy.stats", "bootstrap", False)]
)
def test_a_random_generator_that_another_package_takes(tmp_path: Path, package: str, name: str, stays: bool) -> None:
    text = SPLIT.format(package=package, name=name)
    (tmp_path / "main.py").write_text(text)
    done_lint(tmp_path, "fix")
    assert ((tmp_path / "main.py").read_text() == text) is stays


STACKED = """import {} as gym
import numpy as np

env = gym.wrappers.FrameStack(gym.make("Pendulum-v1"), 4)
obs, info = env.reset()
print({})
"""


@pytest.mark.parametrize(("read", "stays"), [("obs._force().shape", True), ("np.array(obs).shape", False)])
@pytest.mark.parametrize("library", ["gym", "gymnasium"])
def test_what_only_lazy_frames_have(tmp_path: Path, library: str, read: str, stays: bool) -> None:
    text = STACKED.format(library, read)
    (tmp_path / "main.py").write_text(text)
    done_lint(tmp_path, "fix")
    assert ((tmp_path / "main.py").read_text() == text) is stays


LOOKED_UP = """import gymnasium as gym


def thunk(names):
    env = gym.make("CarRacing-v3")
    for name in names:
        env = getattr(gym.{}, name)(env)
    return gym.wrappers.TransformReward(env, f=abs)
"""


@pytest.mark.parametrize(("module", "stays"), [("wrappers", True), ("spaces", False)])
def test_wrappers_that_are_looked_up_by_names_which_nothing_shows(tmp_path: Path, module: str, stays: bool) -> None:
    text = LOOKED_UP.format(module)
    (tmp_path / "main.py").write_text(text)
    done_lint(tmp_path, "fix")
    assert ((tmp_path / "main.py").read_text() == text) is stays
