"""A seed reaches what it did: the environment's own class, and the first episode, wherever that begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

OWN = """import gym
from gym.utils import seeding


class Cave(gym.Env):
    action_space = observation_space = gym.spaces.Discrete(20)

    def seed(self, seed=None):
        self.np_random, seed = seeding.np_random(seed)
        self.rooms = self.np_random.permutation(20)
        return [seed]

    def reset(self):
        return self.rooms[0]

    def step(self, action):
        return self.rooms[action], 0.0, False, {}
"""
HELPER = "def seed_all(env, seed):\n    env.seed(seed)\n"
ASKING = (
    'def seed_all(env, seed):\n    if hasattr(env, "seed"):\n        env.seed(seed)\n    env.action_space.seed(seed)\n'
)


def fixed(folder: Path, **files: str) -> dict[str, str]:
    """The files of a program after the safe fixes."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    done_lint(folder, "fix")
    return {name: (folder / f"{name}.py").read_text() for name in files}


@pytest.mark.parametrize(
    ("env_id", "fixes"), [("sys.argv[1]", False), ("next(iter(gym.envs.registry))", False), ('"CartPole-v1"', True)]
)
def test_a_seed_that_may_be_an_environments_own_is_left(tmp_path: Path, env_id: str, fixes: bool) -> None:
    main = f"""import sys
import gym
import cave

gym.register("Cave-v0", entry_point="cave:Cave")
env = gym.make({env_id})
env.seed(4)
obs = env.reset()
"""
    assert ("env.reset(seed=4)" in fixed(tmp_path, cave=OWN, main=main)["main"]) == fixes


@pytest.mark.parametrize("made", ['gym.make("Cave-v0")', "gym.wrappers.ClipAction(Cave())", "Rounded(Cave())"])
def test_a_seed_of_an_environments_own_is_still_called(tmp_path: Path, made: str) -> None:
    main = f"""import gym

from cave import Cave


class Rounded(gym.ObservationWrapper):
    def observation(self, observation):
        return int(observation)


gym.register("Cave-v0", entry_point="cave:Cave")
env = {made}
env.seed(4)
obs = env.reset()
"""
    assert "env.unwrapped.seed(4)\nobs, _ = env.reset()" in fixed(tmp_path, cave=OWN, main=main)["main"]


def test_a_seed_that_the_library_knows_goes_into_the_reset(tmp_path: Path) -> None:
    cave = OWN.replace("        self.rooms = self.np_random.permutation(20)\n", "").replace("self.rooms[0]", "1")
    main = 'import gym\n\ngym.register("Cave-v0", "cave:Cave")\nenv = gym.make("Cave-v0")\nenv.seed(4)\nenv.reset()\n'
    assert "env.reset(seed=4)" in fixed(tmp_path, cave=cave, main=main)["main"]


def test_a_seed_does_not_move_behind_a_step(tmp_path: Path) -> None:
    start = "import gym\nimport numpy as np\n\nenv = gym.make({made})\nobs, info = env.reset()\n"
    rest = "env.seed(3)\nobs, *_ = env.step(0)\nobs, info = env.reset()\n"
    known = start.format(made='"CartPole-v1"') + rest
    unknown = start.format(made="input()") + rest
    result = fixed(tmp_path, known=known, unknown=unknown)
    assert "env.np_random = np.random.default_rng(3)\nobs, *_ = env.step(0)" in result["known"]
    assert result["unknown"] == unknown
    found = done_lint(tmp_path, "check", "unknown.py").stdout
    assert "no fix: the episode goes on behind it, and a reset would begin another one" in found


@pytest.mark.parametrize(
    ("imports", "written"),
    [
        ("import numpy as np\n", "env.np_random = np.random.default_rng(seed)"),
        ("import gym\n", "env.np_random, _ = gym.utils.seeding.np_random(seed)"),
        ("", "env.np_random = np.random.default_rng(seed)"),
    ],
)
def test_no_second_reset_is_added_where_the_first_stands_in_another_file(
    tmp_path: Path, imports: str, written: str
) -> None:
    main = 'import gym\n\nfrom chance import seed_all\n\nenv = gym.make("CartPole-v1")\nseed_all(env, 3)\nenv.reset()\n'
    result = fixed(tmp_path, chance=f"{imports}\n\n{HELPER}".lstrip(), main=main)
    assert written in result["chance"]
    assert "env.reset(" not in result["chance"]


def test_a_test_for_the_method_is_never_true(tmp_path: Path) -> None:
    main = 'import gym\n\nfrom chance import seed_all\n\nenv = gym.make("CartPole-v1")\nseed_all(env, 3)\nenv.reset()\n'
    result = fixed(tmp_path, chance=ASKING, main=main)
    assert "hasattr" not in result["chance"]
    assert "    env.np_random = np.random.default_rng(seed)\n    env.action_space" in result["chance"]


@pytest.mark.parametrize(
    "test",
    ['hasattr(env, "seed")', "hasattr( env,'seed' )", "(hasattr((env), 'seed'))", 'hasattr(\n    env, "seed"\n)'],
)
def test_a_test_for_the_method_goes_with_the_seed(tmp_path: Path, test: str) -> None:
    asking = f"import gym\n\nenv = gym.make(input())\nif {test}:\n    env.seed(3)\nobs, info = env.reset()\n"
    assert fixed(tmp_path, main=asking)["main"].endswith("env = gym.make(input())\nobs, info = env.reset(seed=3)\n")


