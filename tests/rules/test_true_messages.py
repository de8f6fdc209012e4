"""What a message says is true of the place: which error is raised, what is done there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint
from markdown_cases import CASES, cases_of, findings_in


def _messages(folder: Path, text: str, code: str) -> set[str]:
    (folder / "a.py").write_text(text)
    found = json.loads(done_lint(folder, "check", "--isolated", "--output-format", "json").stdout)
    return {one["message"] for one in found if one["code"] == code}


@pytest.mark.parametrize(
    ("use", "error"),
    [
        ("env.step(0)", "`ResetNeeded`"),
        ("env.step(action=0)", "`ResetNeeded`"),
        ("env.render()", "`ResetNeeded`"),
        # `TypeError` comes first
        ("env.step()", "an error"),
        ("env.step(*[0, 1])", "an error"),
        ('env.render(mode="human")', "an error"),
    ],
)
def test_an_error_before_the_first_reset_is_named_where_no_other_comes_first(
    tmp_path: Path, use: str, error: str
) -> None:
    text = f"import gymnasium as gym\n\n\ndef main():\n    env = gym.make('CartPole-v1')\n    {use}\n    env.reset()\n"
    assert _messages(tmp_path, text, "GYM112") == {f"`{use}` comes before the first reset: this raises {error}"}


SENDER = """import multiprocessing as mp
from collections import deque

import gymnasium as gym


def work(rows):
    env = gym.make("CartPole-v1")
    s, _ = env.reset()
    s2, r, terminated, truncated, _ = env.step(0)
    done = terminated or truncated
    {}


{}
mp.Process(target=work, args=(rows,)).start()
s, r, s2, done = {}
y = r + 0.99 * value(s2) * (1 - done)
"""


@pytest.mark.parametrize(
    ("give", "made", "take", "word"),
    [
        ("rows.put((s, r, s2, done))", "rows = mp.Queue()", "rows.get()", "sent"),
        ("rows.send((s, r, s2, done))", "other, rows = mp.Pipe()", "other.recv()", "sent"),
        ("rows.append((s, r, s2, done))", "rows = deque()", "rows.pop()", "stored"),
    ],
)
def test_what_is_sent_is_not_said_to_be_stored(tmp_path: Path, give: str, made: str, take: str, word: str) -> None:
    (message,) = _messages(tmp_path, SENDER.format(give, made, take), "GYM203")
    assert message.startswith(f"`done` is {word} here and later cuts")


OLD = """import gymnasium as gym


class Line(gym.Env):
    def reset(self, seed=None, options=None):
        return 0

    def step(self, action):
        return 0, 0.0, False, {{}}


gym.register("Line-v0", "a:Line")


class Agent:
    def __init__(self, env):
        self.env = env

    def act(self):
        return self.env.step(0)


def make(name):
    return gym.make(name)


{}
obs, reward, done, info = {}
"""
_FIVE = "`{}` returns five values{}, but four are unpacked: this raises `ValueError`"
_FOUR = "`{}` changes together with `Line.step` (a.py:9), which returns four values"
_WHERE = " where `make` made the environment"


@pytest.mark.parametrize(
    ("made", "call", "message"),
    [
        # what makes the environment, and the objects of a class, are told apart no further
        ('make("Line-v0")\nenv = make("CartPole-v1")', "env.step(0)", _FIVE.format("env.step(0)", "")),
        ('env = gym.make("Line-v0")', "env.step(0)", _FOUR.format("env.step(0)")),
        ("agent = Agent(Line())", "agent.env.step(0)", _FOUR.format("agent.env.step(0)")),
        (
            'Agent(Line())\nagent = Agent(gym.make("CartPole-v1"))',
            "agent.env.step(0)",
            _FIVE.format("agent.env.step(0)", _WHERE),
        ),
    ],
)
def test_no_class_is_named_that_may_not_be_meant(tmp_path: Path, made: str, call: str, message: str) -> None:
    assert _messages(tmp_path, OLD.format(made, call), "GYM101") == {message}


def test_the_next_episode_begins_at_a_reset_of_the_same_environment() -> None:
    heading = "Another environment is reset beside it"
    (case,) = (one for one in cases_of(CASES / "leaking-recursion.md") if one.name.endswith(heading))
    (found,) = findings_in(case.source, case.codes)
    (begins,) = (one for one in found.related if one.message == "the next episode begins here")
    assert case.source.splitlines()[begins.span.row - 1].strip() == "obs, _ = env.reset()"


@pytest.mark.parametrize(
    ("made", "given"),
    [
        ('gym.make("CartPole-v1")', "make"),
        ("CartPoleEnv()", "CartPoleEnv"),
        ("classic_control.CartPoleEnv()", "CartPoleEnv"),
        ('CartPoleEnv() if input() else gym.make("CartPole-v1")', "make"),
    ],
)
def test_the_mode_is_given_to_what_makes_the_environment(tmp_path: Path, made: str, given: str) -> None:
    imports = "import gymnasium as gym\nfrom gymnasium.envs import classic_control\n"
    imports += "from gymnasium.envs.classic_control import CartPoleEnv\n"
    (tmp_path / "a.py").write_text(f'{imports}\nenv = {made}\nenv.reset()\nenv.render("human")\n')
    shown = done_lint(tmp_path, "check", "--isolated").stdout
    assert f"the mode belongs in `{given}`" in shown
    assert f'help: pass `render_mode="human"` to `{given}`, and call `env.render()`' in shown


WEIGHED = """import gymnasium as gym
import numpy as np

