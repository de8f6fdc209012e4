"""The value targets of fixed vector programs are those of the single episodes, to 1e-9.

Each program walks through the same small maze, in which a step has one outcome and every value is known, and prints its
one-step targets. The fixes on request of GYM207 and GYM205 have to make them equal to what the episodes themselves say;
the program as it was has other targets: transitions that never happened, or values of another episode.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint
from running import on_gymnasium

pytest.importorskip("gymnasium")

MAZE = '''
import json

import gymnasium as gym
import numpy as np

VALUES = np.sqrt(np.arange(2.0, 13.0))
DISCOUNT = 0.9


class Maze(gym.Env):
    """A walk to the right, which a wall ends, or a limit: episodes begin at five places."""

    observation_space = gym.spaces.Discrete(11)
    action_space = gym.spaces.Discrete(3)

    def __init__(self):
        self.episodes = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.at, self.steps = self.episodes * 2 % 5, 0
        self.episodes += 1
        return self.at, {}

    def step(self, action):
        self.at, self.steps = min(self.at + int(action), 8), self.steps + 1
        return self.at, 0.5 + self.at / 7, self.at == 8, self.steps == 4, {}


def policy(seen):
    return 1 + np.asarray(seen) % 2


def value(seen):
    return VALUES[np.asarray(seen)]


def show(targets):
    print(json.dumps([round(float(one), 12) for one in np.asarray(targets).ravel()]))


'''

EPISODES = """
targets = []
mazes = [Maze(), Maze()]
seen = [maze.reset()[0] for maze in mazes]
for _ in range(24):
    for i, maze in enumerate(mazes):
        after, reward, terminated, truncated, _ = maze.step(policy(seen[i]))
        targets.append(reward + DISCOUNT * value(after) * (1 - terminated))
        seen[i] = maze.reset()[0] if terminated or truncated else after
show(targets)
"""

REPLAY = """
from collections import deque

envs = gym.vector.SyncVectorEnv([Maze, Maze])
replay = deque()
obs, infos = envs.reset()
for _ in range(24):
    action = policy(obs)
    next_obs, reward, terminated, truncated, infos = envs.step(action)
    replay.append((obs, action, reward, next_obs, terminated))
    obs = next_obs
show([r + DISCOUNT * value(s) * (1 - t) for _, _, r, s, t in replay])
"""

ARRAYS = """
envs = gym.vector.SyncVectorEnv([Maze, Maze])
before, actions, after = np.zeros((24, 2), int), np.zeros((24, 2), int), np.zeros((24, 2), int)
rewards, ends = np.zeros((24, 2)), np.zeros((24, 2))
obs, infos = envs.reset()
for t in range(24):
    before[t] = obs
    actions[t] = policy(obs)
    next_obs, reward, terminated, truncated, infos = envs.step(actions[t])
    rewards[t] = reward
    after[t] = next_obs
    ends[t] = terminated
    obs = next_obs
show(rewards + DISCOUNT * value(after) * (1 - ends))
"""

BUFFER = """
class Ledger:
    def __init__(self):
        self.pages = []

    def note(self, *page):
        self.pages.append(page)


envs = gym.vector.SyncVectorEnv([Maze, Maze])
ledger = Ledger()
obs, infos = envs.reset()
for _ in range(24):
    action = policy(obs)
    next_obs, reward, terminated, truncated, infos = envs.step(action)
    ledger.note(obs, action, reward, next_obs, terminated)
    obs = next_obs
show([r + DISCOUNT * value(s) * (1 - t) for _, _, r, s, t in ledger.pages])
"""

AT_ONCE = """
envs = gym.vector.SyncVectorEnv([Maze, Maze], autoreset_mode=gym.vector.AutoresetMode.SAME_STEP)
targets = []
obs, infos = envs.reset()
for _ in range(24):
    next_obs, reward, terminated, truncated, infos = envs.step(policy(obs))
    next_value = value(next_obs)
    targets.append(reward + DISCOUNT * next_value * (1 - terminated))
    obs = next_obs
show(targets)
"""

PROGRAMS = {
    "a replay buffer": REPLAY,
    "arrays": ARRAYS,
    "a buffer of the project": BUFFER,
    "targets at once": AT_ONCE,
}


def targets(folder: Path, program: str) -> list[float]:
    """What a program prints."""
    (folder / "main.py").write_text(MAZE + program, encoding="utf-8")
    return printed(folder)


def printed(folder: Path) -> list[float]:
    """What the program in a folder prints on Gymnasium."""
    life = on_gymnasium().run(folder)
    assert not life.failure, life.failure + (folder / "main.py").read_text(encoding="utf-8")
    found: list[float] = json.loads(life.printed)
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_targets_of_a_fixed_program_are_those_of_the_episodes(name: str, tmp_path: Path) -> None:
    reference = targets(tmp_path, EPISODES)
    assert targets(tmp_path, PROGRAMS[name]) != pytest.approx(reference, abs=1e-9)
    done_lint(tmp_path, "fix", "--unsafe-fixes", "--target-version", "1.4", "--no-cache", ".")
    assert printed(tmp_path) == pytest.approx(reference, abs=1e-9)


@pytest.mark.parametrize("name", PROGRAMS)
def test_safe_fixes_leave_the_targets_of_a_program_for_today_alone(name: str, tmp_path: Path) -> None:
    before = targets(tmp_path, PROGRAMS[name])
    done_lint(tmp_path, "fix", "--target-version", "1.4", "--no-cache", ".")
    assert printed(tmp_path) == before
