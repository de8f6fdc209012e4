"""Environments and wrappers of old Gym, fixed by `fix` alone, hold under Gymnasium's own checker."""

from __future__ import annotations

import shutil
from pathlib import Path
from textwrap import dedent

import pytest
from command import ROOT, done_lint
from running import with_gymnasium

pytest.importorskip("gymnasium")


@pytest.fixture
def fixed(tmp_path: Path) -> Path:
    """The fixture project after one run of `fix`, which leaves no finding."""
    folder = tmp_path / "old_env"
    shutil.copytree(ROOT / "fixtures" / "projects" / "old_env", folder)
    result = done_lint(folder, "fix", "--isolated", ".")
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


def python(folder: Path, *command: str) -> str:
    done = with_gymnasium(folder, *command)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_second_fix_changes_nothing(fixed: Path) -> None:
    before = {path.name: path.read_bytes() for path in fixed.iterdir()}
    assert done_lint(fixed, "fix", "--isolated", ".").returncode == 0
    assert {path.name: path.read_bytes() for path in fixed.iterdir()} == before


def test_the_environments_pass_the_checker_of_gymnasium(fixed: Path) -> None:
    program = dedent("""
        from gymnasium.utils.env_checker import check_env
        from gridworld import GridWorld, NoisyGridWorld
        from wrappers import Fence, History, SkipFrames
        for env in (GridWorld(), NoisyGridWorld(), GridWorld(render_mode="ansi")):
            check_env(env, skip_render_check=True)
        check_env(History(SkipFrames(GridWorld())), skip_render_check=True)
        one, other = NoisyGridWorld(), NoisyGridWorld()
        assert (one.reset(seed=3)[0] == other.reset(seed=3)[0]).all() and one.started == other.started
        env = GridWorld(render_mode="ansi")
        env.reset(seed=0)
        assert env.render().count("R") == 1
    """)
    python(fixed, "-c", program)


def test_the_wrappers_go_around_a_real_environment(fixed: Path) -> None:
    program = dedent("""
        import gymnasium as gym
        from wrappers import Fence, History, SkipFrames
        env = History(SkipFrames(gym.make("CartPole-v1", max_episode_steps=6)))
        obs, info = env.reset(seed=1)
        assert obs.shape == (12,) and info == {}
        ends = []
        for _ in range(3):
            obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
            ends.append((terminated, truncated))
        assert ends == [(False, False), (False, False), (False, True)], ends
        fence = Fence(gym.make("CartPole-v1"), limit=-1.0)
        fence.reset(seed=1)
        _, _, terminated, truncated, _ = fence.step(0)
        assert (terminated, truncated, fence.really_over) == (True, False, False)
    """)
    python(fixed, "-c", program)


def test_the_program_runs(fixed: Path) -> None:
    first, second = (python(fixed, "walk.py", "--seed", "4") for _ in range(2))
    assert first == second
    assert first.count("[") == 2