env = gym.make("CartPole-v1")
critic = load("critic.pt")
seen, after, gains, ends = [], [], [], []
state, _ = env.reset()
for _ in range(256):
    seen.append(state)
    state, gain, terminated, truncated, _ = env.step(env.action_space.sample())
    after.append(state)
    gains.append(gain)
    ends.append(terminated or truncated)
    if terminated or truncated:
        state, _ = env.reset()
target = np.array(gains) + 0.99 * critic(np.array(after)) * (1 - np.array(ends))
error = np.abs(target - critic(np.array(seen)))
starts = np.random.choice(256, size=8, p=error / error.sum())
{}
"""


@pytest.mark.parametrize(
    ("rest", "harm"),
    [
        ("print(starts, error.mean())", "what is drawn by it gets wrong weights"),
        ("fit(critic, seen, target)", "the agent learns wrong values"),
        ("memory.update(starts, error)", "the agent learns wrong values"),
        ("critic.bias += 0.1 * error.mean()", "the agent learns wrong values"),
    ],
)
def test_what_only_weighs_a_draw_is_not_said_to_be_learnt(tmp_path: Path, rest: str, harm: str) -> None:
    text = WEIGHED.format(rest)
    for code in ("GYM201", "GYM203"):
        assert {one.partition("too: ")[2] for one in _messages(tmp_path, text, code)} == {harm}


def test_a_name_that_gymnasium_has_elsewhere_is_not_said_to_be_missing(tmp_path: Path) -> None:
    (tmp_path / "kept.py").write_text("import gym\nimport gym_sokoban\n\nenv = gym.make('Sokoban-v0')\n")
    (tmp_path / "a.py").write_text(
        "import gym\nfrom gym.wrappers.flatten_observation import FlattenObservation\n\nimport kept\n\n"
        "env = FlattenObservation(kept.env)\n"
    )
    found = json.loads(done_lint(tmp_path, "check", "--isolated", "--output-format", "json").stdout)
    new = "`gym.wrappers.flatten_observation.FlattenObservation`"
    said = [one["unfixed"] for one in found if one["filename"].endswith("a.py") and new in str(one["unfixed"])]
    assert len(said) == 2
    assert all("is `gymnasium.wrappers.FlattenObservation` now" in one for one in said)


@pytest.mark.parametrize(
    ("read", "title"),
    [
        ("reward_range", "write what stands for it today"),
        ("state", "read it past the wrappers"),
    ],
)
def test_a_fix_says_whether_it_reads_past_the_wrappers(tmp_path: Path, read: str, title: str) -> None:
    (tmp_path / "a.py").write_text(f"import gymnasium as gym\n\nenv = gym.make('CartPole-v1')\nprint(env.{read})\n")
    found = json.loads(done_lint(tmp_path, "check", "--isolated", "--output-format", "json").stdout)
    assert [one["fix"]["message"] for one in found if one["code"] == "GYM406"] == [title]
