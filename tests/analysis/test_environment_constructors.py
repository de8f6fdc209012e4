"""Which API an object has, by the constructor and its import."""

from __future__ import annotations

import pytest
from model_programs import api, facts, span_of


@pytest.mark.parametrize(
    ("imports", "made", "spoken"),
    [
        ("import gymnasium as gym", 'gym.make("CartPole-v1")', "Gymnasium"),
        ("import gymnasium", 'gymnasium.make("CartPole-v1")', "Gymnasium"),
        ("from gymnasium import make", 'make("CartPole-v1")', "Gymnasium"),
        ("from gymnasium import make as new", 'new("CartPole-v1")', "Gymnasium"),
        ("import gym", 'gym.make("CartPole-v1")', "Gym"),
        ("import gym.envs", 'gym.make("CartPole-v1")', "Gym"),
        ("import gymnasium as gym", 'gym.make_vec("CartPole-v1", 4)', "Gymnasium vector"),
        ("import gymnasium as gym", 'gym.vector.make("CartPole-v1")', "Gymnasium vector"),
        ("import gymnasium as gym", "gym.vector.SyncVectorEnv([])", "Gymnasium vector"),
        ("from gymnasium.vector import AsyncVectorEnv as Envs", "Envs([])", "Gymnasium vector"),
        ("import gymnasium as gym", 'gym.make("procgen:procgen-coinrun-v0")', "Procgen"),
        ("import gym", 'gym.make("HalfCheetahBulletEnv-v0")', "PyBullet Gym"),
        ("from stable_baselines3.common.vec_env import DummyVecEnv", "DummyVecEnv([])", "SB3 VecEnv"),
        ("from stable_baselines3.common.env_util import make_vec_env", 'make_vec_env("A-v0")', "SB3 VecEnv"),
        ("from pettingzoo.butterfly import pistonball_v6", "pistonball_v6.env()", "PettingZoo AEC"),
        ("from pettingzoo.butterfly import pistonball_v6", "pistonball_v6.parallel_env()", "PettingZoo parallel"),
        ("from dm_control import suite", 'suite.load("cartpole", "swingup")', "dm_env"),
        ("import gymnax", 'gymnax.make("CartPole-v1")', "gymnax"),
        ("from brax import envs", 'envs.create("ant")', "Brax"),
        ("import retro", 'retro.make("Airstriker")', "Gym Retro"),
        ("from tianshou.env import DummyVectorEnv", "DummyVectorEnv([])", "Tianshou vector"),
        ("import envpool", 'envpool.make("Pong-v5", env_type="gym")', "EnvPool for Gym"),
        ("import envpool", 'envpool.make("Pong-v5", env_type="gymnasium")', "EnvPool"),
        ("import envpool", 'envpool.make("Pong-v5", "gymnasium", num_envs=4)', "EnvPool"),
        ("import envpool", 'envpool.make(*task, "gymnasium")', "API chosen by an argument"),
        ("import envpool", "envpool.make(task, env_type=kind)", "API chosen by an argument"),
        ("import supersuit", 'supersuit.concat_vec_envs_v1(env, 8, base_class="stable_baselines3")', "SB3 VecEnv"),
        ("import supersuit", "supersuit.concat_vec_envs_v1(env, 8)", "API chosen by an argument"),
    ],
)
def test_a_constructor_decides(imports: str, made: str, spoken: str) -> None:
    assert api(f"{imports}\nenv = {made}\nprint(env)\n") == spoken


def test_a_constructor_imported_in_a_function_decides() -> None:
    program = """
        def run():
            import gymnasium as gym
            env = gym.make("CartPole-v1")
            return env
    """
    assert api(program) == "Gymnasium"


