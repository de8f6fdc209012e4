"""A name is weak evidence for an environment, and none where anything else is known."""

from __future__ import annotations

import pytest
from model_programs import api, facts, span_of


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
def test_a_package_that_visibly_makes_an_environment_known_by_name_is_named(made: str, maker: str) -> None:
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
