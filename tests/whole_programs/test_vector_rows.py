"""Old vector programs store the same rows once they are fixed, row for row and seed for seed.

Each collects rows as an algorithm does, and prints all of them: on the shim, whose vector environments reset in the
step that ends an episode, and, after `fix`, on Gymnasium itself.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fixing import fix
from running import on_gymnasium, on_shim

pytest.importorskip("gymnasium")

HEAD = """
import gym
import numpy as np


def show(*columns):
    for column in columns:
        print(np.round(np.array(column, dtype=np.float64), 6).tolist())


chance = np.random.default_rng(0)
"""

A2C_LISTS = """
envs = gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1") for _ in range(3)])
envs.seed(3)
obs = envs.reset()
states, actions, rewards, masks = [], [], [], []
for _ in range(60):
    action = chance.integers(0, 2, size=3)
    next_obs, reward, done, infos = envs.step(action)
    states.append(obs)
    actions.append(action)
    rewards.append(reward)
    masks.append(1 - done)
    obs = next_obs
show(states, actions, rewards, masks)
"""

PPO_ARRAYS = """
envs = gym.vector.make("CartPole-v1", num_envs=2, asynchronous=False)
envs.seed(5)
steps = 64
seen, rewards, dones = np.zeros((steps, 2, 4)), np.zeros((steps, 2)), np.zeros((steps, 2))
next_obs, next_done = envs.reset(), np.zeros(2)
for step in range(steps):
    seen[step], dones[step] = next_obs, next_done
    next_obs, rewards[step], next_done, infos = envs.step(chance.integers(0, 2, size=2))
show(seen, rewards, dones, next_obs, next_done)
"""

DQN_REPLAY = """
from collections import deque

replay = deque(maxlen=1000)
envs = gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1")] * 2)
envs.seed(7)
obs = envs.reset()
for _ in range(60):
    actions = chance.integers(0, 2, size=2)
    next_obs, rewards, dones, infos = envs.step(actions)
    for i in range(2):
        replay.append((obs[i], actions[i], rewards[i], next_obs[i], dones[i]))
    obs = next_obs
for column in zip(*replay):
    show(column)
"""

RECURRENT_PPO = """
envs = gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1")] * 2)
envs.seed(1)
obs, hidden, done = envs.reset(), np.zeros((2, 4)), np.zeros(2)
rows = {"obs": [], "hidden": [], "reward": [], "done": []}
for _ in range(60):
    hidden = 0.5 * hidden * (1 - done)[:, None] + obs
    rows["obs"].append(obs)
    rows["hidden"].append(hidden)
    obs, reward, done, infos = envs.step(chance.integers(0, 2, size=2))
    rows["reward"].append(reward)
    rows["done"].append(done)
show(*rows.values())
"""

SEEDED_THUNKS = """
def make_env(seed):
    def thunk():
        env = gym.make("CartPole-v1")
        env.seed(seed)
        return env

    return thunk


envs = gym.vector.SyncVectorEnv([make_env(9 + i) for i in range(2)])
obs = envs.reset()
states, rewards = [], []
for _ in range(60):
    states.append(obs)
    obs, reward, done, infos = envs.step(chance.integers(0, 2, size=2))
    rewards.append(reward)
show(states, rewards)
"""

PIPES = """
from multiprocessing import Pipe
from threading import Thread


def work(pipe, seed):
    env = gym.make("CartPole-v1")
    env.seed(seed)
    while True:
        command, action = pipe.recv()
        if command == "step":
            obs, reward, done, info = env.step(action)
            if done:
                obs = env.reset()
            pipe.send((obs, reward, done, info))
        elif command == "reset":
            pipe.send(env.reset())
        else:
            break


class Pool:
    def __init__(self, count):
        pairs = [Pipe() for _ in range(count)]
        self.pipes = [ours for ours, _ in pairs]
        for i, (_, theirs) in enumerate(pairs):
            Thread(target=work, args=(theirs, i), daemon=True).start()

    def reset(self):
        for pipe in self.pipes:
            pipe.send(("reset", None))
        return np.stack([pipe.recv() for pipe in self.pipes])

    def step(self, actions):
        for pipe, action in zip(self.pipes, actions):
            pipe.send(("step", action))
        obs, rewards, dones, infos = zip(*[pipe.recv() for pipe in self.pipes])
        return np.stack(obs), np.array(rewards), np.array(dones), infos

    def close(self):
        for pipe in self.pipes:
            pipe.send(("close", None))


pool = Pool(2)
obs = pool.reset()
states, rewards, masks = [], [], []
for _ in range(60):
    states.append(obs)
    obs, reward, done, infos = pool.step(chance.integers(0, 2, size=2))
    rewards.append(reward)
    masks.append(done)
pool.close()
show(states, rewards, masks)
"""

ASYNC = """
envs = gym.vector.AsyncVectorEnv([lambda: gym.make("CartPole-v1")] * 2)
envs.seed(2)
obs = envs.reset()
states, rewards, dones = [], [], []
for _ in range(60):
    states.append(obs)
    obs, reward, done, infos = envs.step(chance.integers(0, 2, size=2))
    rewards.append(reward)
    dones.append(done)
envs.close()
show(states, rewards, dones)
"""

WRAPPED = """
class Scaled:
    def __init__(self, envs):
        self.envs = envs

    def reset(self):
        return self.envs.reset() / 2

    def step(self, actions):
        obs, rewards, dones, infos = self.envs.step(actions)
        return obs / 2, np.clip(rewards, -1, 1), dones, infos


scaled = Scaled(gym.vector.SyncVectorEnv([lambda: gym.make("CartPole-v1")] * 2))
obs = scaled.reset()
rows = []
for _ in range(60):
    actions = chance.integers(0, 2, size=2)
    next_obs, rewards, dones, infos = scaled.step(actions)
    rows.append((obs, next_obs, np.stack([rewards, dones, actions])))
    obs = next_obs
for column in zip(*rows):
    show(column)
"""

SEEDED_ELSEWHERE = WRAPPED.replace("self.envs = envs", "self.envs = envs\n        envs.seed(4)")

PROGRAMS = {
    "A2C with lists": A2C_LISTS,
    "PPO with arrays": PPO_ARRAYS,
    "DQN with a replay buffer": DQN_REPLAY,
    "recurrent PPO": RECURRENT_PPO,
    "thunks with seeds": SEEDED_THUNKS,
    "home-made pipes": PIPES,
    "AsyncVectorEnv": ASYNC,
    "a wrapper around the vector environment": WRAPPED,
}


def rows(program: str, folder: Path) -> tuple[str, str]:
    """What a program prints on the shim, and once it is fixed on Gymnasium."""
    (folder / "pyproject.toml").write_text("", encoding="utf-8")
    (folder / "main.py").write_text(HEAD + program, encoding="utf-8")
    old = on_shim().run(folder)
    assert not old.failure, old.failure
    fix(folder)
    new = on_gymnasium().run(folder)
    assert not new.failure, new.failure + (folder / "main.py").read_text(encoding="utf-8")
    return old.printed, new.printed


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_fixed_vector_program_stores_the_rows_that_it_stored(name: str, tmp_path: Path) -> None:
    old, new = rows(PROGRAMS[name], tmp_path)
    assert new == old
    assert old.count("0.0") > 1


def test_a_seed_reaches_a_reset_that_stands_elsewhere(tmp_path: Path) -> None:
    old, new = rows(SEEDED_ELSEWHERE, tmp_path)
    assert new == old
