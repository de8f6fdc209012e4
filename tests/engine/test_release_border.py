"""What only Gymnasium 1.0 runs is written where nothing is left that this release does not run."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

TRAIN = """import gymnasium
from envs import thunk

envs = gymnasium.vector.SyncVectorEnv([thunk])
obs, infos = envs.reset(seed=1)
for _ in range(500):
    obs, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
    if "final_info" in infos:
        for info in infos["final_info"]:
            if info and "episode" in info:
                print(info["episode"]["r"])
"""
ENVS = """import gymnasium


def thunk():
    env = gymnasium.make("Pendulum-v1")
    return gymnasium.wrappers.{}
"""
#: Which keys to keep of a dictionary shows nowhere.
LEFT = "FilterObservation(env)"
FIXED = "TransformObservation(env, lambda o: o / 2)"
REASON = "blocked by `thunk` (envs.py:6), which uses a wrapper by its old name and has no fix"


def project(folder: Path, wrapper: str, bound: str = "") -> Path:
    dependencies = f'["gymnasium{bound}"]' if bound else "[]"
    (folder / "pyproject.toml").write_text(f'[project]\nname = "p"\nversion = "1"\ndependencies = {dependencies}\n')
    (folder / "envs.py").write_text(ENVS.format(wrapper))
    (folder / "train.py").write_text(TRAIN)
    return folder / "train.py"


def test_the_mode_waits_for_a_wrapper_of_another_file_that_stays(tmp_path: Path) -> None:
    train = project(tmp_path, LEFT)
    result = done_lint(tmp_path, "fix")
    assert train.read_text() == TRAIN
    assert REASON in result.stderr + result.stdout


def test_the_mode_is_asked_for_where_all_is_fixed(tmp_path: Path) -> None:
    train = project(tmp_path, FIXED)
    done_lint(tmp_path, "fix")
    assert "SAME_STEP" in train.read_text()
    assert "observation_space=None" in (tmp_path / "envs.py").read_text()


@pytest.mark.parametrize(("bound", "fixed"), [("", False), (">=1.0", True)])
def test_a_wrapper_waits_for_another_one_but_where_no_release_before_runs(
    tmp_path: Path, bound: str, *, fixed: bool
) -> None:
    project(tmp_path, LEFT, bound)
    envs = tmp_path / "envs.py"
    other = ENVS.format("TransformReward(env, f=abs)").replace("thunk", "other")
    envs.write_text(envs.read_text() + other.removeprefix("import gymnasium\n"))
    done_lint(tmp_path, "fix")
    assert ("func=abs" in envs.read_text()) is fixed


def test_a_file_that_no_program_shares_holds_nothing_back(tmp_path: Path) -> None:
    train = project(tmp_path, FIXED)
    (tmp_path / "other.py").write_text(ENVS.format(LEFT))
    done_lint(tmp_path, "fix")
    assert "SAME_STEP" in train.read_text()
