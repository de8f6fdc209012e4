"""Agents and buffers as many people write them."""

from __future__ import annotations

import pytest
from model_programs import STEP, assert_sinks


def test_returns_over_the_lists_of_a_memory_are_a_recursion() -> None:
    assert_sinks("""
        import gymnasium as gym
        class Buf:
            def __init__(self):
                self.rewards = []
                self.is_terminals = []
            def clear(self):
                del self.rewards[:]
                del self.is_terminals[:]
        class PPO:
            def __init__(self):
                self.buffer = Buf()
                self.gamma = 0.99
            def update(self):
                rewards = []
                discounted_reward = 0
                for reward, is_terminal in zip(reversed(self.buffer.rewards), reversed(self.buffer.is_terminals)):
                    if is_terminal:  # sink: recursion
                        discounted_reward = 0
                    discounted_reward = reward + (self.gamma * discounted_reward)
                    rewards.insert(0, discounted_reward)
        agent = PPO()
        env = gym.make("A-v0")
        for t in range(1, 100):
            state, reward, terminated, truncated, _ = env.step(0)
            done = terminated or truncated
            agent.buffer.rewards.append(reward)
            agent.buffer.is_terminals.append(done)
            agent.update()
    """)


def test_an_agent_with_a_buffer_of_namedtuples_stores_done() -> None:
    assert_sinks("""
        import gymnasium as gym
        import random, torch
        import numpy as np
        from collections import namedtuple, deque
        class ReplayBuffer:
            def __init__(self):
                self.memory = deque(maxlen=9)
                self.experience = namedtuple("Row", field_names=["state", "action", "reward", "next_state", "done"])
            def add(self, state, action, reward, next_state, done):
                e = self.experience(state, action, reward, next_state, done)
                self.memory.append(e)
            def sample(self):
                experiences = random.sample(self.memory, k=9)
                rewards = torch.from_numpy(np.vstack([e.reward for e in experiences if e])).float()
                dones = torch.from_numpy(np.vstack([e.done for e in experiences if e]).astype(np.uint8)).float()
                return (rewards, dones)
        class Agent:
            def __init__(self):
                self.memory = ReplayBuffer()
            def step(self, state, action, reward, next_state, done):
                self.memory.add(state, action, reward, next_state, done)
                self.learn(self.memory.sample(), 0.99)
            def learn(self, experiences, gamma):
                rewards, dones = experiences
                Q_targets = rewards + (gamma * net(1) * (1 - dones))  # sink: mask
        agent = Agent()
        env = gym.make("A-v0")
        next_state, reward, terminated, truncated, _ = env.step(0)
        done = terminated or truncated
        agent.step(1, 2, reward, next_state, done)  # sink: store
    """)


def test_a_transition_that_grows_from_method_to_method_stores_done() -> None:
    assert_sinks("""
        import gymnasium as gym
        import numpy as np
        class Memory:
            def __init__(self):
                self.dones = np.zeros(1000)
                self.rewards = np.zeros(1000)
                self.at = 0
            def store(self, obs, act, rew, next_obs, done):
                self.rewards[self.at] = rew
                self.dones[self.at] = done
                self.at += 1
            def sample(self, rows):
                return dict(rews=self.rewards[rows], done=self.dones[rows])
        class Agent:
            def __init__(self, env):
                self.env = env
                self.transition = list()
                self.memory = Memory()
            def select(self, state):
                self.transition = [state, 1]
                return 1
            def step(self, action):
                next_state, reward, terminated, truncated, _ = self.env.step(action)
                done = terminated or truncated
                self.transition += [reward, next_state, done]  # sink: store
                self.memory.store(*self.transition)
                return next_state, reward, done
            def learn(self):
                samples = self.memory.sample([1, 2])
                return samples["rews"] + 0.99 * value(1) * (1 - samples["done"])  # sink: mask
        agent = Agent(gym.make("Pendulum-v1"))
        agent.select(0)
        agent.step(1)
    """)


