"""Which API an object speaks, by constructors, base classes, annotations, wrappers and ways through a program."""

from __future__ import annotations

import pytest
from model_programs import api, facts, linked, meanings, span_of

# --- constructors and imports ----------------------------------------------------------------------


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
        ("import envpool", 'envpool.make("Pong-v5", env_type="gym")', "API chosen by an argument"),
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


# --- wrappers --------------------------------------------------------------------------------------


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


# --- ways through a program ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("access", "unlimited"),
    [("env.unwrapped", True), ("env.env", True), ("env", False), ("gym.make('B-v0').env", True)],
)
def test_the_inside_of_an_environment_has_no_time_limit(access: str, unlimited: bool) -> None:
    program = f"import gymnasium as gym\nenv = gym.make('A-v0')\ninner = {access}\nprint(inner)\n"
    env = facts(program).envs[span_of(program, "inner")]
    assert env.api.name == "Gymnasium"
    assert env.unlimited is unlimited


@pytest.mark.parametrize(
    ("setup", "expression"),
    [
        ("with gym.make('A-v0') as env:\n    print(env)", "env"),
        ("env = first = gym.make('A-v0')\nprint(first)", "first"),
        ("env, other = gym.make('A-v0'), gym.make('B-v0')\nprint(other)", "other"),
        ("envs = {'train': gym.make('A-v0')}\nprint(envs['train'])", "envs['train']"),
        ("envs = [gym.make('A-v0') for _ in range(3)]\nfor env in envs:\n    print(env)", "env"),
        ("envs = [gym.make('A-v0') for _ in range(3)]\nprint(envs[0])", "envs[0]"),
        ("make = lambda: gym.make('A-v0')\nenv = make()\nprint(env)", "env"),
        ("def make():\n    return gym.make('A-v0')\nenv = make()\nprint(env)", "env"),
        (
            "def make(i):\n    def new():\n        return gym.make('A-v0')\n    return new\nprint(make(1)())",
            "make(1)()",
        ),
        ("env = gym.make('A-v0') if a else gym.make('B-v0')\nprint(env)", "env"),
        ("def run(env):\n    print(env)  # here\nrun(gym.make('A-v0'))", "env"),
        ("def run(*, env):\n    print(env)  # here\nrun(env=gym.make('A-v0'))", "env"),
        ("def run(seed, env=None):\n    print(env)  # here\nrun(1, gym.make('A-v0'))", "env"),
        ("def run(*args):\n    env = args[0]\n    print(env)\nrun(gym.make('A-v0'))", "env"),
        ("import functools\nnew = functools.partial(gym.make, 'A-v0')\nenv = new()\nprint(env)", "env"),
        ("env = None\ndef init():\n    global env\n    env = gym.make('A-v0')\ndef run():\n    print(env)", "env"),
        ("class A:\n    env = gym.make('A-v0')\n    def f(self):\n        print(self.env)", "self.env"),
        ("class A:\n    def __init__(self):\n        self.env = gym.make('A-v0')\na = A()\nprint(a.env)", "a.env"),
    ],
)
def test_an_environment_is_followed(setup: str, expression: str) -> None:
    program = f"import gymnasium as gym\n{setup}\n"
    assert api(program, expression) == "Gymnasium"
    assert facts(program).envs[span_of(program, expression)].certainty == "proven"


def test_a_self_attribute_is_followed_between_methods() -> None:
    program = """
        import gymnasium as gym
        class Agent:
            def __init__(self, name):
                self.world = gym.make(name)
            def run(self):
                obs, reward, t, u, info = self.world.step(0)
                print(t)
    """
    assert api(program, "self.world") == "Gymnasium"
    assert meanings(program, "t") == {"terminated"}


def test_a_self_attribute_set_in_a_base_class_is_followed() -> None:
    program = """
        import gymnasium as gym
        class Agent:
            def __init__(self):
                self.world = gym.make("CartPole-v1")
        class Learner(Agent):
            def run(self):
                print(self.world)
    """
    assert api(program, "self.world") == "Gymnasium"


