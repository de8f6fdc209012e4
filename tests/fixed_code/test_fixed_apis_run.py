"""The proof by running, for what has no shim: programs of old Gym that `fix` makes run under Gymnasium."""

from __future__ import annotations

from pathlib import Path

import pytest
from running import with_gymnasium
from test_fixed_programs_run import done_lint

pytest.importorskip("gymnasium", minversion="1.0")

EPISODES = """
import gym
import numpy as np


def maker(seed):
    def make():
        env = gym.make("CartPole-v1", new_step_api=True)
        env = gym.wrappers.RecordEpisodeStatistics(env)
        env.action_space.seed(seed)
        return env

    return make


envs = gym.vector.SyncVectorEnv([maker(i) for i in range(3)])
envs.action_space.seed(0)
obs = envs.reset()
finished = []
ended = 0
while len(finished) < 5:
    obs, reward, done, infos = envs.step(envs.action_space.sample())
    ended += int(np.sum(done))
    for place, item in enumerate(infos):
        if "episode" in item.keys():
            finished.append((place, item["episode"]["r"], item["episode"]["l"]))
assert all(place in range(3) and r == l > 0 for place, r, l in finished), finished
assert ended == len(finished)
print(obs.shape, len(finished) >= 5)
"""

FINAL_INFO = """
import gymnasium as gym

envs = gym.vector.make("CartPole-v1", 2, asynchronous=False)
envs = gym.wrappers.vector.RecordEpisodeStatistics(envs)
obs, infos = envs.reset(seed=0)
returns = []
for _ in range(200):
    obs, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
    if "final_info" in infos:
        for info in infos["final_info"]:
            if info and "episode" in info:
                returns.append(float(info["episode"]["r"][0]))
print(obs.shape, len(returns) > 4)
"""

TABLES = """
import gym

env = gym.make("FrozenLake-v1", is_slippery=False)
low, high = env.reward_range
values = [0.0] * env.nS
for _ in range(50):
    for state in range(env.env.nS):
        values[state] = max(
            sum(p * (r + 0.9 * values[n] * (not end)) for p, n, r, end in env.env.P[state][action])
            for action in range(env.nA)
        )
wrapped = gym.wrappers.TimeAwareObservation(env)
assert wrapped._max_episode_steps == 100
assert low <= min(values) and max(values) <= high
print(round(values[0], 3), max(values) == 1.0)
"""

FRAMES = """
import gym

env = gym.make("CartPole-v1")
obs = env.reset(seed=3, return_info=False)
frames = [env.render(mode="rgb_array")]
obs, reward, done, info = env.step(0)
frames.append(env.render("rgb_array"))
print(obs.shape, frames[1].ndim == 3)
"""


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        (EPISODES, "(3, 4) True"),
        (FINAL_INFO, "(2, 4) True"),
        (TABLES, "0.59 True"),
        (FRAMES, "(4,) True"),
    ],
    ids=["episode statistics", "final infos", "tables", "frames"],
)
def test_a_fixed_program_runs(text: str, printed: str, tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(text, encoding="utf-8")
    before = with_gymnasium(tmp_path, script.name)
    assert before.returncode != 0, "it needs no fix"

    done_lint("fix", "--isolated", "--no-cache", script)

    after = with_gymnasium(tmp_path, script.name)
    assert after.returncode == 0, after.stderr + script.read_text(encoding="utf-8")
    assert after.stdout.strip() == printed
