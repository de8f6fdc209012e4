"""What is put into one object comes out of that object, and of no other one of the class."""

from __future__ import annotations

from model_programs import sinks

BUFFER = """\
import random

import gymnasium as gym


class Buffer:
    def __init__(self):
        self.rows = []

    def push(self, obs, reward, next_obs, done):
        self.rows.append((obs, reward, next_obs, done))

    def sample(self, size):
        obs, rewards, next_obs, dones = zip(*random.sample(self.rows, size))
        return obs, rewards, next_obs, dones

    def last(self):
        return self.rows[-1][3]
"""
AGENT = """\


class {name}:
    def __init__(self, q{more}):
        self.q = q
        self.memory = {memory}

    def learn(self, obs, reward, next_obs, done):
        self.memory.push(obs, reward, next_obs, done)
        o, r, no, d = self.memory.sample(32)
        self.q.fit(o, r + 0.99 * self.q(no).max() * (1 - d))
"""
RUNS = """\


def wander(agent, maze):
    for action in range(100):
        agent.learn(1, 1.0, 2, maze.at_goal(action))


def episode(env, agent):
    obs, _ = env.reset()
    done = False
    while not done:
        next_obs, reward, terminated, truncated, _ = env.step(0)
        done = terminated or truncated
        agent.learn(obs, reward, next_obs, done)
        obs = next_obs
"""
BUFFERS = 'shared, other = Buffer(), Buffer()\nepisode(gym.make("CartPole-v1"), Player(1, shared))\n'
#: The rows of the targets of both agents, and of the call that hands the flag over.
WANDERER, PLAYER, STORE = 29, 40, 54


def _program(wanderer: str, player: str, main: str, more: str = "", one: bool = False) -> set[tuple[int, str]]:
    agents = [AGENT.format(name=n, memory=m, more=more) for n, m in (("Wanderer", wanderer), ("Player", player))]
    if one:
        agents = [agent.replace("o, r, no, d = self.memory.sample(32)", "d = self.memory.last()") for agent in agents]
    source = "".join((BUFFER, *agents, RUNS, "\n\n", main))
    return {(row, kind) for _, row, kind in sinks(source)}


def test_agents_that_make_their_own_buffers_do_not_share_what_is_in_them() -> None:
    main = 'wander(Wanderer(1), 2)\nepisode(gym.make("CartPole-v1"), Player(1))\n'
    assert _program("Buffer()", "Buffer()", main) == {(PLAYER, "mask"), (STORE, "store")}


def test_a_flag_that_a_buffer_gives_by_itself_comes_out_of_this_buffer() -> None:
    main = 'wander(Wanderer(1), 2)\nepisode(gym.make("CartPole-v1"), Player(1))\n'
    assert _program("Buffer()", "Buffer()", main, one=True) == {(PLAYER, "mask"), (STORE, "store")}


def test_a_buffer_that_both_agents_are_given_is_shared() -> None:
    main = f"{BUFFERS}Wanderer(1, shared)\n"
    assert _program("memory", "memory", main, ", memory") == {(WANDERER, "mask"), (PLAYER, "mask"), (STORE, "store")}


def test_buffers_that_each_agent_is_given_are_not() -> None:
    main = f"{BUFFERS}Wanderer(1, other)\n"
    assert _program("memory", "memory", main, ", memory") == {(PLAYER, "mask"), (STORE, "store")}


def test_a_buffer_that_nothing_shows_may_be_any() -> None:
    main = 'episode(gym.make("CartPole-v1"), Player(1))\nWanderer(Buffer())\n'
    found = _program("load()", "Buffer()", f"def load() -> Buffer:\n    ...\n\n\n{main}")
    assert found == {(WANDERER, "mask"), (PLAYER, "mask"), (STORE, "store")}


EPISODES = """\
import random

import gymnasium as gym


class Episode:
    def __init__(self):
        self.flags = []

    def add(self, flag):
        self.flags.append(flag)

    def get(self):
        return self.flags


def run(env):
    kept = []
    for _ in range(100):
        episode = Episode()
        env.reset()
        done = False
        while not done:
            _, _, terminated, truncated, _ = env.step(0)
            done = terminated or truncated
            episode.add({stored})
        kept.append(episode)

        flags = []
        for one in random.sample(kept, 4):
            flags += one.get()[1:]
        for k in range(len(flags)):
            yield 1.0 + 0.99 * q(k) * (1 - flags[k])

        episode = Episode()
        env.reset()
        done = False
        while not done:
            _, _, terminated, truncated, _ = env.step(0)
            done = terminated or truncated
            episode.add(done)
        {then}


run(gym.make("CartPole-v1"))
"""


def test_two_objects_of_one_function_differ_by_what_their_methods_are_called_with() -> None:
    found = {(row, kind) for _, row, kind in sinks(EPISODES.format(stored="done", then="print(done)"))}
    assert found == {(26, "store"), (33, "mask")}


def test_an_object_that_the_learner_may_get_is_none_of_its_own() -> None:
    found = {(row, kind) for _, row, kind in sinks(EPISODES.format(stored="terminated", then="kept.append(episode)"))}
    assert (41, "store") in found
