"""Whole episodes, advantages and bootstraps: where a recursion may start from zero, and where not."""

from __future__ import annotations

import pytest
from model_programs import ROLLOUT, assert_sinks


def test_a_whole_episode_that_starts_from_zero_at_done() -> None:
    assert_sinks(f"""{ROLLOUT}
total = 0 if done else value(obs)  # sink: branch
for reward in reversed(rewards):
    total = reward + 0.99 * total
""")


def test_a_whole_episode_that_starts_from_zero_at_terminated_is_right() -> None:
    assert_sinks(f"""{ROLLOUT}
total = 0 if terminated else value(obs)
for reward in reversed(rewards):
    total = reward + 0.99 * total
""")


@pytest.mark.parametrize(
    "patch",
    [
        "if truncated and not terminated:\n        reward += 0.99 * value(obs)",
        "if truncated:\n        reward = reward + 0.99 * value(obs)",
        "reward = reward + 0.99 * value(obs) * truncated",
        "reward += 0.99 * value(obs) * float(truncated)",
        "time_outs = torch.tensor(truncated)\n    reward += 0.99 * value(obs) * time_outs",
    ],
)
def test_a_reward_that_holds_the_bootstrap_makes_one_mask_right(patch: str) -> None:
    """SB3 adds `gamma * V(final)` to the reward at truncation: done in both places is exact then."""
    rollout = ROLLOUT.replace("rewards.append", f"{patch}\n    rewards.append")
    assert_sinks(f"""{rollout}
gae = 0
for t in reversed(range(128)):
    delta = rewards[t] + 0.99 * values[t + 1] * (1 - dones[t]) - values[t]
    gae = delta + 0.99 * 0.95 * (1 - dones[t]) * gae
""")


def test_an_advantage_that_a_mask_of_truncation_sets_to_zero_is_right() -> None:
    """Ikostrikov's `bad_masks`: rows that end by truncation have no advantage at all."""
    assert_sinks(f"""{ROLLOUT}
gae = 0
for t in reversed(range(128)):
    delta = rewards[t] + 0.99 * values[t + 1] * (1 - dones[t]) - values[t]
    gae = delta + 0.99 * 0.95 * (1 - dones[t]) * gae
    gae = gae * (1 - cuts[t])
""")


def test_an_advantage_summed_forward_with_a_growing_discount_is_a_recursion() -> None:
    assert_sinks(f"""{ROLLOUT}
gamma, lam = 0.99, 0.95
advantages = np.zeros(128)
for t in range(127):
    discount, a_t = 1, 0
    for k in range(t, 127):
        a_t += discount * (rewards[k] + gamma * values[k + 1] * (1 - dones[k]) - values[k])  # sink: recursion
        discount *= gamma * lam
    advantages[t] = a_t
""")


@pytest.mark.parametrize(("put", "taken"), [("i", "i"), ("i, 0", "i, 0"), ("i", "i, 0")])
@pytest.mark.parametrize("mask", ["masks[i]", "(1 - dones[i])"])
def test_an_advantage_carried_in_a_name_of_its_own_is_a_recursion(put: str, taken: str, mask: str) -> None:
    """The mask is reported where it is made: in the delta, or where the rollout keeps it."""
    program = f"""{ROLLOUT}
gamma, lam = 0.99, 0.95
advantages = np.zeros((128, 1))
prev_value, prev_advantage = 0, 0
for i in reversed(range(128)):
    delta = rewards[i] + gamma * prev_value * {mask} - values[i]  # sink: recursion
    advantages[{put}] = delta + gamma * lam * prev_advantage * {mask}
    prev_value = values[{taken}]
    prev_advantage = advantages[{taken}]
"""
    if mask == "masks[i]":
        program = program.replace("  # sink: recursion", "").replace("for t", "masks = []\nfor t")
        program = program.replace("(done)\n", "(done)\n    masks.append(1 - done)  # sink: recursion\n")
    assert_sinks(program)


def test_v_trace_with_one_mask_is_a_recursion() -> None:
    assert_sinks(f"""{ROLLOUT}
acc = 0
for t in reversed(range(128)):
    discount = 0.99 * (1 - dones[t])  # sink: recursion
    delta = rho[t] * (rewards[t] + discount * values[t + 1] - values[t])
    acc = delta + discount * c[t] * acc
""")


@pytest.mark.parametrize(
    "start",
    [
        "if done:  # sink: branch\n    total = 0.0\nelse:\n    total = value(obs)",
        "total = value(obs) if not done else 0.0  # sink: branch",
        "total = value(obs) * (1 - done)  # sink: mask",
        "total = 0.0\nif not done:  # sink: branch\n    total = value(obs)",
        "total = torch.zeros(1, 1)\nif not done:  # sink: branch\n    total = value(obs)",
        "if cuda:\n    total = torch.zeros(1, 1).cuda()\nelse:\n    total = torch.zeros(1, 1)\n"
        "if not done:  # sink: branch\n    total = value(obs)",
    ],
)
def test_a_bootstrap_that_a_recursion_starts_from(start: str) -> None:
    assert_sinks(f"""{ROLLOUT}
{start}
for reward in reversed(rewards):
    total = reward + 0.99 * total
""")


def test_the_discounted_return_of_an_episode_is_no_recursion() -> None:
    assert_sinks("""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        total, discount, done = 0, 1, False
        while not done:
            obs, reward, terminated, truncated, info = env.step(0)
            done = terminated or truncated
            total += discount * reward
            discount *= 0.99
    """)


@pytest.mark.parametrize(
    "carry",
    [
        "    gae = delta + 0.99 * 0.95 * (1 - ends[t]) * gae  # sink: leak",
        "    if ends[t]:  # sink: leak\n        gae = 0\n    gae = delta + 0.99 * 0.95 * gae",
    ],
)
def test_a_recursion_cut_by_terminated_alone_leaks(carry: str) -> None:
    assert_sinks(f"""{ROLLOUT}
gae = 0
for t in reversed(range(128)):
    delta = rewards[t] + 0.99 * values[t + 1] * (1 - ends[t]) - values[t]
{carry}
""")


def test_a_cleanrl_rollout_is_a_recursion() -> None:
    assert_sinks("""
        import gymnasium as gym
        import numpy as np
        import torch
        envs = gym.vector.SyncVectorEnv([])
        dones = torch.zeros((128, 4))
        rewards = torch.zeros((128, 4))
        values = torch.zeros((128, 4))
        next_obs, _ = envs.reset(seed=1)
        next_done = torch.zeros(4)
        for step in range(128):
            dones[step] = next_done
            next_obs, reward, terminations, truncations, infos = envs.step(0)
            next_done = np.logical_or(terminations, truncations)
            next_done = torch.Tensor(next_done)
            rewards[step] = torch.tensor(reward).view(-1)
        advantages = torch.zeros_like(rewards)
        lastgaelam = 0
        for t in reversed(range(128)):
            if t == 127:
                nextnonterminal = 1.0 - next_done  # sink: recursion
                nextvalues = next_value
            else:
                nextnonterminal = 1.0 - dones[t + 1]
                nextvalues = values[t + 1]
            delta = rewards[t] + 0.99 * nextvalues * nextnonterminal - values[t]
            advantages[t] = lastgaelam = delta + 0.99 * 0.95 * nextnonterminal * lastgaelam
    """)