def test_a_factory_in_another_file_is_followed() -> None:
    files = {
        "envs/__init__.py": "from .make import build\n",
        "envs/make.py": "import gymnasium as gym\ndef build(name):\n    return gym.make(name)\n",
        "main.py": "from envs import build\nworld = build('A-v0')\nprint(world)\n",
    }
    assert api(files, "world") == "Gymnasium"


def test_a_factory_chosen_from_a_dict_is_followed() -> None:
    program = """
        import gymnasium as gym
        def small():
            return gym.make("A-v0")
        def large():
            return gym.make("B-v0")
        world = {"small": small, "large": large}["small"]()
        print(world)
    """
    assert api(program, "world") == "Gymnasium"


# --- annotations and tests -------------------------------------------------------------------------


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


@pytest.mark.xfail(strict=True, reason="only an `if isinstance` narrows, no `assert`")
def test_what_an_assert_of_isinstance_let_through_is_of_that_api() -> None:
    program = """
        import gymnasium as gym
        def run(world):
            assert isinstance(world, gym.Env)
            print(world)
    """
    assert api(program, "world") == "Gymnasium"


# --- look-alikes -----------------------------------------------------------------------------------


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


def test_an_sb3_vec_env_bears_done_and_writes_its_time_limit_key() -> None:
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
def test_five_values_of_a_look_alike_bear_no_truncation_in_the_fourth(imports: str, made: str) -> None:
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


def test_two_environments_of_one_shape_agree() -> None:
    program = """
        import gym
        import gymnasium
        def run(env):
            print(env)  # here
        run(gym.make("A-v0"))
        run(gymnasium.make("A-v0"))
    """
    assert api(program) in ("Gym", "Gymnasium")


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


# --- by name ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("imports", ["import gymnasium", "import gym", "import numpy", ""])
def test_a_name_is_weak_evidence_where_nothing_else_is_known(imports: str) -> None:
    program = f"{imports}\ndef run(env):\n    result = env.step(0)\n    print(result)\n"
    env = facts(program).envs[span_of(program, "env")]
    assert env.api.name in ("Gym", "Gymnasium")
    assert env.certainty == "by name"
    assert env.evidence[0].message == "called `env`"


@pytest.mark.parametrize(
    ("made", "maker"),
    [
        ("stadium.create_environment('corner')", "stadium"),
        ("stadium.inside.Field()", "stadium"),
        ("copy.deepcopy(given)", ""),
        ("given", ""),
    ],
)
def test_a_package_that_visibly_makes_what_only_a_name_tells_is_named(made: str, maker: str) -> None:
    env = facts(f"import copy\nimport gym\nimport stadium\nenv = {made}\nprint(env.step(0))\n").envs
    (found,) = {(env.certainty, env.maker) for env in env.values()}
    assert found == ("by name", maker)


def test_a_name_is_no_evidence_next_to_a_look_alike() -> None:
    program = "import gymnasium\nimport dm_env\ndef run(env):\n    print(env.step(0))\n"
    assert api(program) == ""


def test_a_plural_is_no_evidence() -> None:
    assert api("import gymnasium\ndef run(envs):\n    print(envs.step(0))\n", "envs") == ""


@pytest.mark.parametrize(("infos", "known"), [("info[0]['return']", False), ("info['return']", True)])
def test_a_name_is_no_evidence_where_the_infos_are_a_list(infos: str, known: bool) -> None:
    program = f"""
        import gym

        def run(env):
            state = env.reset()
            while True:
                state, reward, done, info = env.step(0)
                print({infos})

        def other(env):
            return env.step(0)
    """
    envs = facts(program).envs
    assert {at.row for at in envs} == ({4, 6, 10} if known else {10})


