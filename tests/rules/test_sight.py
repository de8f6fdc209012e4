"""A rule that does not want a file would report nothing in it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import ROOT

from done_lint.core.codes import CODES
from done_lint.core.findings import Span
from done_lint.core.gymnasium_release import Supported
from done_lint.engine import lint as linting
from done_lint.engine.lint_project import lint_project
from done_lint.engine.load import Program
from done_lint.engine.workers import Work, silent
from done_lint.facts.facts import Facts
from done_lint.project.discovery import projects
from done_lint.project.settings import Overrides
from done_lint.rules.sight import Sight, wanting

#: Folders of programs, for who has more of them than the tests.
TREES = os.environ.get("DONE_LINT_TREES", "").split(os.pathsep)


def unwanted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, str]]:
    """The findings of rules that do not want their file."""
    wanted: dict[str, list[str]] = {}

    def everything(sight: Sight, codes: list[str]) -> list[str]:
        wanted[sight.facts.path] = wanting(sight, codes)
        return codes

    monkeypatch.setattr(linting, "wanting", everything)
    with Work(silent, processes=1) as work:
        for project in projects([str(folder)], Overrides(include_docs=True).settings):
            for path, found in lint_project(Program(project, {}, work)).findings.items():
                for finding in found:
                    if path in wanted and finding.code not in wanted[path] and finding.code in CODES:
                        yield path, finding.code


@pytest.mark.parametrize("folder", sorted((ROOT / "fixtures" / "projects").iterdir()), ids=lambda folder: folder.name)
def test_the_same_holds_of_projects(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(unwanted(folder, monkeypatch)) == []


@pytest.mark.skipif(TREES == [""], reason="DONE_LINT_TREES names no folders")
@pytest.mark.parametrize("folder", TREES)
def test_the_same_holds_of_other_trees(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(unwanted(Path(folder), monkeypatch)) == []


@pytest.mark.parametrize("name", ["q_learning.py", "limits.py"])
def test_right_code_of_one_environment_is_checked_without_libcst(name: str) -> None:
    check = (
        "import sys\nfrom done_lint import cli\ntry:\n    cli.main(['check', '-q', '--no-cache', sys.argv[1]])\n"
        "except SystemExit:\n    pass\nsys.exit('libcst' in sys.modules)"
    )
    modern = str(ROOT / "fixtures" / "projects" / "modern" / name)
    assert subprocess.run([sys.executable, "-c", check, modern], cwd=ROOT, check=False).returncode == 0


#: Right code, with what the project needs.
RIGHT = {
    "one environment": (
        "gymnasium==1.2.0",
        """
import gymnasium as gym


class Logged(gym.Wrapper):
    def step(self, *args):
        obs, reward, terminated, truncated, info = self.env.step(*args)
        return obs, reward, terminated, truncated, info


def evaluate(policy, log):
    env = gym.wrappers.TimeLimit(Logged(gym.make("CartPole-v1")), max_episode_steps=100)
    obs, _ = env.reset()
    # for old Gym, which set "TimeLimit.truncated": for obs, reward, done, info in rows
    result = env.step(policy(obs))
    log(result=result, first=result[0], last=result[-1])
    obs, reward, terminated, truncated, info = result
    log(info=info, count=len(info["episode"]))
    kept: object = env.step(policy(obs))
    return kept
""",
    ),
    "1.x": (
        "gymnasium==1.2.0",
        """
import gymnasium as gym
from gymnasium.vector import AutoresetMode


def collect(policy, buffer):
    envs = gym.make_vec("Pendulum-v1", 4, vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP})
    obs, infos = envs.reset(seed=1)
    for _ in range(1000):
        action = policy(obs)
        next_obs, reward, terminated, truncated, infos = envs.step(action)
        real_next_obs = next_obs.copy()
        if "final_obs" in infos:
            real_next_obs[truncated] = infos["final_obs"][truncated]
        buffer.add(obs, action, reward, real_next_obs, terminated)
        obs = next_obs
""",
    ),
    "several environments": (
        "gymnasium==1.2.0",
        """
import gymnasium as gym


class Together:
    # of what `gym.GoalEnv` gave, nothing is needed
    def __init__(self, makers):
        self.envs = [maker() for maker in makers]
        self.seen, self.ended = [None] * len(makers), [False] * len(makers)

    def step(self, actions):
        for place, action in enumerate(actions):
            obs, reward, terminated, truncated, info = self.envs[place].step(action)
            self.ended[place] = terminated or truncated
            if self.ended[place]:
                info["last"] = obs
                obs, _ = self.envs[place].reset()
            self.seen[place] = obs
        return self.seen, self.ended


