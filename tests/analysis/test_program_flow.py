"""Files that several programs share: what one program does is no evidence for the others."""

from __future__ import annotations

from textwrap import dedent

import pytest
from agent_project import BUFFER
from model_programs import assert_sinks


def test_scripts_that_share_a_buffer_do_not_affect_each_other() -> None:
    """One script stores done and learns wrongly; the other stores terminated, and its target is right."""
    learning = """
        import gymnasium as gym
        from buffer import Buffer
        env = gym.make("CartPole-v1")
        buffer = Buffer()
        obs, info = env.reset()
        for _ in range(1000):
            next_obs, reward, terminated, truncated, info = env.step(0)
            done = terminated or truncated
            buffer.add(obs, reward, next_obs, %s
            obs, rewards, next_obs, dones = buffer.sample(32)
            target = rewards + 0.99 * (1 - dones) * value(next_obs)%s
    """
    assert_sinks(
        {
            "buffer.py": BUFFER,
            "wrong.py": learning % ("done)  # sink: store", "  # sink: mask"),
            "right.py": learning % ("terminated)", ""),
        }
    )


def test_a_script_that_only_logs_done_does_not_affect_one_that_learns() -> None:
    logging = """
        import gymnasium as gym
        from buffer import Buffer
        env = gym.make("CartPole-v1")
        buffer = Buffer()
        obs, reward, terminated, truncated, info = env.step(0)
        buffer.add(obs, reward, obs, terminated or truncated)
    """
    learning = """
        from buffer import Buffer
        def learn(value):
            buffer = Buffer()
            obs, rewards, next_obs, dones = buffer.sample(32)
            return rewards + 0.99 * (1 - dones) * value(next_obs)
    """
    assert_sinks({"buffer.py": BUFFER, "logs.py": logging, "learns.py": learning})


@pytest.mark.parametrize(
    ("running", "store", "mask"),
    [
        ("", "", ""),
        ("training.collect(gym.make('CartPole-v1'), buffer)", "  # sink: store", "  # sink: mask"),
        ("import helpers\nhelpers.start(buffer)", "  # sink: store", "  # sink: mask"),
        ("Thread(target=training.collect, args=(env, buffer))", "  # sink: store", "  # sink: mask"),
    ],
    ids=["not", "called", "called by a function", "handed to a call"],
)
def test_what_a_function_stores_concerns_the_scripts_that_run_it(running: str, store: str, mask: str) -> None:
    """Both scripts import the module; the second steps an environment that nothing is known of."""
    training = """
        def collect(env, buffer):
            obs, info = env.reset()
            for _ in range(1000):
                next_obs, reward, terminated, truncated, info = env.step(0)
                buffer.add(obs, reward, next_obs, terminated or truncated)%s
    """
    helpers = """
        import gymnasium as gym
        from training import collect
        def start(buffer):
            collect(gym.make("CartPole-v1"), buffer)
    """
    first = """
        import gymnasium as gym
        from buffer import Buffer
        from training import collect
        collect(gym.make("CartPole-v1"), Buffer())
    """
    second = """
        import gymnasium as gym
        from threading import Thread
        from buffer import Buffer
        import training
        buffer = Buffer()
        %s
        for action in actions:
            obs, reward, next_obs, done = arena.act(action)
            buffer.add(obs, reward, next_obs, done)
        obs, rewards, next_obs, dones = buffer.sample(32)
        target = rewards + 0.99 * (1 - dones) * value(next_obs)%s
    """
    second = dedent(second) % (running, mask)
    files = {"buffer.py": BUFFER, "training.py": training % store, "helpers.py": helpers, "first.py": first}
    assert_sinks(files | {"second.py": second})
