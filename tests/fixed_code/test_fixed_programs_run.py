"""The proof by running: old programs and their fixed copies run the same episodes.

An old program runs on the shim (`tests/shim/gym`), which gives Gymnasium's environments the four-value API.
Its copy, fixed by `done-lint fix`, runs on Gymnasium itself. `tests/shim/run_recorded.py` records both below the shim.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import command
import pytest
from command import ROOT
from running import SHIM, with_gymnasium

pytest.importorskip("gymnasium")

PROJECTS = ROOT / "fixtures" / "projects"


@dataclass(frozen=True)
class Program:
    """One program of a fixture project and the arguments to run it with."""

    project: str
    script: str
    arguments: tuple[str, ...]
    needs: str = "numpy"

    def __str__(self) -> str:
        return "-".join([self.project, *(a for a in self.arguments if a.endswith("-v1"))])


OLD = [
    Program("old_dqn", "train.py", ("--env", "CartPole-v1", "--steps", "1200")),
    Program("old_dqn", "train.py", ("--env", "Pendulum-v1", "--steps", "700")),
    Program("old_q_learning", "q_learning.py", ("--episodes", "250")),
    Program("old_ppo_gae", "ppo.py", ("--env", "CartPole-v1", "--steps", "1024"), needs="torch"),
    Program("old_ppo_gae", "ppo.py", ("--env", "Pendulum-v1", "--steps", "1024"), needs="torch"),
]
HALF = Program("half_migrated", "sarsa.py", ("--episodes", "2"))
MODERN = [
    Program("modern", "q_learning.py", ("--episodes", "4")),
    Program("modern", "advantage.py", ("--steps", "60")),
    Program("sb3_vecenv", "evaluate.py", ("--steps", "300"), needs="stable_baselines3"),
]


@dataclass(frozen=True)
class Life:
    """What a program printed, and the recorded episodes of its environments."""

    events: list[Any]
    printed: str
    error: str
    exit_code: int


def live(program: Program, folder: Path, record: Path, *, seed: int = 0, shim: bool = False) -> Life:
    """Run the program of that folder, on the shim or on Gymnasium itself."""
    if find_spec(program.needs) is None:
        pytest.skip(f"{program.needs} is not installed")
    recorded = [str(SHIM / "run_recorded.py"), str(record), str(folder / program.script)]
    done = with_gymnasium(folder, *recorded, *program.arguments, "--seed", str(seed), shim=shim)
    return Life(json.loads(record.read_text(encoding="utf-8")), done.stdout, done.stderr, done.returncode)


def done_lint(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command of this checkout; a crash or a wrong use (exit 2) fails the test."""
    result = command.done_lint(ROOT, *map(str, arguments))
    assert result.returncode in (0, 1), result.stdout + result.stderr
    return result


def findings(folder: Path, *options: str) -> list[dict[str, Any]]:
    """What `check` reports below a folder, as a project of its own: in this one old fixtures are kept on purpose."""
    with tempfile.TemporaryDirectory() as apart:
        copy = shutil.copytree(folder, Path(apart, folder.name), ignore=shutil.ignore_patterns("__pycache__"))
        result = done_lint("check", "--isolated", "--no-cache", "--output-format", "json", *options, copy)
    reported: list[dict[str, Any]] = json.loads(result.stdout)
    return reported


