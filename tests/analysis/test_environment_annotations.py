"""Which API an object has, by annotations and by tests of its class."""

from __future__ import annotations

import pytest
from model_programs import api, facts, span_of


@pytest.mark.parametrize(
    ("imports", "annotation", "spoken"),
    [
        ("import gymnasium as gym", "gym.Env", "Gymnasium"),
        ("import gymnasium as gym", '"gym.Env"', "Gymnasium"),
        ("import gymnasium as gym", "gym.Env | None", "Gymnasium"),
        ("import gymnasium as gym\nfrom typing import Optional", "Optional[gym.Env]", "Gymnasium"),
        ("import gymnasium as gym", "gym.vector.VectorEnv", "Gymnasium vector"),
        ("from gymnasium import Env", "Env", "Gymnasium"),
        ("from stable_baselines3.common.vec_env import VecEnv", "VecEnv", "SB3 VecEnv"),
        ("from dm_env import Environment", "Environment", "dm_env"),
    ],
)
def test_an_annotation_decides(imports: str, annotation: str, spoken: str) -> None:
    assert api(f"{imports}\ndef run(world: {annotation}):\n    print(world)\n", "world") == spoken


def test_an_annotated_parameter_does_not_take_another_api() -> None:
    program = """
        import gymnasium as gym
        from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv
        def run(env: VecEnv):
            print(env)  # here
        run(gym.make("A-v0"))
        run(DummyVecEnv([]))
    """
    assert api(program) == "SB3 VecEnv"


def test_what_a_function_returns_is_stronger_than_its_annotation() -> None:
    program = """
        import gymnasium as gym
        def build(several) -> gym.Env:
            if several:
                return gym.make_vec("A-v0")
            return gym.make("A-v0")
        env = build(True)
        print(env)  # here
    """
    assert api(program, "env") == "Gymnasium vector"


def test_an_annotated_self_attribute_decides() -> None:
    program = """
        import gymnasium as gym
        class Agent:
            world: gym.Env
            def run(self):
                print(self.world)
    """
    assert api(program, "self.world") == "Gymnasium"


def test_what_passed_isinstance_is_of_that_api() -> None:
    program = """
        import gymnasium as gym
        from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv
        def run(env):
            if isinstance(env, VecEnv):
                print(env)  # here
        run(gym.make("A-v0"))
        run(DummyVecEnv([]))
    """
    assert api(program) == "SB3 VecEnv"


def test_what_passed_isinstance_is_of_that_api_though_nothing_arrives() -> None:
    program = """
        import gymnasium as gym
        def run(env: gym.Env | gym.vector.VectorEnv):
            if isinstance(env, gym.vector.VectorEnv):
                print(env)  # here
    """
    assert api(program) == "Gymnasium vector"


def test_one_side_of_a_conditional_expression_passed_isinstance() -> None:
    program = """
        import gymnasium as gym
        from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv
        def run(env):
            found = env if isinstance(env, VecEnv) else None
            print(found)
        run(gym.make("A-v0"))
        run(DummyVecEnv([]))
    """
    assert api(program, "found") == "SB3 VecEnv"


def test_what_a_side_of_a_conditional_expression_binds_stays() -> None:
    program = """
        import gymnasium as gym
        def run(env):
            kind = (made := gym.make("A-v0")) if isinstance(env, gym.Env) else None
            print(made)  # here
        run(gym.make("A-v0"))
    """
    assert api(program, "made") == "Gymnasium"


def test_what_an_assert_of_isinstance_let_through_is_of_that_api() -> None:
    program = """
        import gymnasium as gym
        def run(world):
            assert isinstance(world, gym.Env)
            print(world)
    """
    assert api(program, "world") == "Gymnasium"


def test_a_callable_is_annotated_with_what_it_returns() -> None:
    text = """
from typing import Callable, List
import gymnasium as gym

class Many:
    def __init__(self, makers: List[Callable[[], gym.Env]]):
        self.envs = [make() for make in makers]

    def first(self):
        found = self.envs[0]
        return found.reset()
"""
    assert facts(text).envs[span_of(text, "found")].api.name == "Gymnasium"