@pytest.mark.parametrize(("base", "kept"), [("dict", True), ("OrderedDict", True), ("Rows", False)])
def test_a_buffer_that_is_a_dict_keeps_its_items(base: str, kept: bool) -> None:
    store, mask = ("  # sink: store", "  # sink: mask") if kept else ("", "")
    assert_sinks(f"""
        import gymnasium as gym
        import numpy as np
        from collections import OrderedDict
        class Rows:
            def __setitem__(self, key, value):
                pass
            def __getitem__(self, key):
                return 0
        class Memory({base}):
            def __init__(self):
                super().__init__()
                self["reward"] = np.empty((10, 1))
                self["done"] = np.empty((10, 1))
                self.at = 0
            def _append(self, reward, done):
                self["reward"][self.at] = reward
                self["done"][self.at] = done
            def sample(self, rows):
                return self["reward"][rows], self["done"][rows]
        class StepMemory(Memory):
            def append(self, reward, done):
                self._append(reward, done)
        memory = StepMemory()
        env = gym.make("CartPole-v1")
        obs, info = env.reset()
        obs, reward, terminated, truncated, info = env.step(0)
        memory.append(reward, terminated or truncated){store}
        rewards, dones = memory.sample([1, 2])
        y = rewards + 0.99 * (1.0 - dones) * value(obs){mask}
    """)


def test_an_agent_that_replays_row_by_row_stores_done() -> None:
    assert_sinks("""
        import gymnasium as gym
        import random
        class DQNAgent:
            def __init__(self):
                self.memory = []
                self.gamma = 0.95
            def memorize(self, state, action, reward, next_state, done):
                self.memory.append((state, action, reward, next_state, done))
            def replay(self, n):
                minibatch = random.sample(self.memory, n)
                for state, action, reward, next_state, done in minibatch:
                    target = reward
                    if not done:  # sink: branch
                        target = (reward + self.gamma * np.amax(self.model.predict(next_state)[0]))
        agent = DQNAgent()
        env = gym.make("A-v0")
        next_state, reward, terminated, truncated, _ = env.step(0)
        done = terminated or truncated
        agent.memorize(1, 2, reward, next_state, done)  # sink: store
        agent.replay(3)
    """)


def test_a_batch_made_by_a_dict_comprehension_stores_done() -> None:
    assert_sinks("""
        import gymnasium as gym
        import numpy as np, torch
        class RB:
            def __init__(self):
                self.done_buf = np.zeros(9)
            def store(self, rew, done):
                self.done_buf[self.ptr] = done
            def sample_batch(self):
                idxs = 3
                batch = dict(rew=self.rew_buf[idxs], done=self.done_buf[idxs])
                return {k: torch.as_tensor(v) for k, v in batch.items()}
        def loss(data):
            r, d = data['rew'], data['done']
            backup = r + gamma * (1 - d) * q  # sink: mask
        rb = RB()
        env = gym.make("A-v0")
        o2, r, terminated, truncated, _ = env.step(0)
        d = terminated or truncated
        rb.store(r, d)  # sink: store
        batch = rb.sample_batch()
        loss(data=batch)
    """)


def test_a_row_with_both_flags_uses_each_for_its_own_purpose() -> None:
    assert_sinks("""
        import gymnasium as gym
        env = gym.make("A-v0")
        o, r, term, trunc, info = env.step(0)
        row = {"reward": r, "is_terminal": term, "is_last": term or trunc}
        buf = []
        buf.append(row)
        b = buf[0]
        y = b["reward"] + 0.99 * (1 - b["is_terminal"]) * v
        mask = 1 - b["is_last"]
        h = h * mask
    """)


@pytest.mark.parametrize("made", ["torch.tensor(batch[k]) for k in batch", "torch.tensor(v) for k, v in batch.items()"])
def test_a_batch_converted_key_by_key_keeps_its_fields_apart(made: str) -> None:
    assert_sinks(f"""{STEP}
batch = {{"done": done, "end": terminated}}
batch = {{k: {made}}}
y = reward + 0.99 * (1 - batch["end"]) * value(next_obs)
""")


def test_a_relabelled_transition_that_never_ends_is_right() -> None:
    assert_sinks("""
        import gymnasium as gym
        env = gym.make("A-v0")
        mem = []
        o, r, term, trunc, info = env.step(0)
        done = term or trunc
        ep = []
        ep.append((o, r, done))
        for o, r, d in ep:
            mem.append((o, r, False))
        for o, r, d in mem:
            y = r + 0.99 * (1 - d) * value(o)
    """)
