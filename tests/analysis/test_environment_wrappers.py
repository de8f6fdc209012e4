"""Which API a wrapper or an environment of the project has."""

from __future__ import annotations

import pytest
from model_programs import api, facts, meanings, span_of


@pytest.mark.parametrize(
    ("wrap", "spoken"),
    [
        ("gym.wrappers.TimeLimit(gym.make('A-v0'), 200)", "Gymnasium"),
        ("gym.wrappers.RecordEpisodeStatistics(gym.vector.SyncVectorEnv([]))", "Gymnasium vector"),
        ("gym.wrappers.vector.NormalizeReward(gym.make_vec('A-v0', 2))", "Gymnasium vector"),
        ("gym.wrappers.ClipAction(gym.wrappers.FlattenObservation(gym.make('A-v0')))", "Gymnasium"),
        ("Monitor(gym.make('A-v0'))", "Gymnasium"),
        ("VecNormalize(DummyVecEnv([lambda: gym.make('A-v0')]))", "SB3 VecEnv"),
        ("DummyVecEnv([lambda: Monitor(gym.make('A-v0'))])", "SB3 VecEnv"),
    ],
)
def test_a_wrapper_answers_as_what_it_wraps(wrap: str, spoken: str) -> None:
    imports = (
        "import gymnasium as gym\n"
        "from stable_baselines3.common.monitor import Monitor\n"
        "from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize\n"
    )
    assert api(f"{imports}env = {wrap}\nprint(env)\n") == spoken


def test_a_wrapper_of_the_project_answers_as_its_base() -> None:
    program = """
        import gymnasium as gym
        class Scaled(gym.RewardWrapper):
            def reward(self, reward):
                return reward / 10
        env = Scaled(gym.make("CartPole-v1"))
        result = env.step(0)
        print(result)
    """
    assert meanings(program.replace("print(result)", "print(result[2])"), "result[2]") == {"terminated"}


def test_a_wrapper_that_gives_four_of_five_values_is_an_adapter() -> None:
    program = """
        import gymnasium as gym
        class Old(gym.Wrapper):
            def step(self, action):
                obs, reward, terminated, truncated, info = self.env.step(action)
                return obs, reward, terminated or truncated, info
        env = Old(gym.make("CartPole-v1"))
        obs, reward, over, info = env.step(0)
        print(over)
    """
    assert meanings(program, "over") == {"done"}
    assert not facts(program).steps.get(span_of(program, "env.step(0)"))


def test_the_wrapped_environment_of_a_wrapper_is_a_gymnasium_environment() -> None:
    program = """
        import gymnasium as gym
        class Logged(gym.Wrapper):
            def step(self, action):
                result = self.env.step(action)
                return result
    """
    assert api(program, "self.env") == "Gymnasium"


def test_super_step_answers_as_the_base_class() -> None:
    program = """
        import gymnasium as gym
        class Logged(gym.Wrapper):
            def step(self, action):
                obs, reward, ended, cut, info = super().step(action)
                print(ended, cut)
                return obs, reward, ended, cut, info
    """
    assert meanings(program, "ended") == {"terminated"}
    assert meanings(program, "cut") == {"truncated"}


def test_an_environment_of_the_project_answers_as_its_own_step() -> None:
    program = """
        import gymnasium as gym
        class Maze(gym.Env):
            def step(self, action):
                return self.state, 0.0, self.at_goal(), self.late(), {}
        env = Maze()
        obs, reward, t, u, info = env.step(0)
        print(t, u)
    """
    assert meanings(program, "t") == {"terminated"}
    assert meanings(program, "u") == {"truncated"}


WRAPPER = """
import gymnasium as gym
from gym3 import ToGymEnv
class Statistics(gym.Wrapper):
    {constructor}
    def step(self, action):
        return super().step(action)
Statistics({inside})
"""


@pytest.mark.parametrize("constructor", ["", "def __init__(self, env: gym.Env): super().__init__(env)"])
@pytest.mark.parametrize(
    ("inside", "spoken"), [("ToGymEnv(pool)", "Procgen"), ('gym.make("A-v0")', "Gymnasium"), ("env", "Gymnasium")]
)
def test_super_means_what_is_inside(constructor: str, inside: str, spoken: str) -> None:
    program = WRAPPER.format(constructor=constructor, inside=inside)
    assert facts(program).steps[span_of(program, "super().step(action)")].env.api.name == spoken


def test_an_annotation_says_less_than_what_arrives() -> None:
    program = """
        import gymnasium as gym
        class Own:
            def step(self, action):
                return 0, 0.0, True, {}
            def reset(self):
                return 0
        def run(env: gym.Env):
            env.reset()
            print(env.step(0))
        run(Own())
    """
    assert span_of(program, "env.step(0)") not in facts(program).steps


def test_an_annotation_with_a_class_of_an_unknown_package_says_that_nothing_is_known() -> None:
    program = """
        import gymnasium as gym
        from grid_worlds import MultiGridEnv
        def run(env: MultiGridEnv):
            print(env.step(0))
        run(gym.make("MultiGrid-v0"))
    """
    assert not facts(program).steps[span_of(program, "env.step(0)")].env.api.five


@pytest.mark.parametrize(
    ("environment", "spoken"), [("GymV21Environment-v0", "Gym before 0.26"), ("Cart-v0", "Gym")], ids=["adapter", "own"]
)
def test_what_is_handed_to_make_is_for_old_gym_only_with_the_id_of_an_adapter(environment: str, spoken: str) -> None:
    program = f"""
        import gym
        old = gym.make("Slimes-v0")
        gym.make("{environment}", env=old)
    """
    assert api(program, "old") == spoken


def test_any_wrapper_inside_any_other_costs_no_more_than_each_of_them() -> None:
    # all ways from one of them to another, one after the other, would take for ever
    wrappers = "".join(
        f"class W{n}(gym.Wrapper):\n    def reset(self, **kwargs):\n        return self.env.reset(**kwargs)\n"
        for n in range(40)
    )
    program = (
        f"import gymnasium as gym\n{wrappers}def make(*wrappers):\n    env = gym.make('CartPole-v1')\n"
        "    for wrapper in wrappers:\n        env = wrapper(env)\n    return env\n"
        f"env = make({', '.join(f'W{n}' for n in range(40))})\nresult = env.step(0)\nprint(result[2])\n"
    )
    assert meanings(program, "result[2]") == {"terminated"}
