"""A method that a class of the project defines is the project's own, whatever an annotation says."""

from __future__ import annotations

import pytest
from model_programs import facts, span_of

OWN = """\
import gymnasium as gym

class Base(gym.Env):
    def seed(self, seed=None):
        self.rng = seed
    def render(self, loop=True):
        return None

class Own(Base):
    def reset(self, *, seed=None, options=None):
        return 0, {}
    def step(self, action):
        return 0, 0.0, False, False, {}

class Plain(gym.Env):
    def reset(self, *, seed=None, options=None):
        return 0, {}
"""
SEED = "env.seed(1)"
#: How an environment may come to be `env` in another file.
WAYS = {
    "constructor": "env = own.Own()\nenv.seed(1)\n",
    "annotated variable": "env: gym.Env = own.Own()\nenv.seed(1)\n",
    "annotated parameter": "def run(env: gym.Env):\n    env.seed(1)\nrun(own.Own())\n",
    "annotated attribute": (
        "class Run:\n    env: gym.Env\n    def __init__(self, env):\n        self.env = env\n"
        "    def go(self):\n        env = self.env\n        env.seed(1)\nRun(own.Own())\n"
    ),
    "annotated result": "def make() -> gym.Env:\n    return own.Own()\nenv = make()\nenv.seed(1)\n",
    "class in a dictionary": "KINDS = {'own': own.Own}\nenv: gym.Env = KINDS['own']()\nenv.seed(1)\n",
    "class by a key": "KINDS = {'own': own.Own}\ndef run(name):\n    env: gym.Env = KINDS[name]()\n    env.seed(1)\n",
    "class in a list": "for kind in [own.Own]:\n    env: gym.Env = kind()\n    env.seed(1)\n",
    "annotated class": "def run(kind: type[own.Own]):\n    env: gym.Env = kind()\n    env.seed(1)\n",
    "class as a text": "def run(kind: 'Type[own.Own]'):\n    env: gym.Env = kind()\n    env.seed(1)\n",
    "not to be seen": "def run(env: gym.Env):\n    env.seed(1)\n",
}


@pytest.mark.parametrize("way", WAYS)
def test_the_seed_of_a_class_of_the_project_is_its_own(way: str) -> None:
    program = f"import gymnasium as gym\nimport own\n{WAYS[way]}"
    assert span_of(program, "env.seed") not in facts({"own.py": OWN, "run.py": program}, "run.py").members


@pytest.mark.parametrize(
    "way",
    [
        "env: gym.Env = own.Plain()\nenv.seed(1)\n",
        "def run(env: gym.Env):\n    env.seed(1)\nrun(gym.make('A-v0'))\n",
        "def run(env: gym.Env):\n    env.seed(1)\nrun(own.Plain())\n",
    ],
)
def test_what_leaves_its_seed_to_the_library_has_none(way: str) -> None:
    program = f"import gymnasium as gym\nimport own\n{way}"
    assert span_of(program, "env.seed") in facts({"own.py": OWN, "run.py": program}, "run.py").members


def test_a_class_of_a_program_that_does_not_run_together_is_no_evidence() -> None:
    program = "import gymnasium as gym\ndef run(env: gym.Env):\n    env.seed(1)\n"
    assert span_of(program, "env.seed") in facts({"own.py": OWN, "run.py": program}, "run.py").members


@pytest.mark.parametrize(
    ("made", "decides"), [("gym.make('A-v0')", True), ("dmc2gym.make('walker')", False), ("protocol.Game()", False)]
)
def test_the_constructor_wins_against_the_annotation(made: str, decides: bool) -> None:
    game = """
        class Game:
            def reset(self):
                return 0
            def step(self, action):
                return 0, 0.0, False, {}
    """
    program = f"""
        import dmc2gym
        import gymnasium as gym
        import protocol
        def run(env: gym.Env):
            obs = env.reset()
            obs, reward, done, info = env.step(0)
        run({made})
    """
    found = facts({"protocol.py": game, "run.py": program}, "run.py")
    assert any(one.env.api.five for one in found.steps.values()) == decides
    assert any(one.env.api.five for one in found.resets.values()) == decides


def test_a_page_gets_its_environment_from_the_function_that_has_the_name_of_its_file() -> None:
    files = {
        "arena/__init__.py": "from .make_own import make_own\n",
        "arena/own.py": OWN,
        "arena/make_own.py": "import arena.own as own\ndef make_own():\n    return own.Own()\n",
    }
    page = "from arena import make_own\nenv = make_own()\nenv.seed(1)\nobs, info = env.reset()\n"
    found = facts({**files, "page.py": page}, "page.py")
    assert span_of(page, "env.seed") not in found.members
    assert span_of(page, "env.reset()") in found.resets


def test_a_wrapper_that_hands_the_seed_on_has_none_of_its_own() -> None:
    program = """
        import gymnasium as gym
        class Seeded(gym.Wrapper):
            def seed(self, seed=None):
                return self.env.seed(seed)
        def run(env: gym.Env):
            env.seed(1)
    """
    assert span_of(program, "env.seed") in facts(program).members
