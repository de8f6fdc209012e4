"""A name is weak evidence for an environment: it needs a second sign, and nothing that contradicts it."""

from __future__ import annotations

import pytest
from model_programs import api, facts, span_of

#: Beside the name, a sign that `env` is an environment of Gym's.
STEP = "obs, reward, done, info = env.step(0)"


@pytest.mark.parametrize("imports", ["import gymnasium", "import gym", "import numpy", ""])
def test_a_name_is_weak_evidence_where_nothing_else_is_known(imports: str) -> None:
    program = f"{imports}\ndef run(env):\n    {STEP}\n    print(env)\n"
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
def test_a_package_that_visibly_makes_an_environment_known_by_name_is_named(made: str, maker: str) -> None:
    env = facts(f"import copy\nimport gym\nimport stadium\nenv = {made}\n{STEP}\n").envs
    (found,) = {(env.certainty, env.maker) for env in env.values()}
    assert found == ("by name", maker)


def test_a_name_is_no_evidence_next_to_a_look_alike() -> None:
    program = f"import gymnasium\nimport dm_env\ndef run(env):\n    {STEP}\n"
    assert api(program) == ""


@pytest.mark.parametrize(
    ("other", "known"),
    [
        ("from gym import error\n", False),
        ("import gym\nenv = gym.make('CartPole-v1')\n", True),
        ("import gym\nclass Field(gym.Env):\n    pass\n", True),
    ],
)
def test_a_name_is_no_evidence_where_all_environments_are_of_another_library(other: str, known: bool) -> None:
    market = "from ray.rllib.env.multi_agent_env import MultiAgentEnv\nclass Market(MultiAgentEnv):\n    pass\n"
    files = {"market.py": market, "drawing.py": other, "play.py": f"def play(env):\n    {STEP}\n"}
    # what `main.py` makes goes another way, but it runs with all of them
    main = "import drawing, market\nfrom remote import plays\nplays(market.Market)\n"
    part = "import drawing, play\n"
    assert bool(facts({**files, "main.py": main, "part.py": part}, "play.py").envs) == known


def test_a_plural_is_no_evidence() -> None:
    assert api("import gymnasium\ndef run(envs):\n    obs, reward, done, info = envs.step(0)\n", "envs") == ""


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
            obs, reward, done, _ = env.step(0)
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
    play = f"import gym\ndef play(env):\n    {STEP}\n"
    main = "import game, play\nplay.play(games[name]())\n"
    found = facts({"game.py": game, "play.py": play, "main.py": main}, "play.py")
    assert bool(found.envs) == known


@pytest.mark.parametrize(("inside", "known"), [("self.moves[action]", False), ("self.env.step(action)[0]", True)])
def test_nor_beside_such_a_class_in_the_same_file_that_wraps_no_environment(inside: str, known: bool) -> None:
    program = f"""
        import gym

        class Game:
            def __init__(self, env):
                self.env = env

            def reset(self):
                return 0

            def step(self, action):
                return {inside}, 0.0, False, {{}}

        def play(env):
            {STEP}
    """
    assert bool(facts(program).envs) == known


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


@pytest.mark.parametrize(("library", "row"), [("envpool", True), ("torchsim", False)])
def test_a_folder_of_a_package_is_not_what_the_import_of_a_library_of_its_name_means(library: str, row: bool) -> None:
    """`lab/envs/envpool/` adapts the library: absolute imports start where `lab` is found."""
    folder = f"lab/envs/{library}"
    inside = {
        f"{folder}/create.py": f"import {library}\nenv = {library}.make('Humanoid-v1', env_type='dm')\nprint(env)\n"
    }
    inside |= {
        f"{folder}/__init__.py": "import gymnasium\ndef make(*a, **k):\n    return gymnasium.make('CartPole-v1')\n"
    }
    packages = {"lab/__init__.py": "", "lab/envs/__init__.py": "", "main.py": f"import lab.envs.{library}.create\n"}
    found = facts({**inside, **packages}, f"{folder}/create.py").envs.values()
    assert {one.api.five for one in found} == ({False} if row else set())