@pytest.mark.parametrize(
    ("answer", "start", "known"),
    [
        ("return observe(action), 0.0, False, {}", "", False),
        ("return Transition(action, 0.0, False, {})", "return observe(0)", False),
        ("return self.inside.step(action)", "return self.inside.reset()", False),
        ("self.optimizer.step()", "self.count = 0", True),
        ("return Transition(action, 0.0, False, {})", "self.count = 0", True),
    ],
)
def test_a_name_is_no_evidence_beside_a_class_that_answers_like_an_environment(
    answer: str, start: str, known: bool
) -> None:
    game = f"""
        class Game:
            def reset(self):
                self.place = 0
                {start}

            def step(self, action):
                {answer}
    """
    play = "import gym\ndef play(env):\n    return env.step(0)\n"
    main = "import game, play\nplay.play(games[name]())\n"
    found = facts({"game.py": game, "play.py": play, "main.py": main}, "play.py")
    assert bool(found.envs) == known


@pytest.mark.parametrize(
    ("path", "package", "known"),
    [("envs/gym.py", "envs/__init__.py", True), ("gym.py", "", False), ("envs/gym.py", "", False)],
)
def test_a_neighbour_in_a_package_is_not_what_the_import_of_a_library_means(
    path: str, package: str, known: bool
) -> None:
    """`envs/gym.py` adapts the library; `gym.py` beside a script stands in its place."""
    beside = path.replace("gym.py", "atari.py")
    program = {beside: "import gym\nenv = gym.make('CartPole-v1')\nprint(env)\n", path: "x = 1\n", package: ""}
    files = {name: text for name, text in program.items() if name}
    assert bool(facts(files, beside).envs) == known


@pytest.mark.parametrize(("package", "known"), [("lab", False), ("elsewhere", True)])
def test_a_name_is_no_evidence_for_what_a_file_of_the_project_makes_that_cannot_be_read(
    package: str, known: bool
) -> None:
    program = f"""
        import gym
        from {package} import unreadable

        env = unreadable.Game()
        print(env.step(0))
    """
    spoken = facts({"lab/agent.py": "", "tests/game.py": program}, "tests/game.py").envs
    assert bool(spoken) == known


def test_a_name_loses_against_a_constructor() -> None:
    program = """
        import gymnasium
        from stable_baselines3.common.vec_env import DummyVecEnv
        env = DummyVecEnv([])
        print(env)
    """
    assert api(program) == "SB3 VecEnv"


# --- what steps and resets return ------------------------------------------------------------------


def test_a_step_result_knows_its_environment_and_its_call() -> None:
    program = "import gymnasium as gym\nenv = gym.make('A-v0')\nresult = env.step(0)\nprint(result)\n"
    step = facts(program).steps[span_of(program, "result")]
    assert step.env.api.name == "Gymnasium"
    assert step.origin.span.row == 3
    assert not step.guarded


def test_a_step_behind_a_test_of_its_length_is_guarded() -> None:
    program = """\
import gymnasium as gym
env = gym.make("A-v0")
result = env.step(0)
if len(result) == 5:
    o, r, t, u, i = result
else:
    o, r, d, i = result  # here
"""
    step = facts(program).steps[span_of(program, "result")]
    assert step.guarded


def test_a_reset_taken_apart_is_handled() -> None:
    program = "import gymnasium as gym\nenv = gym.make('A-v0')\nstart = env.reset()\nobs, info = start\n"
    reset = facts(program).resets[span_of(program, "start")]
    assert reset.handled


def test_a_reset_used_as_the_observation_is_not_handled() -> None:
    program = "import gymnasium as gym\nenv = gym.make('A-v0')\nobs = env.reset()\nact(obs)\n"
    reset = facts(program).resets[span_of(program, "env.reset()")]
    assert not reset.handled
    assert not reset.passed_on


def test_a_returned_reset_is_passed_on() -> None:
    program = "import gymnasium as gym\nenv = gym.make('A-v0')\ndef start():\n    return env.reset()\n"
    reset = facts(program).resets[span_of(program, "env.reset()")]
    assert reset.passed_on


