"""A project of three files that stores a flag in one and cuts a target in another."""

from __future__ import annotations

BUFFER = """
    import random
    class Buffer:
        def __init__(self):
            self.rows = []
        def add(self, obs, reward, next_obs, done):
            self.rows.append((obs, reward, next_obs, done))
        def sample(self, count):
            return zip(*random.sample(self.rows, count))
"""

AGENT = """
    def learn(buffer, value):
        obs, rewards, next_obs, dones = buffer.sample(32)
        return rewards + 0.99 * (1 - dones) * value(next_obs)%s
"""

TRAIN = """
    import gymnasium as gym
    from %s import Buffer
    from %s import learn
    env = gym.make("CartPole-v1")
    buffer = Buffer()
    obs, info = env.reset()
    for _ in range(1000):
        next_obs, reward, terminated, truncated, info = env.step(0)
        done = terminated or truncated
        buffer.add(obs, reward, next_obs, %s
        learn(buffer, value)
"""


def project(buffer: str, agent: str, stored: str, mark: str) -> dict[str, str]:
    """A trainer, its buffer and its agent; the modules are called as the trainer imports them."""
    paths = {name: f"{name.strip('.').replace('.', '/')}.py" for name in (buffer, agent)}
    return {
        paths[buffer]: BUFFER,
        paths[agent]: AGENT % mark,
        "train.py": TRAIN % (buffer, agent, stored),
    }
