"""An environment is followed through functions, attributes, factories and files."""

from __future__ import annotations

import pytest
from model_programs import api, facts, meanings, span_of


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
        ("envs = {'train': gym.make('A-v0'), 'test': gym.make('B-v0')}\nprint(envs[mode])", "envs[mode]"),
        ("envs = {'train': gym.make('A-v0')}\nfor name in envs:\n    print(envs[name])", "envs[name]"),
        ("envs = {'train': gym.make('A-v0')}\nenv = envs.get(mode)\nprint(env)", "env"),
        ("envs = (gym.make('A-v0'), gym.make('B-v0'))\nprint(envs[i])", "envs[i]"),
        ("envs = {}\nenvs.update({'train': gym.make('A-v0')})\nprint(envs[mode])", "envs[mode]"),
        ("envs = dict((n, gym.make(n)) for n in names)\nprint(envs[mode])", "envs[mode]"),
        (
            "class A:\n    def __init__(self, names):\n        self.envs = {n: gym.make(n) for n in names}\n"
            "    def run(self, name):\n        print(self.envs[name])",
            "self.envs[name]",
        ),
        ("envs = {'a': gym.make('A-v0')}\nenv = envs[name]\nprint(env)", "env"),
        ("def make():\n    return gym.make('A-v0')\ntable = {'a': make}\nenv = table[name]()\nprint(env)", "env"),
        ("class A(gym.Env):\n    pass\ntable = {'a': A}\nenv = table[name]()\nprint(env)", "env"),
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


_LEFT_TO_SUBCLASSES = """
    import gymnasium as gym
    class Agent:
        def __init__(self):
            self.world = None
            self.make()
        def run(self):
            print(self.world)  # here
    class Learner(Agent):
        def make(self):
            self.world = gym.make("CartPole-v1")
"""


def test_a_self_attribute_that_a_base_class_leaves_to_its_subclasses_is_followed() -> None:
    assert api(_LEFT_TO_SUBCLASSES, "self.world") == "Gymnasium"


@pytest.mark.parametrize(
    "change",
    [
        # the only subclass that sets it reads it in a method of its own
        ("def make(self):", "def run(self):\n            return 0\n        def make(self):"),
        ("self.world = None", "self.world = simulator()"),
    ],
)
def test_an_attribute_of_a_subclass_arrives_where_the_subclass_does(change: tuple[str, str]) -> None:
    assert not api(_LEFT_TO_SUBCLASSES.replace(*change), "self.world")


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