def ask(policy):
    env = gym.make("CartPole-v1")
    envs = gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1")], autoreset_mode="SameStep")
    return env.spec.max_episode_steps, envs, env.unwrapped.ale.lives()
""",
    ),
    "0.29": (
        "gymnasium==0.29.1",
        """
import gymnasium as gym


def make(capture):
    def thunk():
        if capture:
            env = gym.make("CartPole-v1", render_mode="rgb_array")
            env = gym.wrappers.RecordVideo(env, "videos")
        else:
            env = gym.make("CartPole-v1")
        return gym.wrappers.RecordEpisodeStatistics(env)

    return thunk


def evaluate(policy):
    envs = gym.vector.SyncVectorEnv([make(True)])
    obs, _ = envs.reset()
    returns = []
    while len(returns) < 10:
        obs, _, _, _, infos = envs.step(policy(obs))
        if "final_info" in infos:
            for info in infos["final_info"]:
                if info and "episode" in info:
                    returns.append(info["episode"]["r"])
    return returns


def train(policy, buffer):
    envs = gym.vector.SyncVectorEnv([make(False), make(True)])
    obs, _ = envs.reset(seed=1)
    for _ in range(1000):
        actions = policy(obs)
        next_obs, rewards, terminations, truncations, infos = envs.step(actions)
        real_next_obs = next_obs.copy()
        for place, trunc in enumerate(truncations):
            if trunc:
                real_next_obs[place] = infos["final_observation"][place]
        buffer.add(obs, real_next_obs, actions, rewards, terminations, infos)
        obs = next_obs
""",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_code_is_wanted_by_no_rule(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs, text = RIGHT[name]
    (tmp_path / "requirements.txt").write_text(needs, encoding="utf-8")
    (tmp_path / "train.py").write_text(text, encoding="utf-8")
    wanted: list[str] = []

    def kept(sight: Sight, codes: list[str]) -> list[str]:
        wanted.extend(wanting(sight, codes))
        return []

    monkeypatch.setattr(linting, "wanting", kept)
    with Work(silent, processes=1) as work:
        for project in projects([str(tmp_path)], Overrides().settings):
            lint_project(Program(project, {}, work))
    assert wanted == []


def sight(text: str) -> Sight:
    return Sight(text, Facts("case.py"), Supported())


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("a, b, c = f(x)", ("a", "b", "c")),
        ("self.a, b[0], *c = f(x)", ("self.a", "b[0]", "*c")),
        ("(\n    a,\n    b,\n) = f(x)", ("a", "b")),
        ("g(f(x))", ()),
        ("return f(x)", ()),
        ("    f(x)", ()),
        ("a = b\nf(x)", ()),
        ("a = (f(x))", ("a",)),
        ("a, \\\nb = f(x)", ("a", "b")),
        ("[a,\n b] = f(x)", ("a", "b")),
        ("a = b, c = f(x)", None),
        ("a = (  # why\n    f(x))", ("a",)),
        ("if g: a, b = f(x)", ("a", "b")),
        ('"ä"; (a, *b), c["ö"] = d = (f(x))', None),
        ('"ä"; (a, *b), c["ö"] = (f(x))', ("(a, *b)", 'c["ö"]')),
        ("a: int = f(x)", ("a",)),
        ("a += f(x)", None),
        ("g(a := f(x))", None),
        ("g(a=f(x))", ()),
        ("a[0][1] = f(x).b", ("a[0][1]",)),
        ("a[0][1] = (  # why\n    (f(x))[0])", ("a[0][1]",)),
        ("a[0][1] = f(x) if", None),
    ],
)
def test_the_targets_of_a_value_are_seen(text: str, targets: tuple[str, ...] | None) -> None:
    row = text.count("\n") + 1
    column = text.splitlines()[-1].index("f(x)")
    assert sight(text).targets(Span(row, column, row, column + 4)) == targets


def test_imported_names_are_read_from_the_text() -> None:
    text = "from gym.wrappers import (  # (all)\n    Monitor,\n    FrameStack as F,\n)\nimport gym.envs.robotics\n"
    assert sight(text).library_names >= {"wrappers.Monitor", "wrappers.FrameStack", "envs.robotics"}