def test_a_library_wrapper_keeps_what_a_class_of_the_project_is() -> None:
    program = """
        from pettingzoo.butterfly import pistonball_v6
        from pettingzoo.utils.wrappers import BaseParallelWrapper
        from supersuit import color_reduction_v0

        class Tasks(BaseParallelWrapper):
            def step(self, actions):
                obs, rewards, terminations, truncations, infos = self.env.step(actions)
                return obs, rewards, terminations, truncations, infos

        env = color_reduction_v0(Tasks(pistonball_v6.parallel_env()))
        env.step({})
    """
    assert api(program) == "PettingZoo parallel"


@pytest.mark.parametrize(
    ("inside", "spoken"),
    [("made_elsewhere", ""), ("Board()", "PettingZoo AEC"), ("gym.make('A-v0')", "Gymnasium"), ("Duck()", "")],
)
@pytest.mark.parametrize("wrapper", ["supersuit.dtype_v0", "pettingzoo.utils.OrderEnforcingWrapper"])
def test_a_wrapper_for_several_apis_tells_nothing_of_what_is_inside(wrapper: str, inside: str, spoken: str) -> None:
    program = f"""
        import gymnasium as gym
        import pettingzoo.utils
        import supersuit

        class Board(pettingzoo.AECEnv):
            def step(self, action):
                self.turn = action

        class Duck:
            def step(self, action):
                self.turn = action

        def run(made_elsewhere):
            env = {wrapper}({inside})
            print(env)
    """
    assert api(program) == spoken


def test_an_import_that_may_fail_decides_by_what_both_ways_share() -> None:
    program = """
        try:
            import gymnasium as gym
        except ImportError:
            import gym
        env = gym.make("CartPole-v1")
        env.step(0)
    """
    assert api(program) in ("Gymnasium", "Gym")


@pytest.mark.parametrize(
    "program",
    [
        "import my_gym as gym\nenv = gym.make('A-v0')\nprint(env)",
        "from mylib import gym\nworld = gym.make('A-v0')\nprint(world)",
        "import torch\nenv = torch.optim.Adam([])\nprint(env)",
        "from gymnasium import spaces\nenv = spaces.Discrete(2)\nprint(env)",
    ],
)
def test_what_is_no_environment_has_no_proven_api(program: str) -> None:
    found = facts(program).envs.values()
    assert not [env for env in found if env.certainty == "proven"]


def test_a_file_of_the_project_called_like_a_library_hides_it() -> None:
    files = {
        "gym.py": "class Simulator:\n    pass\ndef make(name):\n    return Simulator()\n",
        "main.py": "import gym\nworld = gym.make('A-v0')\nprint(world)\n",
    }
    assert api(files, "world") == ""


def test_the_evidence_names_the_place_of_the_constructor() -> None:
    program = "import gymnasium as gym\nenv = gym.make('CartPole-v1')\nprint(env)\n"
    env = facts(program).envs[span_of(program, "env")]
    assert env.certainty == "proven"
    assert env.evidence[0].span.row == 2


@pytest.mark.parametrize(
    ("made", "row", "base"), [("First()", 4, "Env"), ("Second()", 5, "Env"), ("Third()", 6, "Second")]
)
def test_the_evidence_for_a_subclass_is_the_base_that_it_inherits_by(made: str, row: int, base: str) -> None:
    program = f"""\
from gymnasium import Env

class Named: ...
class First(Env): ...
class Second(Named, Env): ...
class Third(Named, Second): ...
result = {made}.step(0)
print(result)
"""
    (place,) = facts(program).steps[span_of(program, "result")].env.evidence
    assert (place.path, place.message) == ("main.py", "a subclass of `gymnasium.Env`")
    assert place.span.row == row
    assert program.splitlines()[row - 1][place.span.column : place.span.end_column] == base


def test_inside_a_vector_environment_are_single_ones() -> None:
    program = """
        import gymnasium as gym
        envs = gym.make_vec("A-v0", num_envs=4)
        for env in envs.envs:
            print(env)  # here
    """
    assert api(program) == "Gymnasium"
