"""Which package a reason names, where several keep a file on Gym: one that is known, and the file's own first."""

from __future__ import annotations

import json
from pathlib import Path

from command import done_lint

PINS = "stable-baselines3==1.5.0\nray\n"
TWO = """import gym
from gym.spaces import Discrete
{}from ray.rllib.env.multi_agent_env import MultiAgentEnv


class Two(MultiAgentEnv):
    observation_space = Discrete(3)

    def step(self, actions):
        return {{0: 1}}, {{0: 1.0}}, {{"__all__": False}}, {{}}
"""
TRAIN = """import gym
{}
env = gym.make("CartPole-v1")
print(env.observation_space, {})
obs = env.reset()
"""


def reasons(folder: Path, files: dict[str, str]) -> dict[str, set[str]]:
    """Why the fixes of each file are unsafe."""
    for name, text in {"pyproject.toml": "", **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    found: dict[str, set[str]] = {}
    for one in json.loads(done_lint(folder, "check", "--no-cache", "--output-format", "json").stdout):
        if one["fix"] and one["fix"]["applicability"] == "unsafe":
            found.setdefault(Path(one["filename"]).name, set()).add(one["unfixed"])
    return found


PINNED = "`stable-baselines3==1.5.0` keeps the program on Gym: it is a release from before Gymnasium"
RLLIB = "`ray` keeps the program on Gym, unless `moved-packages` names it"


def test_a_pin_of_the_file_comes_before_a_class_of_another_file(tmp_path: Path) -> None:
    train = TRAIN.format("from stable_baselines3 import PPO\nfrom two import Two\n", "PPO, Two")
    found = reasons(tmp_path, {"requirements.txt": PINS, "two.py": TWO.format(""), "train.py": train})
    assert found == {"train.py": {PINNED}, "two.py": {RLLIB}}


def test_a_class_of_another_file_is_named_where_there_is_no_pin(tmp_path: Path) -> None:
    train = TRAIN.format("from stable_baselines3 import PPO\nfrom two import Two\n", "PPO, Two")
    found = reasons(tmp_path, {"requirements.txt": "ray\n", "two.py": TWO.format(""), "train.py": train})
    assert found["train.py"] == {RLLIB.replace("`ray`", "`ray` (two.py)")}


def test_what_is_only_handed_an_environment_comes_last(tmp_path: Path) -> None:
    make = "import gym\nfrom stable_baselines3 import PPO\n\nENV = gym.make('CartPole-v1')\n"
    train = "import mazelib\nfrom make import ENV\n\nmazelib.run(ENV)\nobs = ENV.reset()\n"
    found = reasons(tmp_path, {"requirements.txt": PINS, "make.py": make, "train.py": train})
    assert found["train.py"] == {PINNED.replace(" keeps", " (make.py) keeps")}
