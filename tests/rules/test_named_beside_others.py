"""Environments by name alone, in a program that also has some of another library."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

AGENT = """class Agent:
    def __init__(self, env):
        self.env = env

    def learn(self, policy, steps):
        obs = self.env.reset()
        for _ in range(steps):
            obs, reward, done, info = self.env.step(policy(obs))
            if done:
                obs = self.env.reset()
"""
ROWS = [6, 8, 10]
OTHERS = "from stable_baselines3.common.vec_env import DummyVecEnv\n"
MAKE = "env = DummyVecEnv([lambda: gym.make('Pendulum-v1')])\n"
MAIN = "import importlib\nimport sys\nimport gymnasium as gym\n"
BY_NAME = "agent = getattr(importlib.import_module('agents.' + sys.argv[1]), 'Agent')(env)\n"


def rows_found(folder: Path, main: str, agent: str = AGENT) -> list[int]:
    agents = folder / "agents"
    agents.mkdir()
    (agents / "__init__.py").touch()
    (agents / "plain.py").write_text(agent)
    (folder / "main.py").write_text(main)
    result = done_lint(folder, "check", "--select", "GYM101,GYM104", "--output-format", "concise")
    found = [line.split(":") for line in result.stdout.splitlines()]
    return [int(rest[0]) for path, *rest in found if path.endswith("plain.py")]


@pytest.mark.parametrize("main", [MAIN + BY_NAME, OTHERS + MAIN, f"{MAIN}env = gym.make('Pendulum-v1')\n{BY_NAME}"])
def test_a_name_is_enough_where_no_other_environment_can_arrive(main: str, tmp_path: Path) -> None:
    assert rows_found(tmp_path, main) == ROWS


def test_a_module_that_is_imported_by_a_text_may_be_given_any_environment(tmp_path: Path) -> None:
    assert rows_found(tmp_path, MAIN + OTHERS + MAKE + BY_NAME) == []


@pytest.mark.parametrize("read", ["reward[0]", "done[0]", "info[0]"])
def test_values_that_are_read_by_a_number_are_of_several_environments(read: str, tmp_path: Path) -> None:
    agent = AGENT.replace("            if done:", f"            print({read})\n            if done:")
    assert rows_found(tmp_path, MAIN, agent) == []


TARGET = """def target(rewards, values, dones, gamma=0.99):
    return rewards + gamma * (1 - dones) * values
"""


@pytest.mark.parametrize(
    ("other", "found"), [("import gymnasium as gym\n", True), ("import jax\n", False), (None, True)]
)
def test_a_target_is_judged_by_name_where_the_project_has_to_do_with_gym(
    other: str | None, found: bool, tmp_path: Path
) -> None:
    (tmp_path / "target.py").write_text(TARGET)
    if other is not None:
        (tmp_path / "main.py").write_text(other)
    result = done_lint(tmp_path, "check", "--select", "GYM201", "--output-format", "concise")
    assert ("GYM201" in result.stdout) is found
