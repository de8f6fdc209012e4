"""Uses of a flag that look like a cut value target and are none."""

from __future__ import annotations

import pytest
from model_programs import ROLLOUT, STEP, assert_sinks, sinks


@pytest.mark.parametrize(
    "rows",
    [
        "hidden = hidden * (1 - done)",
        "loc = (values * (1 - done)).sum() / count\ny = reward + 0.99 * (value(next_obs) - loc)",
        "y = reward + 0.99 * value(next_obs)\nloss = (y - value(obs)) * (1 - done)",
        "y = reward + 0.99 * value(next_obs)\nloss = 0.0 if done else y - value(obs)",
        "y = reward + 0.99 * value(next_obs)\nif done:\n    y = reward + 0.99 * value(info['final_obs'])",
        "y = reward + 0.99 * value(next_obs)\nif done:\n    y = y - 10",
        "y = reward + 0.99 * value(next_obs)\ny[0] = reward[0]",
        "for i in range(9):\n    y[i] = reward + 0.99 * v[i]\nfor i in range(9):\n    if done:\n        y[i] = reward",
        "y[i] = reward + 0.99 * v[i]\nif done:\n    y[i] = y[i] + 0.99 * w[i]\n    y[j] = reward\n    y[i] = 0",
        "y[i] = reward + 0.99 * v[i]\nif terminated:\n    y[i] = reward",
        "y = reward + 0.99 * value(next_obs)\ny[done] = reward[done] + 0.99 * value(info['final_obs'])",
        "y = reward + 0.99 * value(next_obs)\nif done:\n    obs, info = env.reset()",
        "y = reward + 0.99 * value(next_obs)\nif terminated:\n    y = reward",
        "decay = 0.99 * 0.95\ntrace = decay * (1 - done)",
        "trace = 0.0\nfor _ in range(9):\n    trace = 0.99 * lam * trace\n    trace *= 1 - done",
        "trace = 0.0\nfor _ in range(9):\n    trace = 0.99 * decay * trace\n    trace *= 1 - done",
        "hidden = (1.0 - done) * hidden[0], (1.0 - done) * hidden[1]",
        "if done:\n    hidden = None",
        "episode_return = (episode_return + reward) * (1 - done)",
        "episode_length *= 1 - done",
        "reward = -10 if done else reward",
        "reward = reward * (1 - done)",
        "loss = (1 - done) * (value(obs) - target) ** 2",
        "wins += done * 1",
        "if done:\n    epsilon *= 0.99",
        "epsilon = epsilon * 0.99 if done else epsilon",
        "if done:\n    scheduler.step()\n    lr = 0.95 * lr",
        "average = 0.99 * average + 0.01 * done",
        "average = 0.99 * average + 0.01 * (1 - done)",
        "print('over' if done else 'on')",
        "log.append((reward, done))",
        "weight = 0.5 * (1 - done)",
        "parts = np.zeros(9)\nif not done:\n    parts[i] = reward * discount**i\nelse:\n    parts[i] = 0",
        "total = 0.0\nif not done:\n    total += 0.99**i * reward",
    ],
)
def test_other_uses_of_done_are_no_sinks(rows: str) -> None:
    assert_sinks(f"{STEP}{rows}\n")


@pytest.mark.parametrize("shaped", ["reward = 0 if done else reward", "if done:\n        reward = 0"])
@pytest.mark.parametrize(
    "returns",
    [
        "for reward in reversed(rewards):\n    running = reward + gamma * running",
        "for t in reversed(range(len(rewards))):\n    running = rewards[t] + gamma * running",
        "for t in reversed(range(len(rewards))):\n    running = running * gamma + rewards[t]\n    rewards[t] = running",
    ],
)
def test_a_reward_of_zero_at_the_end_of_an_episode_cuts_no_return(shaped: str, returns: str) -> None:
    rollout = ROLLOUT.replace("rewards.append", f"{shaped}\n    rewards.append")
    assert_sinks(f"{rollout}\ngamma, running = 0.99, 0\n{returns}\n")


def test_recurrent_state_reset_in_a_loop_is_no_recursion() -> None:
    assert_sinks("""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs, info = env.reset()
        hidden = start()
        while True:
            action, hidden = policy(obs, hidden)
            obs, reward, terminated, truncated, info = env.step(action)
            done = terminated or truncated
            hidden = hidden * (1 - done)
    """)


