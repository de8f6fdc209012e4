"""A caller that gets its environment in a way that cannot be followed keeps the program's environments as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from done_lint.engine import analyze
from done_lint.engine.report import Report
from done_lint.project.discovery import projects
from done_lint.project.settings import Settings

ENVIRONMENT = """import gym


class Walk(gym.Env):
    def reset(self):
        self.at = 0
        return self.at

    def step(self, action):
        self.at += action
        return self.at, 1.0, self.at == 4, {}
"""
RUNNER = """class Runner:
    def __init__(self, task):
        self.task = task

    def episode(self):
        self.task.reset()
        done = False
        while not done:
            state, reward, done, _ = self.task.step(1)
"""
BY_NAME = RUNNER.replace("task", "env")
CONFIGURED = """import importlib

from runner import Runner

module, name = "walk:Walk".split(":")
Runner(getattr(importlib.import_module(module), name)()).episode()
"""
REGISTRY = """import walk
from runner import Runner

Runner(walk.TASKS["walk"]()).episode()
"""
IN_A_REGISTRY = ENVIRONMENT.replace(
    "class", "TASKS = {}\n\n\ndef task(made):\n    TASKS['walk'] = made\n    return made\n\n\n@task\nclass"
)
WORKER = """import pickle

import gym


def work(code, results):
    env = pickle.loads(code)()
    while True:
        state, reward, done, info = env.step(0)
        results.put((env.reset() if done else state, reward, done, info))
"""
POOL = """import multiprocessing
import pickle

import gym
from worker import work


def make():
    return gym.make("CartPole-v1")


multiprocessing.Process(target=work, args=(pickle.dumps(make), multiprocessing.Queue())).start()
"""
PROGRAMS = {
    "configured": {"walk": ENVIRONMENT, "runner": RUNNER, "main": CONFIGURED},
    "known by name": {"walk": ENVIRONMENT, "runner": BY_NAME, "main": CONFIGURED},
    "pickle": {"worker": WORKER, "main": POOL},
}


def project(folder: Path, files: dict[str, str]) -> None:
    (folder / "pyproject.toml").write_text("")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)


def ran(command: object, folder: Path) -> Report:
    assert command in (analyze.check, analyze.fix)
    asked = projects([str(folder)], lambda root: Settings(root=root))
    return analyze.fix(asked) if command is analyze.fix else analyze.check(asked)


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_changes_and_each_withheld_fix_names_the_caller(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, PROGRAMS[name])
    monkeypatch.chdir(tmp_path)
    report = ran(analyze.fix, tmp_path)
    assert {path.stem: path.read_text() for path in tmp_path.glob("*.py")} == PROGRAMS[name]
    reasons = {one.unfixed for one in report.findings if one.code == "GYM401"}
    place = "`work` (worker.py:9)" if name == "pickle" else "`Runner.episode` (runner.py:9)"
    assert reasons == {f"blocked by {place}, which unpacks four values of an environment that cannot be followed"}
    assert not any(one.fixable for one in ran(analyze.check, tmp_path).findings)


DIRECT = "from runner import Runner\nfrom walk import Walk\n\nRunner(Walk()).episode()\n"


@pytest.mark.parametrize(("walk", "main"), [(ENVIRONMENT, DIRECT), (IN_A_REGISTRY, REGISTRY)])
def test_a_caller_that_is_followed_changes_with_its_environment(tmp_path: Path, walk: str, main: str) -> None:
    project(tmp_path, {"walk": walk, "runner": RUNNER, "main": main})
    ran(analyze.fix, tmp_path)
    assert "terminated, truncated, _ = self.task.step(1)" in (tmp_path / "runner.py").read_text()
    assert "return self.at, 1.0, self.at == 4, False, {}" in (tmp_path / "walk.py").read_text()


PLAYER = """import pickle

import gym
import train


def play(path):
    env = pickle.load(open(path, "rb"))
    env.reset()
    observation, reward, done, info = env.step(gym.Space())
"""
TRAIN = """import gym

