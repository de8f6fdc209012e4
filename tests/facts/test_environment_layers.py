"""The wrappers around an environment, the call that made it, and the attributes of its class."""

from __future__ import annotations

import pytest
from model_programs import facts, span_of

from done_lint.knowledge.wrapper_attributes import SOME_WRAPPER

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


@pytest.mark.parametrize(
    ("made", "layers"),
    [
        ('gym.make("ALE/Pong-v5")', ("OrderEnforcing", "PassiveEnvChecker", "")),
        ('gym.make("ALE/Pong-v5").env.env', ("",)),
        ('gym.make("ALE/Pong-v5").env.env.env', ()),
        ('gym.make("CartPole-v1", disable_env_checker=True).env', ("OrderEnforcing", "")),
        ('gym.make("CartPole-v1", max_episode_steps=-1)', ("OrderEnforcing", "PassiveEnvChecker", "")),
        ("gym.make(name)", ()),
        ("gym.make(from_elsewhere)", ()),
        ('gym.make(gym.make("CartPole-v1").spec)', ()),
        ('gym.make(gym.spec("CartPole-v1"))', ()),
        ('gym.make("CartPole-v1" if name else "ALE/Pong-v5")', ("make", "make")),
        ('(gym.make("CartPole-v1") if name else gym.make("ALE/Pong-v5"))', ("make", "make")),
        ('gym.make("Own-v0")', ("OrderEnforcing", "PassiveEnvChecker", "")),
        ('gym.make("Bare-v0")', ("",)),
        ('gym.make("Short-v0")', ("TimeLimit", "OrderEnforcing", "PassiveEnvChecker", "")),
        ('gym.make("Listed-v0")', ()),
    ],
)
def test_the_layers_of_make_are_those_of_the_id_and_of_what_is_asked_for(made: str, layers: tuple[str, ...]) -> None:
    text = f"""
import gymnasium as gym
from gymnasium.envs.registration import register

def play(name, options):
    found = {made}
    print(found)

register("Own-v0", "mazes:Maze")
register(id="Bare-v0", entry_point="mazes:Maze", order_enforce=False, disable_env_checker=True)
gym.register("Short-v0", entry_point="mazes:Maze", max_episode_steps=9)
register(id="Listed-v0", entry_point="mazes:Maze", additional_wrappers=wrappers)
"""
    assert facts(text).envs[span_of(text, "found")].layers == layers


@pytest.mark.parametrize(
    ("made", "layers"),
    [
        ("gym.make(name)", ("make", "make")),
        ("gym.make(from_elsewhere)", ("make", "make")),
        ("gym.make(name).env", ("make",)),
        ("gym.make(name).env.env", ()),
        ("gym.make(name, **options)", ("make",)),
    ],
)
def test_an_id_that_is_not_visible_has_the_usual_layers(made: str, layers: tuple[str, ...]) -> None:
    text = f"import gymnasium as gym\n\ndef play(name, options):\n    found = {made}\n    print(found)\n"
    assert facts(text).envs[span_of(text, "found")].layers == layers


@pytest.mark.parametrize(
    ("option", "layers"),
    [("order_enforce=False", ("make",)), ("disable_env_checker=True", ("make",)), ("**options", ())],
)
def test_an_id_that_is_not_visible_may_be_one_that_the_project_registers(option: str, layers: tuple[str, ...]) -> None:
    text = f"""
import gymnasium as gym

def add(name, **options):
    gym.register(name, entry_point="mazes:Maze", {option})

def play(name):
    found = gym.make(name)
    print(found)

add("Maze-v0")
"""
    assert facts(text).envs[span_of(text, "found")].layers == layers


PACKAGE = {
    "mazes/__init__.py": """
from gymnasium.envs.registration import register
register(id="mazes/Endless", entry_point="mazes.envs:Endless")
register(id="mazes/Old", entry_point="mazes.envs:Old")
register(id="mazes/Own", entry_point="mazes.envs:Own")
register(id="mazes/Limited", entry_point="mazes.envs:Endless", max_episode_steps=9)
register(id="mazes/Elsewhere", entry_point="other.envs:Maze")
""",
    "mazes/envs/__init__.py": "from .maze import Endless, Old, Own",
    "mazes/envs/maze.py": """
import gymnasium as gym
class Endless(gym.Env):
    def step(self, action):
        truncated = False
        return 0, 0.0, action == 3, truncated, {}
class Old(gym.Env):
    def step(self, action):
        return 0, 0.0, action == 3, {}
class Own(Endless):
    def step(self, action):
        obs, reward, terminated, _, info = super().step(action)
        return obs, reward, terminated, self.steps > 9, info
""",
}


@pytest.mark.parametrize(
    ("name", "endless", "doubtful"),
    [
        ("mazes/Endless", True, False),
        ("mazes/Old", True, False),
        ("mazes/Own", False, False),
        ("mazes/Limited", False, False),
        ("mazes/Elsewhere", False, True),
        ("mazes/Other", False, True),
        ("CartPole-v1", False, False),
        ("Blackjack-v1", True, False),
    ],
)
def test_what_a_package_registers_says_whether_an_episode_can_be_truncated(
    name: str, endless: bool, doubtful: bool
) -> None:
    play = f"import gymnasium as gym\nimport mazes\nenv = gym.make({name!r})\nprint(env)\n"
    env = facts({**PACKAGE, "a_play.py": play}, "a_play.py").envs[span_of(play, "env")]
    assert (env.unlimited, env.doubtful) == (endless, doubtful)


def test_a_class_that_no_import_leads_to_is_not_known() -> None:
    play = 'import gymnasium as gym\ngym.register("Own-v0", "apart:Own")\nenv = gym.make("Own-v0")\nprint(env)\n'
    program = {"apart.py": PACKAGE["mazes/envs/maze.py"], "play.py": play}
    assert facts(program, "play.py").envs[span_of(play, "env")].doubtful


def test_a_wrapper_put_around_again_and_again_counts_once() -> None:
    text = f"{MADE}\nfor _ in range(3):\n    env = gym.wrappers.ClipAction(env)\nfound = env\nprint(found)\n"
    env = facts(text).envs[span_of(text, "found")]
    assert env.layers == (SOME_WRAPPER,)  # the wrapper, or what `make` puts around
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
