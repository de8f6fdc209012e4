"""What fixes must not break: where a condition does not hold after them, their family is left as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint

from done_lint.core.apply_edits import Moved
from done_lint.core.findings import Edit, Family, Finding, Fix, Span
from done_lint.core.text import Lines
from done_lint.engine.post_conditions import FixedFile, Made, broken
from done_lint.rules.usage.gym103_env_seed import EnvSeed
from done_lint.source.source import Source

FAMILY: Family = frozenset({"family"})


def messages(before: str, *edits: Edit, code: str = "GYM101") -> list[str]:
    """The conditions that edits of one fix break."""
    after = before
    for edit in sorted(edits, reverse=True):
        after = after[: edit.start] + edit.text + after[edit.end :]
    fix = Fix("title", edits)
    finding = Finding(code, "name", "message", "a.py", Span(1, 0, 1, 1), fix=fix, family=FAMILY)
    made = Made(finding, tuple((edit.start, edit.end) for edit in edits), 0)
    file = FixedFile(
        Source("a.py", before),
        Source("a.py", after),
        [],
        frozenset(),
        [made],
        Moved(edits).before,
        settled=True,
    )
    found = broken([file])
    assert found.keys() <= FAMILY
    return [one.broken for one in found.values()]


def put(text: str, *pairs: tuple[str, str]) -> list[Edit]:
    """Edits that replace words, each at its first place behind the one before."""
    edits, at = [], 0
    for old, new in pairs:
        at = text.index(old, at)
        edits.append(Edit(at, at + len(old), new))
        at += len(old)
    return edits


STEP = "def f(env, memory, n):\n{}    o, r, done, i = env.step(0)\n{}    memory.add(done)\n"
TO_FIVE = (("done", "terminated, truncated"), ("done", "terminated"))


def test_a_name_of_the_same_step_is_what_was_meant() -> None:
    text = STEP.format("", "")
    assert messages(text, *put(text, *TO_FIVE)) == []


@pytest.mark.parametrize(
    ("before", "between", "reason"),
    [
        ("    done = False\n    if n:\n    ", "", "`terminated` may have no value"),
        ("    done = False\n    for _ in range(n):\n    ", "", "`terminated` may have no value"),
        ("", "    terminated = n\n", "`terminated` would be another value"),
        ("", "    _, _, terminated, _, _ = env.step(1)\n", "`terminated` would be another value"),
        ("", "    if n:\n        done = True\n", "what `done` was given would be lost"),
    ],
)
def test_a_name_that_a_fix_reads_is_bound_and_still_the_same(before: str, between: str, reason: str) -> None:
    text = STEP.format(before, between)
    first = text.index("done, i")
    last = text.rindex("done")
    edits = [Edit(first, first + 4, "terminated, truncated"), Edit(last, last + 4, "terminated")]
    assert messages(text, *edits) == [reason]


def test_what_could_be_unbound_before_counts_for_nothing() -> None:
    text = STEP.format("    for _ in range(n):\n    ", "")
    assert messages(text, *put(text, *TO_FIVE)) == []


def test_what_reads_the_old_name_still_has_it() -> None:
    text = "def f(env):\n    done = False\n    o, r, done, i = env.step(0)\n    return lambda: done\n"
    first = text.index("done, i")
    assert messages(text, Edit(first, first + 4, "terminated, truncated")) == ["`done` would be another value"]
    joined = Edit(text.index("    return"), text.index("    return"), "    done = terminated or truncated\n")
    assert messages(text, Edit(first, first + 4, "terminated, truncated"), joined) == []


def test_a_name_that_a_fix_binds_itself_is_its_own() -> None:
    text = "def f(env):\n    env.reset()\n    o = env.reset()\n    return o\n"
    edits = put(text, ("env.reset", "_, info = env.reset"), ("o =", "o, info ="), ("return o", "return o, info"))
    assert messages(text, *edits) == []


@pytest.mark.parametrize("head", ["", "def f(env, n, total):\n"])
def test_a_statement_that_a_fix_puts_before_another_one_is_its_own(head: str) -> None:
    text = "done = False\ntotal = n\nwhile not done:\n    o, r, done, _, i = env.step(total)\n"
    text = head + "".join(("    " if head else "") + line for line in text.splitlines(keepends=True))
    loop = text.rindex("\n", 0, text.index("while")) + 1
    edits = put(text, ("not done", "not (done or truncated)"), ("_", "truncated"))
    assert messages(text, Edit(loop, loop, text[loop : text.index("while")] + "truncated = False\n"), *edits) == []


def test_fixes_that_never_end_are_undone() -> None:
    text = "x = 1\n"
    finding = Finding("GYM101", "name", "message", "a.py", Span(1, 0, 1, 1), family=FAMILY)
    file = FixedFile(
        Source("a.py", text), Source("a.py", text), [], frozenset(), [Made(finding, ((0, 1),), 9)], int, settled=False
    )
    assert [one.broken for one in broken([file]).values()] == ["they would never come to an end"]


def test_a_line_that_raised_an_error_does_not_stay_unseen() -> None:
    text = "import gym\nenv.seed(0)\n"
    calls = EnvSeed.incompatibility
    seed = Finding("GYM103", "name", "message", "a.py", Span(2, 0, 2, 11), family=FAMILY, incompatibility=calls)
    moved = Finding("GYM401", "name", "message", "a.py", Span(1, 0, 1, 10), family=FAMILY)
    after = text.replace("gym", "gymnasium")
    edit = Edit(7, 10, "gymnasium")
    place = Lines(text).offset(2, 0)
    unseen = ["what GYM103 reports would stay, but no longer be found"]
    for left, expected in ((frozenset[tuple[str, int]](), unseen), ({place}, [])):
        file = FixedFile(
            Source("a.py", text),
            Source("a.py", after),
            [seed],
            frozenset(("GYM103", one) for one in left if isinstance(one, int)),
            [Made(moved, ((7, 10),), 0)],
            Moved([edit]).before,
            settled=True,
        )
        assert [one.broken for one in broken([file]).values()] == expected


LIVES = """\
import gym