def test_the_info_of_a_step_knows_how_many_values_it_came_with() -> None:
    program = "import gymnasium as gym\nenv = gym.make('A-v0')\no, r, d, info = env.step(0)\nprint(info)\n"
    assert facts(program).infos[span_of(program, "info")].arity == 4


def test_a_file_without_environments_has_no_facts() -> None:
    assert not linked("import json\nprint(json.dumps({}))\n").facts("main.py")


def test_a_file_that_was_not_surveyed_has_no_facts() -> None:
    assert not linked("x = 1\n").facts("elsewhere.py")


# --- layers, makes and members ---------------------------------------------------------------------

MADE = """
import gymnasium as gym
env = gym.make("CartPole-v1", max_episode_steps=9)
"""


@pytest.mark.parametrize(
    ("expression", "layers"),
    [
        ("env", ("TimeLimit", "OrderEnforcing", "PassiveEnvChecker", "")),
        ("env.env", ("OrderEnforcing", "PassiveEnvChecker", "")),
        ("env.env.env.env", ("",)),
        ("env.unwrapped", ("",)),
        ("gym.wrappers.ClipAction(env)", ("ClipAction", "TimeLimit", "OrderEnforcing", "PassiveEnvChecker", "")),
        ("gym.wrappers.ClipAction(env).env", ("TimeLimit", "OrderEnforcing", "PassiveEnvChecker", "")),
    ],
)
def test_the_layers_around_an_environment_are_known(expression: str, layers: tuple[str, ...]) -> None:
    text = f"{MADE}\nfound = {expression}\nprint(found)\n"
    assert facts(text).envs[span_of(text, "found")].layers == layers


def test_a_wrapper_put_around_again_and_again_counts_once() -> None:
    text = f"{MADE}\nfor _ in range(3):\n    env = gym.wrappers.ClipAction(env)\nfound = env\nprint(found)\n"
    env = facts(text).envs[span_of(text, "found")]
    assert env.layers == ()  # wrapped or not: not known
    assert [made.function for made in env.made] == ["gymnasium.make"]


def test_the_call_that_made_an_environment_is_known_through_wrappers_of_the_project() -> None:
    text = f"""{MADE}
class Skip(gym.Wrapper):
    pass


class Count(gym.Wrapper):
    def __init__(self, env):
        super().__init__(env)
        self.count = 0


found = Count(Skip(env))
found.render()
"""
    found = facts(text)
    env = found.envs[span_of(text, "found")]
    assert env.layers == ()
    assert [made.keywords for made in env.made] == [frozenset({"max_episode_steps"})]
    assert found.members[span_of(text, "found.render")].made == env.made


def test_one_make_that_is_not_seen_makes_all_unknown() -> None:
    text = f"{MADE}\ndef run(given: gym.Env, flag):\n    found = env if flag else given\n    print(found)\n"
    assert facts(text).envs[span_of(text, "found")].made == ()


def test_an_attribute_that_a_class_of_the_project_has_is_not_the_environments() -> None:
    text = """
import gymnasium as gym

class Maze(gym.Env):
    def render(self, mode="human"):
        return None

maze = Maze()
maze.render()
maze.reset()
"""
    members = facts(text).members
    assert span_of(text, "maze.render") not in members
    assert span_of(text, "maze.reset") in members


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


def test_infos_of_both_apis_are_told_apart_however_many_arrive() -> None:
    """A place takes a few infos of each kind: many of one kind leave room for the other."""
    fives = "".join(f"o, r, te, tr, five{n} = env.step({n})\nlook(five{n})\n" for n in range(12))
    program = "import gymnasium as gym\n\ndef look(info):\n    return info\n\nenv = gym.make('CartPole-v1')\n" + fives
    at = span_of(program, "return info")
    here = at._replace(column=at.column + len("return "))
    assert facts(program).infos[here].arity == 5
    assert here not in facts(program + "o, r, d, four = env.step(0)\nlook(four)\n").infos
