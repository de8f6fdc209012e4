"""Only files that imports connect to a step, a value target or a package of the tables are solved."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from model_programs import linked

from done_lint.facts.build import link
from done_lint.flowgraph.build import survey

MATH = "def scaled(values):\n    return [value * 2 for value in values]\n"
AGENT = "from math_tools import scaled\n\ndef play(env):\n    env.reset()\n    return scaled(env.step(0))\n"


def test_what_a_file_with_a_step_imports_is_solved_and_what_imports_it() -> None:
    program = {
        "math_tools.py": MATH,
        "agent.py": AGENT,
        "main.py": "from agent import play\n\nplay(make())\n",
    }
    assert linked(program).solved == program.keys()


def test_what_else_uses_the_same_functions_is_solved() -> None:
    program = {"math_tools.py": MATH, "agent.py": AGENT, "report.py": "from math_tools import scaled\n\nscaled([1])\n"}
    assert linked(program).solved == program.keys()


def test_files_that_no_import_connects_to_a_step_are_not_solved() -> None:
    program = {
        "math_tools.py": MATH,
        "agent.py": AGENT,
        "report.py": "from table import rows\n\nprint(rows())\n",
        "table.py": "def rows():\n    return [1, 2, 3]\n",
    }
    assert linked(program).solved == {"math_tools.py", "agent.py"}


@pytest.mark.parametrize(
    "text",
    [
        "import gym\n",
        "from stable_baselines3 import PPO\n",
        "def play(env):\n    return env.step(0)\n",
        "def begin(env):\n    return env.reset()\n",
        "def target(r, gamma, v, done):\n    return r + gamma * v * (1 - done)\n",
        "envs = make_vec_envs('x')\n",
        "from envs import make_vec_envs\n",
    ],
)
def test_a_fact_can_begin_here(text: str) -> None:
    assert linked({"main.py": text, "other.py": "x = 1\n"}).solved == {"main.py"}


def test_what_is_not_solved_changes_nothing_elsewhere() -> None:
    apart: Mapping[str, str] = {"math_tools.py": MATH, "agent.py": AGENT}
    together = linked({**apart, "report.py": "from json import dumps\n\nprint(dumps([1]))\n"})
    alone = linked(apart)
    assert [together.facts(path) for path in apart] == [alone.facts(path) for path in apart]


def test_names_of_your_own_can_begin_anywhere() -> None:
    surveys = [survey("main.py", "import sim\n\nworld = sim.World()\n")]
    assert link(surveys).solved == frozenset()
    assert link(surveys, "", {"sim.World": "Gymnasium"}).facts("main.py").envs
