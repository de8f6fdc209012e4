"""The facts about the project's own environment classes: their generators, step counts and families."""

from __future__ import annotations

import pytest
from model_programs import facts, linked

ENVIRONMENT = """\
import gymnasium as gym

class Walk(gym.Env):
    def reset(self, *, seed=None, options=None):
        self.steps = 0
        return 0, {{}}
    def step(self, action):
        {step}
"""


def limits(step: str) -> list[tuple[str, int]]:
    """Rows and arities of the limits that end the episode."""
    found = facts(ENVIRONMENT.format(step=step.replace("\n", "\n        "))).limits
    return [(limit.counter, limit.arity) for _, limit in sorted(found.items())]


@pytest.mark.parametrize(
    "step",
    [
        "self.steps += 1\nreturn 0, 0.0, self.steps >= self.limit, False, {}",
        "self.steps = self.steps + 1\nreturn 0, 0.0, bool(self.steps + 1 > 9), False, {}",
        "self.steps += 1\ndone = False\ndone |= self.limit <= self.steps\nreturn 0, 0.0, done, False, {}",
        "self.steps += 1\ndone = True if self.steps == 9 else False\nreturn 0, 0.0, done, False, {}",
        "self.steps += 1\nwent_on = self.steps < 9\nreturn 0, 0.0, not went_on, False, {}",
        "self.steps += 1\nif self.steps < 9:\n    done = False\nelse:\n    done = True\nreturn 0, 0.0, done, False, {}",
        "self.steps += 1\nif self.lost:\n    done = True\nelif self.steps > 9:\n    done = True\n"
        "else:\n    done = False\nreturn 0, 0.0, done, False, {}",
        "self.steps += 1\nif self.steps > 9 and not self.lost:\n    self.over = True\n"
        "return 0, 0.0, self.over, False, {}",
    ],
)
def test_a_step_count_that_ends_the_episode_is_a_limit(step: str) -> None:
    assert limits(step) == [("steps", 5)]


@pytest.mark.parametrize(
    "step",
    [
        "self.steps += 1\nreturn 0, 0.0, False, self.steps >= self.limit, {}",
        "if action:\n    self.steps += 1\nreturn 0, 0.0, self.steps >= self.limit, False, {}",
        "self.steps += 2\nreturn 0, 0.0, self.steps >= self.limit, False, {}",
        "self.steps += 1\nreturn 0, float(self.steps > 9), False, False, {}",
        "self.steps += 1\nreturn 0, 0.0, self.steps >= len(self.data), False, {}",
        "self.steps += 1\nreturn 0, 0.0, self.steps > 9 and self.lost, False, {}",
        "self.steps += 1\nalive = self.steps > 9\nreturn 0, 0.0, not alive, False, {}",
        "self.steps += 1\nif self.steps > 9:\n    self.late = True\nreturn 0, 0.0, self.lost, False, {}",
    ],
)
def test_other_counts_and_other_uses_are_no_limit(step: str) -> None:
    assert limits(step) == []


def test_a_limit_in_a_subclass_of_another_file_ends_the_step_of_its_base() -> None:
    model = linked(
        {
            "base.py": ENVIRONMENT.format(step="self.steps += 1; return 0, 0.0, self._over(), False, {}")
            + "    def _over(self):\n        raise NotImplementedError\n",
            "walk.py": "from base import Walk\n\nclass Long(Walk):\n"
            "    def _over(self):\n        return self.lost or self.steps >= self.limit\n",
        }
    )
    assert [limit.owner.name for limit in model.facts("walk.py").limits.values()] == ["Long"]
    assert not model.facts("base.py").limits


GENERATORS = """\
import gymnasium as gym
import numpy as np
from gymnasium.utils import seeding

class Walk(gym.Env):
    def start(self):
        {start}
        return self.np_random
"""


@pytest.mark.parametrize(
    ("start", "known"),
    [
        ("pass", True),
        ("self.np_random = None", True),
        ("self.np_random, seed = seeding.np_random(1)", True),
        ("self.np_random = seeding.np_random(1)[0]", True),
        ("self.np_random = np.random.RandomState(1)", False),
        ("self.np_random = np.random", False),
        ("self.np_random = np.random.default_rng(1)", False),
    ],
)
def test_whose_generator_it_is(start: str, known: bool) -> None:
    found = facts(GENERATORS.format(start=start)).generators
    assert any(span.row == 8 for span in found) is known


def test_a_class_knows_its_family() -> None:
    program = """
        import gymnasium as gym
        from abc import ABC
        from simulation import Simulated

        class Base(gym.Env, ABC):
            pass
        class Walk(Base):
            def step(self, action):
                return 0, 0.0, False, False, {}
        class Robot(Simulated, Walk):
            pass
    """
    base, walk, robot = (found for _, found in sorted(facts(program).classes.items()))
    assert base.children == (("main.py", walk.row), ("main.py", robot.row))
    assert base.overridden == {"step"}
    assert (base.foreign, walk.foreign, robot.foreign) == (False, False, True)


@pytest.mark.parametrize("annotation", ["", ": own.Walk"])
@pytest.mark.parametrize("names", [("own.py", "main.py"), ("own.py", "a_main.py")])
def test_an_annotation_takes_nothing_from_what_make_visibly_gives(annotation: str, names: tuple[str, str]) -> None:
    """Whatever order the files are read in: the base of the class may not be known yet."""
    own, main = names
    program = (
        "import gymnasium as gym\nimport own\n\ngym.register('walk-v0', entry_point='own:Walk')\n"
        f"env{annotation} = gym.make('walk-v0')\nenv.heal()\n"
    )
    walk = ENVIRONMENT.format(step="return 0, 0.0, False, False, {}")
    found = facts({own: walk, main: program}, main).envs
    (env,) = [env for span, env in found.items() if span.row == 6 and span.end_column == 3]
    assert env.layers == ("OrderEnforcing", "PassiveEnvChecker", "")


def test_an_annotation_is_all_there_is_where_nothing_visible_arrives() -> None:
    walk = ENVIRONMENT.format(step="return 0, 0.0, False, False, {}")
    program = "from own import Walk\n\ndef heal(env: Walk):\n    env.reset()\n"
    found = facts({"own.py": walk, "main.py": program}, "main.py").envs
    assert [env.layers for span, env in found.items() if span.row == 4] == [()]


@pytest.mark.parametrize("annotation", ["Walk", "Walk | gym.Env"])
@pytest.mark.parametrize("base", ["gym.Env", "Base"])
@pytest.mark.parametrize("names", [("own.py", "main.py"), ("own.py", "z_main.py")])
def test_one_environment_passes_no_test_for_vectors(names: tuple[str, str], base: str, annotation: str) -> None:
    """Whatever order the files are read in: the base of the class may not be known yet."""
    own, main = names
    walk = ENVIRONMENT.format(step="return 0, 0.0, False, False, {}")
    walk = walk.replace("class Walk(gym.Env):", f"class Base(gym.Env):\n    pass\n\nclass Walk({base}):")
    program = (
        "import gymnasium as gym\nfrom own import Walk\nfrom stable_baselines3.common.vec_env import DummyVecEnv\n\n"
        f"def start(env: {annotation}):\n    if isinstance(env, DummyVecEnv):\n        obs = env.reset()\n"
        "    else:\n        obs, _ = env.reset()\n    return obs\n"
    )
    found = facts({own: walk, main: program}, main).resets
    assert {(span.row, reset.env.api.name) for span, reset in found.items()} == {(7, "SB3 VecEnv"), (9, "Gymnasium")}