def test_a_sum_of_rows_that_an_object_carries_on_is_no_target() -> None:
    """Gymnasium's `NormalizeReward` for vectors; rows of a local array are a target."""
    program = """
        import gymnasium as gym
        import numpy as np
        class Normalize(gym.vector.VectorWrapper):
            def step(self, actions):
                obs, reward, terminated, truncated, info = super().step(actions)
                going = ~self.before
                TOTAL[going] = TOTAL[going] * self.gamma + reward[going]
                self.before = np.logical_or(terminated, truncated)
                return obs, reward, terminated, truncated, info
    """
    assert_sinks(program.replace("TOTAL", "self.total"))
    assert {kind for _, _, kind in sinks(program.replace("TOTAL", "values"))} == {"branch"}


def test_a_value_that_masked_values_come_to_is_no_mask() -> None:
    """What networks and helpers return may be anything that was passed to them."""
    program = f"""{STEP}
def same(x):
    return x

kept = same(1 - done)
target = same(0.5 * value(next_obs) * (1 - done))  # sink: mask
loss = 0.99 * same(value(obs))
"""
    assert_sinks(program)


@pytest.mark.parametrize(
    "average",
    [
        "0.9 * average + 0.1 * total",
        "0.1 * total + 0.9 * average",
        "average * 0.9 + total * 0.1",
        "gamma * average + (1 - gamma) * total",
        "(1 - self.gamma) * total + self.gamma * average",
    ],
)
def test_an_average_is_no_value_target(average: str) -> None:
    rows = f"average = {average}"
    assert_sinks(f"{STEP}total, average = reward, 0\nfor n in range(9):\n    if not done:\n        {rows}\n")
    assert_sinks(
        f"{STEP}total, average = reward, 0\nfor n in range(9):\n    if done:\n        pass\n    else:\n        {rows}\n"
    )


@pytest.mark.parametrize(
    "weights", ["0.9 * total + 0.2 * reward", "gamma * total + reward", "0.99 * total + 1 * reward"]
)
def test_a_sum_whose_weights_do_not_add_up_to_one_is_a_value_target(weights: str) -> None:
    assert_sinks(
        f"{STEP}total = 0\nfor n in range(9):\n    if not done:  # sink: recursion\n        total = {weights}\n"
    )


@pytest.mark.parametrize("first", ["episode == 0", "episode > 0", "episode >= 1"])
def test_the_first_of_a_loop_is_no_limit(first: str) -> None:
    program = f"""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        totals = []
        for episode in range(10):
            obs, info = env.reset()
            obs, reward, terminated, truncated, info = env.step(0)
            total = reward
            if {first}:
                totals.append(total)
            else:
                totals.append(0.9 * totals[-1] + total)
    """
    assert_sinks(program)
    assert_sinks(program.replace("else:", f"if not ({first}):"))


REWARDED = """\
import gymnasium as gym

class Agent:
    def __init__(self):
        self.rewards = []
    def act(self, obs, r):
        self.rewards.append(r)
        total = 0
        for n, reward in enumerate(self.rewards):
            total += 0.99 ** n * reward

agent = Agent()
env = gym.make("CartPole-v1")
obs, info = env.reset()
r = 0
while True:
    agent.act(obs, r)
    obs, r, terminated, truncated, info = env.step(0)
    if terminated or truncated:
        obs, info = env.reset()
        r = 0
"""


def test_a_reward_that_a_new_episode_begins_without_is_no_masked_value() -> None:
    assert not sinks(REWARDED)


def test_a_value_that_is_zero_where_the_episode_ended_is_masked() -> None:
    program = REWARDED.replace("r = 0", "v = 0").replace("act(obs, r)", "act(obs, v)")
    program = program.replace("    if terminated or", "    v = value(obs)\n    if terminated or")
    assert {kind for _, _, kind in sinks(program.replace("** n", "** (n + 1)"))} == {"branch"}
    assert not sinks(program)  # with the weights of rewards it is one, whatever it is called


def test_a_sum_of_rewards_that_a_new_episode_begins_anew_is_no_masked_value() -> None:
    assert not sinks("""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs, info = env.reset()
        episodes, total, steps = [], 0.0, []
        while len(episodes) < 9:
            obs, reward, terminated, truncated, info = env.step(0)
            total += reward
            steps.append(obs)
            if terminated or truncated:
                episodes.append((total, steps))
                total, steps = 0.0, []
                obs, info = env.reset()
        discounted = [total * (0.99 ** len(steps)) for total, steps in episodes]
    """)


def test_where_all_kinds_of_flags_arrive_none_is_a_mask() -> None:
    everything = "done, terminated, truncated, 1 - done, 1 - terminated, 1 - truncated"
    rows = f"def cut(value, x):\n    return 0.99 * value * x\nfor x in ({everything}):\n    y = reward + cut(v, x)\n"
    assert_sinks(f"{STEP}{rows}")