class Lives(gym.Wrapper):
    def step(self, action):
        if self.lives == 0:
            done = True
            obs, reward, info = self.last, -1.0, {}
        else:
            obs, reward, done, info = self.env.step(action)
        return obs, reward, done, info


env = Lives(gym.make("CartPole-v1"))
env.reset()
obs, reward, done, info = env.step(1)
"""


def test_a_family_is_left_as_it_was_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "lives.py").write_text(LIVES)
    run = done_lint(tmp_path, "fix", "--output-format", "json")
    assert (tmp_path / "lives.py").read_text() == LIVES
    found = {one["code"]: one["unfixed"] for one in json.loads(run.stdout)}
    assert found["GYM301"] == "the fixes were undone: `truncated` may have no value (lives.py:11)"
    checked = {
        one["code"]: one["unfixed"]
        for one in json.loads(done_lint(tmp_path, "check", "--output-format", "json").stdout)
    }
    assert checked == found


def test_other_families_of_the_file_are_fixed(tmp_path: Path) -> None:
    (tmp_path / "lives.py").write_text(
        LIVES.replace("import gym\n", "import gymnasium as gym\n")
        + "\n\nother = gym.make('A-v0')\nother.reset()\nobs, reward, done, info = other.step(1)\nprint(done)\n"
    )
    done_lint(tmp_path, "fix")
    text = (tmp_path / "lives.py").read_text()
    assert "obs, reward, terminated, truncated, info = other.step(1)" in text
    assert "obs, reward, done, info = env.step(1)" in text


MISSING = """\
import gym
from gym.logger import set_level

env = gym.make("CartPole-v1")
set_level(40)
"""


def test_no_name_moves_to_gymnasium_that_it_does_not_have(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(MISSING)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "program.py").read_text() == MISSING


HELPER = """\
import gym


class Core(gym.Env):
    def reset(self):
        return 0

    def advance(self, action):
        return 0, 1.0, action > 0, {}

    def step(self, action):
        return self.advance(action)


def drive(core):
    for obs, reward, done, info in [core.advance(0)]:
        return done


drive(Core())
"""


def test_a_helper_is_not_made_longer_than_its_callers_expect(tmp_path: Path) -> None:
    (tmp_path / "core.py").write_text(HELPER)
    run = done_lint(tmp_path, "fix", "--output-format", "json")
    assert (tmp_path / "core.py").read_text() == HELPER
    found = {one["code"]: one["unfixed"] for one in json.loads(run.stdout)}
    reason = "core.py:9 would give another number of values than the 4 that are unpacked (core.py:16)"
    assert found["GYM301"] == f"the fixes were undone: {reason}"


OWN = """\
from simulators import Simulator


class Own(Simulator):
    def step(self, action):
        return self.look(), 1.0, action > 0, {}
"""

SCALED = """\
import gym


class Scaled(gym.ObservationWrapper):
    def observation(self, observation):
        return observation / 2


def make(name):
    return Scaled(gym.make(name))
"""

PLAY = """\
from own import Own
from wraps import make


def play(name):
    env = Own() if name == "own" else make(name)
    done = False
    while not done:
        obs, reward, done, info = env.step(1)
"""


def test_who_gives_as_many_values_as_before_is_named(tmp_path: Path) -> None:
    for name, text in (("own", OWN), ("wraps", SCALED), ("main", PLAY)):
        (tmp_path / f"{name}.py").write_text(text)
    run = done_lint(tmp_path, "fix", "--output-format", "json")
    assert (tmp_path / "wraps.py").read_text() == SCALED
    reason = "an environment for Gymnasium would give another number of values than the 4 that are unpacked"
    reason += " and that own.py:6 gives (main.py:9)"
    assert f"the fixes were undone: {reason}" in {one["unfixed"] for one in json.loads(run.stdout)}


CHOSEN = """\
import gym
from stable_baselines3.common.vec_env import VecCheckNan


def make(check):
    env = gym.make("Pendulum-v1")
    if check:
        env = VecCheckNan(env)
    return env


def play(check):
    env = make(check)
    obs, info = env.reset(seed=1)
    while True:
        obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
        if terminated or truncated:
            break
"""


def test_what_gave_another_number_before_any_fix_holds_nothing_back(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(CHOSEN)
    done_lint(tmp_path, "fix")
    assert (tmp_path / "program.py").read_text() == CHOSEN.replace("import gym", "import gymnasium as gym")


WALK = """\
import gym


class Walk(gym.Env):
    def reset(self):
        return 0

    def step(self, action):
        return 0, 1.0, False, {}
"""
RECORD = """\
from dataclasses import dataclass
from walk import Walk


@dataclass
class Result:
    obs: int
    reward: float
    done: bool
    info: dict


env = Walk()
env.reset()
print(Result(*env.step(0)))
"""


def test_a_file_without_any_fix_counts_too(tmp_path: Path) -> None:
    (tmp_path / "walk.py").write_text(WALK)
    (tmp_path / "program.py").write_text(RECORD)
    run = done_lint(tmp_path, "fix", "--output-format", "json")
    assert (tmp_path / "walk.py").read_text() == WALK
    found = {one["code"]: one["unfixed"] for one in json.loads(run.stdout)}
    reason = "the fixes were undone: what GYM102 reports would stay, but no longer be found (program.py:15)"
    assert found["GYM301"] == reason
