"""Environments of other libraries, and objects that only look like an environment."""

from __future__ import annotations

import pytest
from model_programs import api, facts, meanings, span_of


@pytest.mark.parametrize("source", ["model.get_env()", "model.env", "self.training_env"])
def test_the_environment_of_an_sb3_model_is_a_vec_env(source: str) -> None:
    program = f"""
        from stable_baselines3 import PPO
        def run(self, model):
            world = {source}
            print(world)
    """
    assert api(program, "world") == ("" if source == "model.env" else "SB3 VecEnv")


def test_get_env_of_an_sb3_model_is_a_vec_env_whatever_it_was_given() -> None:
    program = """
        import gymnasium as gym
        from stable_baselines3 import PPO
        model = PPO("MlpPolicy", gym.make("A-v0"))
        env = model.get_env()
        obs, rewards, dones, infos = env.step([0])
        print(dones)
    """
    assert api(program) == "SB3 VecEnv"
    assert meanings(program, "dones") == {"done"}


def test_an_sb3_vec_env_returns_done_and_writes_its_time_limit_key() -> None:
    program = """
        from stable_baselines3.common.env_util import make_vec_env
        env = make_vec_env("CartPole-v1", 4)
        obs, rewards, dones, infos = env.step([0])
        for d, i in zip(dones, infos):
            print(d and not i.get("TimeLimit.truncated", False))
    """
    assert meanings(program, 'd and not i.get("TimeLimit.truncated", False)') == {"terminated"}


@pytest.mark.parametrize(
    ("imports", "made"),
    [
        ("from legged_gym.utils import task_registry", "task_registry.make_env('a1')[0]"),
        ("import gymnax", "gymnax.make('CartPole-v1')[0]"),
        ("import jaxmarl", "jaxmarl.make('MPE_simple')"),
        ("from pettingzoo.butterfly import pistonball_v6", "pistonball_v6.parallel_env()"),
        ("import gym3", "gym3.vectorize_gym(4)"),
    ],
)
def test_five_values_of_a_look_alike_have_no_truncation_in_the_fourth(imports: str, made: str) -> None:
    program = f"{imports}\nenv = {made}\na, b, c, d, e = env.step(0)\nprint(d)\n"
    assert "truncated" not in meanings(program, "d")


def test_an_environment_of_two_apis_is_not_judged() -> None:
    program = """
        import gymnasium as gym
        from stable_baselines3.common.vec_env import DummyVecEnv
        def run(env):
            print(env)  # here
        run(gym.make("A-v0"))
        run(DummyVecEnv([]))
    """
    assert api(program) == ""


def test_an_environment_of_a_kept_gym_agrees_with_none() -> None:
    program = """
        import gym
        import gymnasium
        def run(env):
            print(env)  # here
        run(gym.make("A-v0"))
        run(gymnasium.make("A-v0"))
    """
    assert api(program) == ""


def test_what_answers_in_two_ways_is_marked_as_mixed() -> None:
    program = """
        import gymnasium as gym
        from nes_py.wrappers import JoypadSpace
        import gym_super_mario_bros
        def run(env):
            print(env)  # here
        run(gym.make("A-v0"))
        run(gym_super_mario_bros.make("SuperMarioBros-v0"))
    """
    env = facts(program).envs[span_of(program, "env")]
    assert env.mixed


def test_a_non_environment_step_is_no_step() -> None:
    program = """
        import gymnasium as gym
        import torch
        optimizer = torch.optim.Adam([])
        result = optimizer.step()
        print(result)
    """
    assert not facts(program).steps