@pytest.mark.parametrize(("package", "known"), [("lab", False), ("elsewhere", True)])
def test_a_name_is_no_evidence_for_what_a_file_of_the_project_makes_that_cannot_be_read(
    package: str, known: bool
) -> None:
    program = f"""
        import gym
        from {package} import unreadable

        env = unreadable.Game()
        {STEP}
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


@pytest.mark.parametrize(
    "alone",
    [
        "env.seed(0)",
        "env.render(mode='human')",
        "obs = env.reset()",
        "print(env.reset())",
        "result = env.step(0)",
        "a, b, c, d = env.step(0)",
    ],
)
def test_one_sign_is_not_enough(alone: str) -> None:
    assert not facts(f"import gym\ndef run(env):\n    {alone}\n").envs


@pytest.mark.parametrize(
    "second",
    [
        STEP,
        "o, r, d, _ = env.step(0)",
        "result = env.step(0)\n    obs, reward, done, info = result",
        "obs, reward, terminated, truncated, info = env.step(0)",
        "obs, info = env.reset()",
    ],
)
def test_two_signs_are(second: str) -> None:
    program = f"import gym\ndef run(env):\n    env.seed(0)\n    {second}\n"
    assert facts(program).envs[span_of(program, "env")].certainty == "by name"
    assert span_of(program, "env.seed") in facts(program).members


def test_the_second_sign_of_an_attribute_may_stand_in_another_method() -> None:
    program = """
        import gym
        class Agent:
            def begin(self):
                return self.env.reset()
            def play(self):
                self.obs, reward, self.done, _ = self.env.step(0)
    """
    assert {at.row for at in facts(program).resets} == {4}


def test_the_second_sign_of_a_variable_stands_in_the_same_function() -> None:
    program = f"import gym\ndef play(env):\n    {STEP}\ndef other(env):\n    return env.reset()\n"
    assert {at.row for at in facts(program).envs} == {3}


@pytest.mark.parametrize(
    "contradiction",
    [
        "obs, reward, done = env.step(0)",
        "env.step(0, 1)",
        "state = env.step(state, action)",
        "env.reset(start)",
        "env.render(loop=False)",
        "env.seed(0, 1)",
    ],
)
def test_a_call_that_no_environment_of_gyms_takes_contradicts(contradiction: str) -> None:
    program = f"import gym\ndef play(env):\n    {STEP}\n    obs = env.reset()\ndef other(env):\n    {contradiction}\n"
    assert not facts(program).envs
    both = {
        "play.py": f"import gym\ndef play(env):\n    {STEP}\n",
        "other.py": f"def other(env):\n    {contradiction}\n",
    }
    assert facts(both, "play.py").envs
    assert not facts({**both, "main.py": "import play, other\n"}, "play.py").envs


@pytest.mark.parametrize(
    ("step", "seeds", "resets"), [(STEP, False, True), ("obs, reward, end, cut, info = env.step(0)", False, False)]
)
def test_who_has_methods_of_its_own_may_have_its_own_seed(step: str, seeds: bool, resets: bool) -> None:
    program = f"import gym\ndef play(env):\n    env.set_task(3)\n    env.seed(0)\n    obs = env.reset()\n    {step}\n"
    found = facts(program)
    assert (span_of(program, "env.seed") in found.members) == seeds
    assert bool(found.resets) == resets


@pytest.mark.parametrize(
    "other",
    [
        "import envpool",
        "from stable_baselines3.common.vec_env import VecEnv",
        "from ray.rllib.env import EnvContext",
        "from stable_baselines3 import PPO\nmodel = PPO('MlpPolicy', None)\nworld = model.get_env()",
    ],
)
def test_a_name_is_no_evidence_where_another_api_is_known_in_the_program(other: str) -> None:
    files = {"play.py": f"import gym\ndef play(env):\n    {STEP}\n", "other.py": f"{other}\n"}
    assert facts(files, "play.py").envs
    assert not facts({**files, "main.py": "import play, other\n"}, "play.py").envs


@pytest.mark.parametrize(("base", "meant"), [("gymnasium.Env", True), ("gymnasium.Wrapper", True), ("gym.Env", False)])
def test_a_seed_that_a_class_of_todays_program_has_may_be_meant(base: str, meant: bool) -> None:
    """What is still based on Gym had a `seed` by Gym's own protocol."""
    own = f"""
        import gym
        import gymnasium
        class Maze({base}):
            def seed(self, seed=None):
                return [seed]
            def step(self, action):
                return super().step(action)
            def reset(self):
                return super().reset()
    """
    play = f"import gym\ndef play(env):\n    env.seed(0)\n    {STEP}\n"
    files = {"play.py": play, "maze.py": own}
    assert span_of(play, "env.seed") in facts(files, "play.py").members
    together = facts({**files, "main.py": "import play, maze\n"}, "play.py")
    assert (span_of(play, "env.seed") not in together.members) == meant


def test_two_resets_that_are_compared_need_no_name() -> None:
    program = """
        import copy
        import gymnasium as gym
        env = gym.make("A-v0")
        first = env.reset(seed=1)
        env_2 = copy.deepcopy(env)
        second = env_2.reset(seed=1)
        assert equal(first, second)
    """
    assert facts(program).resets[span_of(program, "env.reset(seed=1)")].handled
