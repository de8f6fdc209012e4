"""Rewards that are summed before they are stored, and what may be such a reward."""

from __future__ import annotations

import pytest
from model_programs import ROLLOUT, assert_sinks


def test_returns_beside_gae_are_no_reward_of_a_target() -> None:
    """Both ways to an advantage end in one loss: their sum is no evidence against either."""
    assert_sinks(f"""{ROLLOUT}
if use_gae:
    gae = 0
    for t in reversed(range(128)):
        delta = rewards[t] + 0.99 * values[t + 1] * (1 - dones[t]) - values[t]  # sink: recursion
        advantages[t] = gae = delta + 0.99 * 0.95 * (1 - dones[t]) * gae
    returns = advantages + values
else:
    for t in reversed(range(128)):
        next_return = bootstrap if t == 127 else returns[t + 1]
        returns[t] = rewards[t] + 0.99 * (1 - dones[t]) * next_return  # sink: recursion
    advantages = returns - values
loss = (advantages * ratio).mean() + 0.5 * (values - returns).pow(2).mean()
""")


def test_what_may_be_a_reward_that_was_stored_may_be_a_value_as_well() -> None:
    assert_sinks("""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs, info = env.reset()
        memory = []
        for _ in range(9):
            next_obs, reward, terminated, truncated, info = env.step(0)
            memory.append([reward, value(next_obs), terminated or truncated])  # sink: store
        for row in memory:
            y = row[0] + 0.99 * row[column] * (1 - row[2])  # sink: mask
    """)


N_STEPS = """
    import gymnasium as gym
    from collections import deque
    env = gym.make("CartPole-v1")
    obs, info = env.reset()
    window = deque(maxlen=3)
    for _ in range(9):
        next_obs, reward, terminated, truncated, info = env.step(0)
        done = terminated or truncated
        window.append((obs, 0, reward, next_obs, done))
    total, last_obs, last = window[-1][-3:]
    for row in reversed(list(window)[:-1]):
        r, n, d = row[-3:]
        total = {sum}
        last_obs, last = (n, d) if d else (last_obs, last)
    total = {start}
    for row in reversed(list(window)[:-1]):
        r, n, d = row[-3:]
        total = {other}
"""


def test_the_rewards_of_n_steps_stop_at_done() -> None:
    """The window has to stop at the end of an episode; what bootstraps behind it has a mask of its own."""
    silent = "r + gamma * total * (1 - d)"
    assert_sinks(N_STEPS.format(sum=silent, start="value(last_obs)", other=f"{silent}  # sink: recursion"))


@pytest.mark.parametrize(
    ("use", "recursion"),
    [
        ("y = memory[0][0] + 0.99**3 * value(obs) * (1 - memory[0][1])", ""),
        ("y = memory[0][0] - value(obs)", "  # sink: recursion"),
    ],
)
def test_a_sum_that_is_the_reward_of_a_later_target_stops_at_done(use: str, recursion: str) -> None:
    """Returns without a target behind them drop the value of a truncated episode's last state; these do not."""
    assert_sinks(f"""
        import gymnasium as gym
        from collections import deque
        env = gym.make("CartPole-v1")
        obs, info = env.reset()
        window, memory = deque(maxlen=3), []
        for _ in range(9):
            next_obs, reward, terminated, truncated, info = env.step(0)
            window.append((obs, reward, terminated, terminated or truncated))
            total = 0
            for i in reversed(range(3)):
                _, r, ended, d = window[i]
                total = r + gamma * (1 - d) * total{recursion}
            memory.append((total, ended))
        {use}
    """)


def test_rows_of_a_sum_that_are_set_to_zero_cut_no_value() -> None:
    """The sum stops at done; the target behind it has a mask of its own, whatever function both go through."""
    assert_sinks("""
        import gymnasium as gym
        import numpy as np
        import torch


        def check(value):
            return torch.from_numpy(value) if isinstance(value, np.ndarray) else value


        class Buffer:
            def __init__(self, size, gamma, n):
                self.size, self.gamma, self.n, self.at = size, gamma, n, 0
                self.obs = np.zeros((size, 4))
                self.next_obs = np.zeros((size, 4))
                self.rewards = np.zeros((size, 1))
                self.dones = np.full((size, 1), False)
                self.terms = np.full((size, 1), False)

            def insert(self, obs, reward, done, term, next_obs):
                self.obs[self.at] = obs
                self.rewards[self.at] = reward
                self.dones[self.at] = done
                self.terms[self.at] = term
                self.next_obs[self.at] = next_obs
                self.at = (self.at + 1) % self.size

            def sample(self):
                indices = [np.random.randint(0, self.size, 8)]
                for _ in range(self.n - 1):
                    indices.append((indices[-1] + 1) % self.size)

                total = np.zeros((8, 1))
                steps = np.full(8, self.n)
                for k in range(self.n - 1, -1, -1):
                    now = indices[k]
                    steps[self.dones[now].squeeze() > 0] = k + 1
                    total[self.dones[now].squeeze() > 0] = 0.0
                    total = self.rewards[now] + self.gamma * total
                last = indices[-1]
                return self.obs[indices[0]], total, self.terms[last], self.next_obs[last], self.gamma**steps


        class Critic:
            def train(self, obs, reward, term, next_obs, gamma):
                reward = check(reward)
                next_obs = check(next_obs)
                gamma = check(gamma)
                next_q = torch.gather(self.target(next_obs), 1, check(obs))
                target = reward + gamma * next_q * (1 - term)
                loss = ((self.critic(obs) - target) ** 2).mean()
                loss.backward()


        env = gym.make("CartPole-v1")
        buffer, critic = Buffer(100, 0.99, 3), Critic()
        obs, info = env.reset()
        for _ in range(100):
            next_obs, reward, terminated, truncated, info = env.step(0)
            buffer.insert(obs, reward, terminated or truncated, terminated, next_obs)
            o, r, t, n, g = buffer.sample()
            critic.train(o, r, t, n, g)
            obs = next_obs
    """)