def fixed_copy(project: str, tmp_path: Path, *options: str) -> Path:
    """A copy of a fixture project, fixed by `done-lint fix`."""
    copy = tmp_path / project
    shutil.copytree(PROJECTS / project, copy, ignore=shutil.ignore_patterns("__pycache__"))
    done_lint("fix", "--isolated", "--no-cache", *options, copy)
    return copy


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Bytes and time of change of every file."""
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("program", OLD, ids=str)
def test_a_fixed_program_runs_the_same_episodes_seed_for_seed(program: Program, seed: int, tmp_path: Path) -> None:
    """Only the API is fixed here (`--ignore GYM2`): fixing the value target changes what is learned."""
    old = live(program, PROJECTS / program.project, tmp_path / "old.json", seed=seed, shim=True)
    assert old.exit_code == 0, old.error

    copy = fixed_copy(program.project, tmp_path, "--ignore", "GYM2")
    new = live(program, copy, tmp_path / "new.json", seed=seed)

    assert new.exit_code == 0, new.error
    assert len(new.events) > 200
    assert new.events == old.events
    assert new.printed == old.printed


@pytest.mark.parametrize("program", OLD, ids=str)
def test_an_old_program_does_not_run_on_gymnasium_before_it_is_fixed(program: Program, tmp_path: Path) -> None:
    """Without this the test above could pass for a program that needs no fix."""
    life = live(program, PROJECTS / program.project, tmp_path / "record.json")
    assert life.exit_code != 0
    assert "No module named 'gym'" in life.error


@pytest.mark.parametrize("program", [*OLD, HALF], ids=str)
def test_a_fully_fixed_program_runs_to_its_end_and_steps_no_ended_episode(program: Program, tmp_path: Path) -> None:
    copy = fixed_copy(program.project, tmp_path)
    life = live(program, copy, tmp_path / "record.json")
    assert life.exit_code == 0, life.error
    assert sum(event[0] == "step" and event[-1] for event in life.events) >= 2


@pytest.mark.parametrize("project", sorted({p.project for p in [*OLD, HALF]}))
def test_a_second_check_finds_nothing_that_fix_claimed(project: str, tmp_path: Path) -> None:
    before = findings(PROJECTS / project)
    claimed = {f["code"] for f in before if f["fix"] and f["fix"]["applicability"] == "safe"}
    assert claimed, "this project has something to fix"

    left = findings(fixed_copy(project, tmp_path))

    assert [f for f in left if f["fix"] and f["fix"]["applicability"] == "safe"] == []
    assert len(left) < len(before)


@pytest.mark.parametrize("project", sorted({p.project for p in [*OLD, HALF]}))
def test_fixing_twice_equals_fixing_once(project: str, tmp_path: Path) -> None:
    copy = fixed_copy(project, tmp_path)
    once = contents(copy)
    assert {name: data for name, (data, _) in once.items()} != {
        name: data for name, (data, _) in contents(PROJECTS / project).items()
    }
    done_lint("fix", "--isolated", "--no-cache", copy)
    assert contents(copy) == once


@pytest.mark.parametrize("project", ["modern", "sb3_vecenv"])
def test_a_right_program_has_no_finding_and_is_not_touched(project: str, tmp_path: Path) -> None:
    assert findings(PROJECTS / project) == []
    copy = tmp_path / project
    shutil.copytree(PROJECTS / project, copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = contents(copy)
    done_lint("fix", "--isolated", "--no-cache", copy)
    assert contents(copy) == before


@pytest.mark.parametrize("program", MODERN, ids=lambda p: f"{p.project}-{p.script}")
def test_the_right_programs_do_run(program: Program, tmp_path: Path) -> None:
    life = live(program, PROJECTS / program.project, tmp_path / "record.json")
    assert life.exit_code == 0, life.error
    assert len(life.events) > 20


def test_the_half_migrated_program_never_ends_its_evaluation_before_it_is_fixed(tmp_path: Path) -> None:
    life = live(HALF, PROJECTS / HALF.project, tmp_path / "record.json")
    assert life.exit_code != 0
    assert "stepped after its episode's end" in life.error


STORED_FLAGS = """
import gymnasium, sarsa
env = gymnasium.make("MountainCar-v0", max_episode_steps=30)
agent = sarsa.Agent(env)
sarsa.train(env, agent, 4, 0)
print("cut:", sum(bool(transition[4]) for transition in agent.memory), "of", len(agent.memory))
"""


def test_a_time_limit_no_longer_cuts_the_value_target(tmp_path: Path) -> None:
    """No car gets up the hill in 30 steps, so every cut of a target is one by the time limit."""
    copy = fixed_copy("half_migrated", tmp_path)
    cut = {
        folder: with_gymnasium(folder, "-c", STORED_FLAGS).stdout.splitlines()[-1]
        for folder in (PROJECTS / "half_migrated", copy)
    }
    assert cut[PROJECTS / "half_migrated"] == "cut: 4 of 120"
    assert cut[copy] == "cut: 0 of 120"


SEEDED_LOOP = """
import argparse
import gym

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
args = parser.parse_args()
env = gym.make("CartPole-v1")
env.seed(args.seed)
for episode in range(5):
    obs = env.reset()
    done = False
    while not done:
        obs, reward, done, info = env.step(int(obs[2] > 0))
"""


def test_a_seed_in_front_of_a_loop_costs_at_most_one_more_reset_and_never_repeats_an_episode(tmp_path: Path) -> None:
    """Gymnasium cannot seed without a reset; a seed put into the loop's reset would start every episode alike."""
    folder = tmp_path / "loop"
    folder.mkdir()
    (folder / "loop.py").write_text(SEEDED_LOOP, encoding="utf-8")
    program = Program("loop", "loop.py", ())
    old = live(program, folder, tmp_path / "old.json", seed=3, shim=True)
    done_lint("fix", "--isolated", "--no-cache", folder)
    new = live(program, folder, tmp_path / "new.json", seed=3)

    assert new.exit_code == 0, new.error
    old_starts = [event[1] for event in old.events if event[0] == "reset"]
    new_starts = [event[1] for event in new.events if event[0] == "reset"]
    assert new_starts[: len(old_starts)] == old_starts
    assert len(new_starts) <= len(old_starts) + 1
    assert len({str(start) for start in new_starts}) == len(new_starts)
