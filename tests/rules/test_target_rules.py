"""What the target release decides, rule by rule: right for one release is outdated for another."""

from __future__ import annotations

from pathlib import Path

import pytest

from done_lint.engine.analyze import check
from done_lint.project.discovery import projects
from done_lint.project.settings import Overrides

ROLLOUT = """import gymnasium as gym

envs = gym.vector.SyncVectorEnv([make, make])
obs, infos = envs.reset()
for _ in range(1000):
    action = policy(obs)
    next_obs, reward, terminated, truncated, infos = envs.step(action)
    {row}
    obs = next_obs
"""
STORED = ROLLOUT.format(row="buffer.add(obs, action, reward, next_obs, terminated)")
FINAL = ROLLOUT.format(row='last = infos["final_observation"]')


def codes(folder: Path, program: str, target: str) -> list[str]:
    """What is found in a program that is to run under `target`."""
    (folder / "program.py").write_text(program)
    overrides = Overrides(isolated=True, target_version=target)
    return [finding.code for finding in check(projects([str(folder)], overrides.settings)).findings]


@pytest.mark.parametrize(
    ("program", "of_old", "of_new"),
    [
        ('import gymnasium as gym\nenv = gym.make("FrozenLake-v1")\nprint(env.P)\n', [], ["GYM406"]),
        ('import gymnasium as gym\nenv = gym.make("FrozenLake-v1")\nprint(env.reward_range)\n', [], ["GYM406"]),
        (
            'import gymnasium as gym\nenv = gym.wrappers.ClipAction(gym.make("Pendulum-v1"))\n'
            "print(env._max_episode_steps)\n",
            ["GYM406"],
            ["GYM406"],
        ),
        ('import gymnasium as gym\nenv = gym.make("CartPole-v1", autoreset=False)\n', [], ["GYM110"]),
        ('import gymnasium as gym\nenv = gym.make("CartPole-v1", new_step_api=True)\n', ["GYM110"], ["GYM110"]),
        ('import gymnasium as gym\nenvs = gym.vector.make("CartPole-v1", num_envs=2)\n', [], ["GYM407"]),
        # Up to 0.29 a vector environment resets in the step that ends an episode, since 1.0 in the one after it.
        (STORED, ["GYM205"], ["GYM207"]),
        (FINAL, [], ["GYM407"]),
    ],
)
def test_what_is_outdated(tmp_path: Path, program: str, of_old: list[str], of_new: list[str]) -> None:
    assert codes(tmp_path, program, "0.29") == of_old
    assert codes(tmp_path, program, "1.4") == of_new
