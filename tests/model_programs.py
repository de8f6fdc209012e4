"""Small programs for the tests of the episode model: link them, and look facts up by text and by marker.

A row that ends in `# sink: mask` must hold a sink of that kind (`# sink: mask by name` one that is not proven);
rows without a marker must hold none. `# here` marks which of several equal expressions is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from textwrap import dedent
from typing import Any

import pytest

from done_lint.analysis.values import Meaning
from done_lint.core.findings import Span
from done_lint.facts.build import Model, link
from done_lint.facts.facts import Facts
from done_lint.facts.kinds.flags import Flag, Sink
from done_lint.flowgraph.build import survey

#: One step of a plain Gymnasium environment; what a test adds stands behind it.
STEP = """\
import gymnasium as gym
import numpy as np
import torch

env = gym.make("CartPole-v1")
obs, info = env.reset()
next_obs, reward, terminated, truncated, info = env.step(0)
done = terminated or truncated
"""

#: The same with a vector environment.
VECTOR_STEP = STEP.replace('gym.make("CartPole-v1")', 'gym.make_vec("CartPole-v1", 4)').replace(" or ", " | ")

#: A rollout of 128 steps, collected in lists; what a test adds computes with them.
ROLLOUT = """\
import gymnasium as gym
import numpy as np

env = gym.make("CartPole-v1")
obs, info = env.reset()
rewards, values, ends, cuts, dones = [], [], [], [], []
for t in range(128):
    values.append(value(obs))
    obs, reward, terminated, truncated, info = env.step(0)
    done = terminated or truncated
    rewards.append(reward)
    ends.append(terminated)
    cuts.append(truncated)
    dones.append(done)
    if done:
        obs, info = env.reset()
values.append(value(obs))
"""

#: A program that stores rows and reads them back one by one; a test fills in the stored flag and the target.
MEMORY = """\
import random
import gymnasium as gym

env = gym.make("CartPole-v1")
memory = []
obs, info = env.reset()
for _ in range(1000):
    next_obs, reward, terminated, truncated, info = env.step(0)
    done = terminated or truncated
    memory.append((obs, reward, next_obs, {}))
    if done:
        obs, info = env.reset()
    for o, r, o2, d in random.sample(memory, 8):
        {}
"""
TARGET = "y = r + 0.99 * (1 - d) * value(o2)"

Program = str | Mapping[str, str]


def wrong(*values: Any, reason: str) -> Any:
    """A case that the model still answers wrongly, and why."""
    return pytest.param(*values, marks=pytest.mark.xfail(strict=True, reason=reason))


def linked(program: Program) -> Model:
    """The model of one program: a text, or texts by path."""
    return link([survey(path, text) for path, text in _files(program).items()])


def facts(program: Program, path: str = "main.py") -> Facts:
    """The model's facts about one file of the program."""
    return linked(program).facts(path)


def span_of(text: str, expression: str) -> Span:
    """The place of an expression: on the row marked `# here`, else where it stands last."""
    text = _left(text)
    rows = text.splitlines()
    places = [_span(node, rows) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.expr | ast.stmt)]
    found = sorted({at for at in places if _source(at, rows) == expression})
    marked = [at for at in found if rows[at.row - 1].endswith("# here")]
    assert found, f"`{expression}` does not stand in the program"
    return (marked or found)[-1]


def flag(program: Program, expression: str, path: str = "main.py") -> Flag | None:
    """The flag that an expression is, if any."""
    files = _files(program)
    return facts(files, path).flags.get(span_of(files[path], expression))


def meanings(program: Program, expression: str, path: str = "main.py") -> set[str]:
    """All alternatives of a flag in words: `done`, `not terminated`, `done + limit`; empty where it is no flag."""
    found = flag(program, expression, path)
    return {words(m) for m in found.meanings} if found else set()


def after_step(expression: str) -> set[str]:
    """What an expression means after one step of a plain environment."""
    return meanings(f"{STEP}seen = {expression}\n", expression)


def after_rows(rows: str, expression: str) -> set[str]:
    """What an expression means in a program that begins with one step of an environment."""
    return meanings(f"{STEP}{rows}\n", expression)


def words(meaning: Meaning) -> str:
    """A meaning in words."""
    causes = {
        (True, True): ["done"],
        (True, False): ["terminated"],
        (False, True): ["truncated"],
        (False, False): [],
    }[meaning.terminated, meaning.truncated]
    if meaning.own_limit:
        causes.append("limit")
    return ("not " if meaning.keep else "") + " + ".join(causes)


def api(program: Program, expression: str = "env", path: str = "main.py") -> str:
    """The API that an expression has; empty where the model knows none."""
    files = _files(program)
    found = facts(files, path).envs.get(span_of(files[path], expression))
    return found.api.name if found else ""


def sinks(program: Program) -> set[tuple[str, int, str]]:
    """Every sink that the model finds: path, row, kind."""
    files = _files(program)
    model = linked(files)
    return {(path, at.row, _kind(sink)) for path in files for at, sink in model.facts(path).sinks.items()}


def sink(program: Program, kind: str, path: str = "main.py") -> Sink:
    """The only sink of one kind."""
    (found,) = (s for s in facts(program, path).sinks.values() if s.kind == kind)
    return found


def marked(program: Program) -> set[tuple[str, int, str]]:
    """The sinks that the markers of a program ask for."""
    return {
        (path, row, kind.strip())
        for path, text in _files(program).items()
        for row, line in enumerate(text.splitlines(), 1)
        if "# sink: " in line
        for kind in line.partition("# sink: ")[2].split(",")
    }


def assert_sinks(program: Program) -> None:
    """Assert that the program has exactly the sinks that its markers ask for."""
    found, wanted = sinks(program), marked(program)
    assert found == wanted, f"found {sorted(found)}, marked {sorted(wanted)}"


def _kind(found: Sink) -> str:
    return found.kind if found.certainty == "proven" else f"{found.kind} by name"


def _files(program: Program) -> dict[str, str]:
    files = {"main.py": program} if isinstance(program, str) else dict(program)
    return {path: _left(text) for path, text in files.items()}


def _left(text: str) -> str:
    return dedent(text).lstrip("\n")


def _span(node: ast.expr | ast.stmt, rows: list[str]) -> Span:
    end_row, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
    return Span(
        node.lineno, _column(rows[node.lineno - 1], node.col_offset), end_row, _column(rows[end_row - 1], end_column)
    )


def _column(row: str, column: int) -> int:
    return len(row.encode()[:column].decode())


def _source(at: Span, rows: list[str]) -> str:
    taken = rows[at.row - 1 : at.end_row]
    taken[-1] = taken[-1][: at.end_column]
    taken[0] = taken[0][at.column :]
    return re.sub(r"\s+", " ", " ".join(taken))
