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


SHOWN = """import numpy as np
{}


class Grid(gym.Env):
    def __init__(self, seen, x):
        self.observation_space = gym.spaces.Box({})
        self.action_space = gym.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.observation_space.sample(), {{}}

    def step(self, action):
        return self.observation_space.sample(), 0.0, True, False, {{}}
"""


@pytest.mark.parametrize(
    ("arguments", "stays"),
    [
        ("0, 256, (3,), np.uint8", True),
        ("low=-1, high=255, shape=(3,), dtype='uint8'", True),
        ("0, np.inf, (3,), np.uint8", True),
        ("np.array([0, -129]), np.array([1, 1]), dtype=np.int8", True),
        ("low=-x, high=x, shape=seen.shape, dtype=seen.dtype", True),
        ("0, 255, (3,), np.uint8", False),
        ("-np.inf, np.inf, (3,), np.int64", False),
        ("np.array([0, -128]), np.array([1, 127]), dtype=np.int8", False),
        ("seen.low, seen.high, dtype=seen.dtype", False),
        ("low=-x, high=x, shape=(3,), dtype=np.float32", False),
        ("-1e20, 1e20, (3,)", False),
    ],
)
@pytest.mark.parametrize("names", ["import gym", "from gym import Env, spaces\nimport gym"])
def test_a_box_with_a_bound_that_its_dtype_does_not_hold(
    tmp_path: Path, names: str, arguments: str, stays: bool
) -> None:
    text = SHOWN.format(names, arguments)
    (tmp_path / "main.py").write_text(text)
    done_lint(tmp_path, "fix")
    assert ((tmp_path / "main.py").read_text() == text) is stays
