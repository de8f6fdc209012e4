"""A registry hands every environment to every algorithm; how an algorithm calls it tells which ones are meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

ALGORITHM = """class PPO:
    def __init__(self, env, key):
        self.env = env
        state = self.env.reset({arguments})
        self.shape = state.{read}
        {stepped}
"""
OWN = """from dataclasses import dataclass


@dataclass
class State:
    observation: object


class Ant:
    def reset(self, key, training=True):
        return {result}

    def step(self, state, action=0):
        return {result}


def create():
    return Ant()
"""
GYM = """import gymnasium as gym


def create():
    return gym.make("CartPole-v1")
"""
RUN = """import gym_env
import own_env
from ppo import PPO

CREATE = {"gym": gym_env.create, "own": own_env.create}


def run(name, key):
    return PPO(CREATE[name](), key)
"""


def codes(folder: Path, result: str, arguments: str, read: str, stepped: str, gym: str = GYM) -> set[str]:
    (folder / "ppo.py").write_text(ALGORITHM.format(arguments=arguments, read=read, stepped=stepped))
    (folder / "own_env.py").write_text(OWN.format(result=result))
    (folder / "gym_env.py").write_text(gym)
    (folder / "run.py").write_text(RUN)
    found = done_lint(folder, "check", "--output-format", "concise").stdout
    return {row.split()[1] for row in found.splitlines() if row.startswith("ppo.py")}


@pytest.mark.parametrize(
    ("result", "arguments", "read", "stepped"),
    [
        ("make(key)", "key, False", "shape", ""),
        ("State(0)", "", "observation", ""),
        ("make(key)", "", "shape", "state = self.env.step(state, 0)"),
    ],
    ids=["two arguments", "fields of the result", "a step with two arguments"],
)
def test_what_only_the_other_class_understands_is_for_it(
    tmp_path: Path, result: str, arguments: str, read: str, stepped: str
) -> None:
    assert codes(tmp_path, result, arguments, read, stepped) == set()


def test_what_both_understand_is_for_both(tmp_path: Path) -> None:
    assert codes(tmp_path, "make(key)", "", "shape", "") == {"GYM104"}


def test_a_wrapper_of_the_project_around_the_librarys_environment_is_handed_over_as_well(tmp_path: Path) -> None:
    (tmp_path / "wrapped.py").write_text("import gymnasium as gym\n\n\nclass Named(gym.Wrapper):\n    name = 1\n")
    text = GYM.replace("import gymnasium", "from wrapped import Named\nimport gymnasium").replace(
        "return ", "return Named("
    )
    assert codes(tmp_path, "make(key)", "key, False", "shape", "", text.rstrip() + ")\n") == set()


def test_two_arguments_that_no_class_takes_are_no_evidence(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(
        "import gymnasium as gym\n\nenv = gym.make('CartPole-v1')\nobs = env.reset(1, 2)\nprint(obs.shape)\n"
    )
    found = done_lint(tmp_path, "check", "--output-format", "concise").stdout
    assert "GYM104" in found