@pytest.mark.parametrize("seeded", ["else:\n    env.reset(seed=3)\n", "obs, info = env.reset(seed=3)\n"])
def test_who_seeds_in_both_ways_is_right(tmp_path: Path, seeded: str) -> None:
    text = (
        f'import gymnasium as gym\n\nenv = gym.make("CartPole-v1")\nif hasattr(env, "seed"):\n    env.seed(3)\n{seeded}'
    )
    (tmp_path / "main.py").write_text(text)
    assert not done_lint(tmp_path, "check").stdout


def test_a_wrapper_that_forbids_a_reset_is_not_reset_twice(tmp_path: Path) -> None:
    text = """import gym


class Monitor(gym.Wrapper):
    over = True

    def reset(self, **kwargs):
        if not self.over:
            raise RuntimeError("the episode is not over")
        self.over = False
        return self.env.reset(**kwargs)


def make(name):
    env = Monitor(gym.make(name))
    env.seed(1)
    return env


obs, info = make({name}).reset()
"""
    known, unknown = text.format(name='"CartPole-v1"'), text.format(name="input()")
    result = fixed(tmp_path, known=known, unknown=unknown)
    assert "env.np_random, _ = gym.utils.seeding.np_random(1)" in result["known"]
    assert "env.seed(1)" in result["unknown"]
    assert "no fix: a wrapper around it may refuse a second reset" in done_lint(tmp_path, "check", "unknown.py").stdout


def test_two_kinds_of_environments_are_not_seeded_in_one_way(tmp_path: Path) -> None:
    agent = "def start(env):\n    env.seed(1)\n    return env.reset()\n"
    pole = 'import gym\n\nfrom agent import start\n\nstart(gym.make("CartPole-v1"))\n'
    own = "from agent import start\nfrom cave import Cave\n\nstart(Cave())\n"
    assert "env.seed(1)" in fixed(tmp_path, agent=agent, cave=OWN, pole=pole, own=own)["agent"]


TRIALS = """import gymnasium as gym
import numpy as np


class Trials(gym.Env):
    def seed(self, seed=None):
        self.rng = np.random.RandomState(seed)
        self.action_space.seed(seed)
        return [seed]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.rng.uniform(), {}


class Scheduled(gym.Wrapper):
    def __init__(self, env: Trials, schedule):
        super().__init__(env)
        self.schedule = schedule

    def seed(self, seed=None):
        self.schedule.seed(seed)
        self.env.seed(seed)
"""
DATASET = """import gymnasium as gym

import trials


class Dataset:
    def __init__(self, names):
        self.envs = [gym.make(name) for name in names]

    def seed(self, seed=None):
        for number, env in enumerate(self.envs):
            env.seed(seed + number)
"""


@pytest.mark.parametrize(
    ("release", "codes"), [("gymnasium==0.29.*", set[str]()), ("gymnasium>=1.0", {"GYM103", "GYM304"})]
)
def test_wrappers_forwarded_the_projects_own_method(tmp_path: Path, release: str, codes: set[str]) -> None:
    (tmp_path / "requirements.txt").write_text(release + "\n")
    (tmp_path / "trials.py").write_text(TRIALS)
    (tmp_path / "dataset.py").write_text(DATASET)
    text = done_lint(tmp_path, "check", "--select", "GYM103,GYM304", "--output-format", "concise").stdout
    assert {line.split()[1] for line in text.splitlines()} == codes


@pytest.mark.parametrize(("call", "said"), [("seed", ": only `__init__` does"), ("", ": `reset` takes the seed")])
def test_a_seed_of_the_constructor_has_an_effect(tmp_path: Path, call: str, said: str) -> None:
    (tmp_path / "cave.py").write_text(f"""import gymnasium as gym
from gymnasium.utils import seeding


class Cave(gym.Env):
    def __init__(self, seed=None):
        self.seed({call})

    def seed(self, seed=None):
        self.np_random, seed = seeding.np_random(seed)
        return [seed]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.np_random.integers(9), {{}}
""")
    assert f"`Cave` defines `seed`, which Gymnasium never calls{said}\n" in done_lint(tmp_path, "check").stdout


SEEDED = """import gym
from gym.utils import seeding


class Room(gym.Env):
    def seed(self, seed=None):
        self.np_random, seed = seeding.np_random(seed)
        return [seed]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.np_random.integers(5), {}

    def step(self, action):
        return 0, 0.0, False, False, {}
"""


def test_the_finding_names_who_calls_the_method(tmp_path: Path) -> None:
    (tmp_path / "room.py").write_text(SEEDED)
    (tmp_path / "main.py").write_text("from room import Room\n\n\ndef play():\n    env = Room()\n    env.seed(4)\n")
    (tmp_path / "show.py").write_text("from room import Room\n\nenv = Room()\nenv.seed(5)\n")
    # no more is said of it than that it is one of them
    assert "never calls; `play` (main.py:6) does" in done_lint(tmp_path, "check", "--exit-zero").stdout


@pytest.mark.parametrize(("call", "stays"), [("env.unwrapped.seed(3)", True), ("print(env.unwrapped)", False)])
def test_a_method_that_may_be_called_past_all_wrappers_stays(tmp_path: Path, call: str, stays: bool) -> None:
    main = f"""import gym
from room import Room

env = gym.wrappers.TimeLimit(Room(), 5)
obs, _ = env.reset()
{call}
"""
    assert ("def seed(" in fixed(tmp_path, room=SEEDED, main=main)["room"]) == stays
