"""A registry hands every environment to every algorithm; how an algorithm calls it tells which ones are meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint
from model_programs import facts

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


PLATFORM = {
    "agent.py": """from gym_env import GymEnv


class Agent:
    def __init__(self, env: GymEnv):
        self.env = env

    def train(self):
        obs, _ = self.env.reset()
        {targets} = self.env.step(0)
""",
    "own_env.py": """import gym_platform


class Platform:
    def __init__(self, config):
        self.env = gym_platform.make(config)

    def reset(self):
        return self.env.reset()

    def step(self, action):
        return self.env.step(action)
""",
    "gym_env.py": """import gymnasium as gym


class GymEnv(gym.Wrapper):
    def __init__(self, config):
        super().__init__(gym.make(config))

    def reset(self, **kwargs):
        return self.env.reset(**kwargs)

    def step(self, action):
        return self.env.step(action)
""",
}
REGISTRY = """from gym_env import GymEnv
from own_env import Platform

ENVS = {"gym": GymEnv, "platform": Platform}
"""


@pytest.mark.parametrize(
    ("targets", "registry", "expected"),
    [
        ("(obs, length), reward, done, _", REGISTRY, set()),
        ("obs, reward, done, _", REGISTRY, {"GYM101"}),
        ("(obs, length), reward, done, _", "", {"GYM101"}),
    ],
    ids=["a pair first", "no pair", "no registry"],
)
def test_an_annotation_is_weaker_than_the_registry_of_its_class(
    tmp_path: Path, targets: str, registry: str, expected: set[str]
) -> None:
    for name, text in {**PLATFORM, "registry.py": registry}.items():
        (tmp_path / name).write_text(text.replace("{targets}", targets))
    found = done_lint(tmp_path, "check", "--output-format", "concise").stdout
    assert {row.split()[1] for row in found.splitlines() if row.startswith("agent.py")} == expected


def test_what_an_object_asks_may_be_one_of_its_own_kind() -> None:
    """One wrapper stands around environments of the library and around those of the project, which it also hands on."""
    program = """
        import gymnasium as gym

        class Around:
            def __init__(self, world):
                self.world = world
            def __getattr__(self, name):
                return getattr(self.world, name)

        class Counted(Around):
            def reset(self):
                self.count = 0
                return self.world.reset()

        class Core:
            def __init__(self):
                self.sim = gym.make("CartPole-v1")
            def seed(self, seed):
                self.chosen = seed
            def reset(self):
                obs, _ = self.sim.reset(seed=self.chosen)
                return obs

        Counted(gym.make("CartPole-v1"))
        world = Counted(Core())
        world.seed(1)
        obs = world.reset()
        print(obs.shape)
    """
    found = facts(program)
    assert not any(span.row > 24 for span in found.members)
    assert not any(span.row > 24 for span in found.resets)


def test_a_base_of_the_project_with_a_protocol_of_its_own_is_adapted() -> None:
    program = """
        import gymnasium as gym

        class Simulation:
            def reset(self):
                return {"load": self.load}

        class Grid(Simulation, gym.Env):
            def reset(self, *, seed=None, options=None):
                obs = super().reset()
                return self.flat(obs), {}
            def flat(self, obs):
                return obs["load"]
    """
    assert not facts(program).resets


@pytest.mark.parametrize(("last", "reported"), [("np.stack(times)", False), ("np.stack(infos)", True), ("infos", True)])
def test_four_arrays_without_an_info_are_no_step(last: str, reported: bool) -> None:
    program = f"""
        import gymnasium as gym
        import numpy as np

        class Market(gym.Env):
            def step(self, prices):
                costs, orders, times, infos = [], [], [], []
                for user in self.users:
                    costs.append(user.cost(prices))
                    orders.append(user.orders(prices))
                    times.append(user.time)
                    infos.append({{"user": user}})
                return np.stack(costs), np.stack(costs), np.array(orders), {last}

        cost, sales, orders, rest = Market().step(0)
    """
    found = facts(program)
    assert (bool(found.results), bool(found.steps)) == (reported, reported)