env = gym.make("CartPole-v1")
env.reset()
observation, reward, done, _ = env.step(0)
print(done)
"""


def test_a_caller_that_is_reported_by_name_keeps_its_file_and_what_it_imports_as_they_are(tmp_path: Path) -> None:
    project(tmp_path, {"train": TRAIN, "player": PLAYER, "alone": TRAIN})
    report = ran(analyze.fix, tmp_path)
    assert "import gymnasium as gym" in (tmp_path / "alone.py").read_text()
    assert (tmp_path / "train.py").read_text() == TRAIN
    assert (tmp_path / "player.py").read_text() == PLAYER
    assert "by name" in {one.certainty for one in report.findings if one.code == "GYM101"}
    assert all("which unpacks four values" in one.unfixed for one in report.findings if one.code == "GYM401")


def test_a_caller_that_no_rule_reports_keeps_the_whole_program_as_it_is(tmp_path: Path) -> None:
    silent = PLAYER.replace("import gym\n", "").replace("gym.Space()", "0") + '\n\nplay("walk.pickle")\n'
    project(tmp_path, {"train": TRAIN, "player": silent})
    ran(analyze.fix, tmp_path)
    assert (tmp_path / "train.py").read_text() == TRAIN


def test_another_program_of_the_project_is_none_of_its_callers(tmp_path: Path) -> None:
    alone = 'import gym\n\nenv = gym.make("CartPole-v1")\nobs = env.reset()\n'
    project(tmp_path, {"runner": RUNNER, "alone": alone})
    ran(analyze.fix, tmp_path)
    assert "import gymnasium as gym" in (tmp_path / "alone.py").read_text()


def test_a_class_that_is_asked_for_alone_knows_of_callers_that_nothing_connects(tmp_path: Path) -> None:
    project(tmp_path, PROGRAMS["configured"])
    for number in range(6):
        (tmp_path / f"other{number}.py").write_text("import numpy\n")
    asked = projects([str(tmp_path / "walk.py")], lambda root: Settings(root=root))
    analyze.fix(asked)
    assert (tmp_path / "walk.py").read_text() == ENVIRONMENT


def test_a_caller_that_is_no_python_of_today_keeps_what_it_imports_as_it_is(tmp_path: Path) -> None:
    main = "import gym\nfrom walk import Walk\n\nenv = Walk()\nobs, reward, done, _ = env.step(0)\nprint obs\n"
    project(tmp_path, {"walk": ENVIRONMENT, "main": main})
    report = ran(analyze.fix, tmp_path)
    assert (tmp_path / "walk.py").read_text() == ENVIRONMENT
    assert all("main.py:1, which cannot be read" in one.unfixed for one in report.findings if one.code == "GYM301")


def test_another_program_changes_beside_a_caller_that_is_no_python_of_today(tmp_path: Path) -> None:
    main = "import gym\nfrom scale import scaled\nfrom walks import Walk\n\nprint scaled(Walk().step(0)[1])\n"
    beside = f"from scale import scaled\n{TRAIN}print(scaled(reward))\n"
    scale = "def scaled(reward):\n    return reward / 10\n"
    files = {"walk": ENVIRONMENT, "walks": "from walk import Walk\n", "scale": scale, "main": main, "beside": beside}
    project(tmp_path, files)
    ran(analyze.fix, tmp_path)
    assert (tmp_path / "walk.py").read_text() == ENVIRONMENT
    assert "terminated, truncated, _ = env.step(0)" in (tmp_path / "beside.py").read_text()


def test_what_steps_for_a_caller_that_is_no_python_of_today_stays_as_it_is(tmp_path: Path) -> None:
    runner = "def run(env):\n    env.reset()\n    obs, reward, done, _ = env.step(0)\n    return done\n"
    old = 'import gym\nfrom runner import run\n\nprint run(gym.make("CartPole-v1"))\n'
    main = 'import gym\nfrom runner import run\n\nprint(run(gym.make("CartPole-v1")))\n'
    project(tmp_path, {"runner": runner, "old": old, "main": main})
    ran(analyze.fix, tmp_path)
    assert (tmp_path / "runner.py").read_text() == runner
    assert (tmp_path / "main.py").read_text() == main


def test_an_id_with_a_module_belongs_to_the_program_of_that(tmp_path: Path) -> None:
    blocked = ENVIRONMENT + "\n\ndef draw():\n    from gym.envs.classic_control import rendering\n"
    register = 'register(f"{name}-v0", entry_point="walk:Walk")'
    names = f'from gym.envs.registration import register\n\nfor name in "ab":\n    {register}\n'
    main = 'import gym\n\nenv = gym.make("names:a-v0")\nobs, reward, done, info = env.step(0)\n'
    project(tmp_path, {"walk": blocked, "names": names, "main": main})
    ran(analyze.fix, tmp_path)
    assert (tmp_path / "main.py").read_text() == main


def test_what_imports_no_python_of_today_stays_with_it(tmp_path: Path) -> None:
    runner = "import gym\n\n\ndef run(env):\n    obs, reward, done, _ = env.step(0)\n    print obs\n"
    main = 'import gym\nfrom runner import run\n\nenv = gym.make("CartPole-v1")\nenv.seed(1)\nrun(env)\n'
    project(tmp_path, {"runner": runner, "main": main})
    ran(analyze.fix, tmp_path)
    assert (tmp_path / "main.py").read_text() == main
