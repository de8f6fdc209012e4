"""Each form in which a program may take what a step, a reset or a seed gives: fixed and run, or left with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_whole_programs import Program, complaint

WORLDS = """\
import gym


def make():
    return gym.make("CartPole-v1")
"""
MAIN = """\
from forms import use
from worlds import make

print(use(make()))
"""
BEHIND_RESET = ["obs, reward, done, info = env.step(0)", "return out, done"]

RESETS = [
    ["out = env.reset()[0] < 9"],
    ["out = env.reset()[-1] < 9, env.reset()[:2].shape"],
    ["a = b = env.reset()", "out = a.shape, b.shape"],
    ["a, total = env.reset(), 0", "out = a.shape, total"],
    ["x, *rest = env.reset()", "out = len(rest)"],
    ["obs = env.reset()", "first, second = obs[:2]", "out = bool(first < 9), bool(second < 9)"],
    ["rows = []", "rows.append(env.reset())", "out = rows[0].shape"],
    ["rows = {}", "rows['x'] = env.reset()", "out = rows['x'].shape"],
    ["begin = lambda: env.reset()", "obs = begin()", "out = obs.shape"],
    ["def begin():", "    return env.reset()", "out = begin().shape"],
    ["def begin():", "    obs = env.reset()", "    return obs, len(obs)", "obs, n = begin()", "out = obs.shape, n"],
    ["def begin():", "    yield env.reset()", "out = next(begin()).shape"],
    ["from operator import methodcaller", "out = methodcaller('reset')(env).shape"],
    ["out = {name: env.reset().shape for name, _ in {'a': 1}.items()}"],
    ["out = [x for x in (1, 2) if len(env.reset()) > x]"],
]
STEPS = [
    ["x = [0] * 4", "x[0], x[1], x[2], x[3] = env.step(0)", "out = x[1:]"],
    ["out = env.step(0)[1], env.step(0)[3], env.step(0)[-1]"],
    ["out = 1 if env.step(0)[2] else 2"],
    ["if not (result := env.step(0))[2]:", "    out = result[1]"],
    ["out = env.step(0)[1:3]"],
    ["s, r, d, *i = env.step(0)", "out = r, d, i"],
    ["*_, r, d, i = env.step(0)", "out = r, d, i"],
    ["*_, d, i = env.step(0)", "out = d, i"],
    ["rows = [env.step(a) for a in (0, 1)]", "out = [d for s, r, d, i in rows]"],
    ["rows = [env.step(a) for a in (0, 1)]", "s, r, d, i = map(list, zip(*rows))", "out = r, d"],
    ["s, r, d, i = tuple(env.step(0))", "out = r, d"],
    ["s, r, d, i, n = (*env.step(0), 5)", "out = r, d, n"],
    ["def take(s, r, d, i):", "    return r, d", "out = take(*env.step(0))"],
    ["go = lambda a: env.step(a)", "s, r, d, i = go(0)", "out = r, d"],
    ["def go(a):", "    yield from [env.step(a)]", "out = [d for s, r, d, i in go(0)]"],
    ["out = [env.step(0)[1:3] for _ in range(2)]", "out = out == [(1.0, False)] * 2"],
    ["try:", "    s, r, d, i = env.step(0)", "except ValueError:", "    s, r, d, i = None, 0, True, {}", "out = r, d"],
    ["match ('step', 0):", "    case ('step', a):", "        s, r, d, i = env.step(a)", "out = r, d"],
    ["out = env.step(0)[1:] == (1.0, False, {})"],
    ["seed = env.seed", "seed(3)", "obs = env.reset()", "s, r, d, i = env.step(0)", "out = obs.shape, d"],
    ["getattr(env, 'seed')(3)", "obs = env.reset()", "s, r, d, i = env.step(0)", "out = obs.shape, d"],
]


def _use(lines: list[str]) -> str:
    return "\n".join(["import numpy as np", "", "", "def use(env):", *(f"    {line}" for line in lines), ""])


@pytest.mark.parametrize(
    "lines",
    [*([*lines, *BEHIND_RESET] for lines in RESETS), *(["env.reset()", *lines, "return out"] for lines in STEPS)],
    ids="; ".join,
)
def test_a_form_is_fixed_or_left_with_a_reason(lines: list[str], tmp_path: Path) -> None:
    files = {"worlds.py": WORLDS, "forms.py": _use(lines), "main.py": MAIN}
    program = Program("; ".join(lines), files, "either", "")
    assert not (found := complaint(program, tmp_path)), found
