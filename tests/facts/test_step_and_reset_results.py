"""The facts about the result of a step or a reset, and about its infos."""

from __future__ import annotations

import pytest
from model_programs import facts, linked, span_of


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


def test_a_reset_that_hands_on_an_observation_waits_for_the_one_that_makes_it() -> None:
    program = """\
from typing import Any
import gymnasium

class Many(gymnasium.Env):
    def __init__(self, envs):
        self.envs = envs
    def reset(self, *, seed=None, options=None) -> tuple[Any, dict[str, Any]]:
        results = []
        for env in self.envs:
            results.append(env.start())
        return results
    def step(self, actions):
        return [], [], [], [], []

class Outer(gymnasium.Env):
    def __init__(self, envs):
        self.inner = Many(envs)
    def reset(self, *, seed=None, options=None) -> tuple[Any, dict[str, Any]]:
        return self.inner.reset(seed=seed, options=options)
    def step(self, actions):
        return self.inner.step(actions)

env = Outer([])
obs = env.reset()
print(len(obs))
"""
    reset = facts(program).resets[span_of(program, "env.reset()")]
    assert reset.pending is not None
    assert reset.pending.message == "`Many.reset`"


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


def test_infos_of_both_apis_are_kept_apart_however_many_arrive() -> None:
    """A place takes a few infos of each kind: many of one kind leave room for the other."""
    fives = "".join(f"o, r, te, tr, five{n} = env.step({n})\nlook(five{n})\n" for n in range(12))
    program = "import gymnasium as gym\n\ndef look(info):\n    return info\n\nenv = gym.make('CartPole-v1')\n" + fives
    at = span_of(program, "return info")
    here = at._replace(column=at.column + len("return "))
    assert facts(program).infos[here].arity == 5
    assert here not in facts(program + "o, r, d, four = env.step(0)\nlook(four)\n").infos


@pytest.mark.parametrize("test", ["new_api", "args.gymnasium", "len(result) == 5"])
def test_a_step_unpacked_in_four_and_in_five_by_two_sides_of_a_branch_is_guarded(test: str) -> None:
    program = f"""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        result = env.step(0)
        if {test}:
            obs, reward, terminated, truncated, info = result
        else:
            obs, reward, done, info = result
    """
    unpacked = [step for at, step in facts(program).steps.items() if at.row in (5, 7)]
    assert len(unpacked) == 2
    assert all(step.guarded for step in unpacked), unpacked


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("obs, reward, terminated, truncated, info", "obs, reward, done, info"),
        ("obs, reward, done, info", "obs, reward, terminated, truncated, info"),
    ],
)
def test_a_step_called_by_two_sides_of_a_branch_for_four_and_for_five_is_guarded(first: str, second: str) -> None:
    program = f"""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        if new_api:
            {first} = env.step(0)
        else:
            {second} = env.step(0)
    """
    steps = facts(program).steps
    assert len(steps) == 2
    assert all(step.guarded for step in steps.values()), steps


def test_a_step_unpacked_in_four_by_both_sides_of_a_branch_is_not_guarded() -> None:
    steps = facts("""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        if render:
            obs, reward, done, info = env.step(0)
        else:
            obs, reward, done, info = env.step(1)
    """).steps
    assert len(steps) == 2
    assert not any(step.guarded for step in steps.values()), steps


@pytest.mark.parametrize(
    "compared",
    [
        "same(a.reset(), b.reset())",
        "same(a.reset(seed=1), b.reset(seed=1))",
        "first = a.reset()\nsecond = b.reset()\nsame(first, second)",
        "first, second = a.reset(), b.reset()\nsame(first, second)",
    ],
)
def test_two_resets_that_one_call_compares_are_handled(compared: str) -> None:
    resets = facts(
        f"import gymnasium as gym\na = gym.make('CartPole-v1')\nb = gym.make('CartPole-v1')\n{compared}\n"
    ).resets
    assert len(resets) >= 2
    assert all(reset.handled for reset in resets.values()), resets


WRAPPED = """\
import gymnasium as gym

class Recorded(gym.Wrapper):
    def step(self, action):
        results = self.env.step(action)
        self.frames = [self.env.render()]
        return results

class Several:
    def __init__(self):
        self.envs = [gym.make("A-v0"), gym.make("B-v0")]
    def step(self, actions):
        rows = [env.step(action) for env, action in zip(self.envs, actions)]
        return [row[0] for row in rows], [row[1] for row in rows], [row[2] or row[3] for row in rows], {}
"""
TASK = """
class Task{number}(gym.Env):
    def step(self, action):
        return {number}, 1.0, action > {number}, False, {{}}

Recorded(Task{number}()).step(0)
"""


@pytest.mark.parametrize(("inside", "known"), [("gym.make('A-v0')", True), ("Several()", False)])
def test_of_many_results_some_of_which_are_rightly_of_four_values_nothing_is_known(inside: str, known: bool) -> None:
    tasks = "".join(TASK.format(number=one) for one in range(9))
    program = f"{WRAPPED}\nresult = Recorded({inside}).step(0)\nprint(result)\n{tasks}"
    assert (span_of(program, "result") in facts(program).steps) is known
