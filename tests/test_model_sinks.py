"""Which masks and branches cut a value target wrongly, and which are right: the heart of the tool."""

from __future__ import annotations

import pytest
from model_programs import STEP, VECTOR_STEP, assert_sinks, facts, sink, sinks

# --- one-step targets ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "target",
    [
        "reward + 0.99 * (1 - done) * value(next_obs)",
        "reward + (1 - done) * 0.99 * value(next_obs)",
        "reward + gamma * value(next_obs) * (1 - done)",
        "reward + self.gamma * value(next_obs) * (not done)",
        "reward + 0.99 * value(next_obs).max(1)[0] * (1 - float(done))",
        "reward + args.gamma * torch.min(q1, q2) * (1.0 - done)",
        "reward + gamma ** n * value(next_obs) * (1 - done)",
        "reward + (gamma * (1 - done)) * value(next_obs)",
        "reward + 0.99 * (value(next_obs) * (1 - done))",
        "(reward + (~done) * 0.99 * value(next_obs)).detach()",
        "reward + 0.99 * np.logical_not(done) * value(next_obs)",
        "reward + 0.99 * (value(next_obs) - alpha * logp) * (1 - done)",
        "reward + 0.99 * (1 - (terminated or truncated)) * value(next_obs)",
        "reward + 0.99 * (0.0 if done else 1.0) * value(next_obs)",
        "reward + np.multiply(0.99 * value(next_obs), 1 - done)",
        "reward + 0.99 * value(next_obs).mul(1 - done)",
        "reward + (0.99 * value(next_obs)).detach() * (1 - done)",
        "reward + 0.99 * (1 - int(done)) * value(next_obs)",
        "reward + 0.99 * (1.0 - tf.cast(done, tf.float32)) * value(next_obs)",
    ],
)
def test_a_one_step_target_masked_with_done(target: str) -> None:
    assert_sinks(f"{STEP}y = {target}  # sink: mask\n")


@pytest.mark.parametrize(
    "target",
    [
        "reward + 0.99 * (1 - terminated) * value(next_obs)",
        "reward + 0.99 * value(next_obs) * (not terminated)",
        "reward + 0.99 * (1 - (done and not truncated)) * value(next_obs)",
        "reward + 0.99 * (1 - done * (1 - truncated)) * value(next_obs)",
        "reward + 0.99 * value(next_obs)",
        "reward + 0.99 * value(next_obs) * truncated",
        "reward + 0.99 * value(next_obs) * (1 - truncated)",
    ],
)
def test_a_one_step_target_that_truncation_does_not_cut(target: str) -> None:
    assert_sinks(f"{STEP}y = {target}\n")


@pytest.mark.parametrize(
    "rows",
    [
        "mask = 1 - done  # sink: mask\ny = reward + 0.99 * mask * value(next_obs)",
        "not_done = 1.0 - float(done)  # sink: mask\ny = reward + 0.99 * not_done * value(next_obs)",
        "q = value(next_obs)\nq *= 1 - done  # sink: mask\ny = reward + 0.99 * q",
        "q = value(next_obs) * (1 - done)  # sink: mask\ny = reward + 0.99 * q",
        "q = value(next_obs)\nq.mul_(1 - done)  # sink: mask\ny = reward + 0.99 * q",
        "q = value(next_obs)\nq.mul_(1 - done).mul_(0.99).add_(reward)  # sink: mask",
        "g = 0.99 * (1 - done)  # sink: mask\ny = reward + g * value(next_obs)",
        "discount = 0.99\ny = reward + discount * (1 - done) * value(next_obs)  # sink: mask",
        "future = 0.99 * value(next_obs)\ny = reward + future * (1 - done)  # sink: mask",
        "future = 0.99 * value(next_obs)\nfuture *= 1 - done  # sink: mask\ny = reward + future",
        "future = 0.99 * value(next_obs)\nfuture = future.view(-1)\ny = reward + future * (1 - done)  # sink: mask",
    ],
)
def test_the_mask_is_reported_where_it_is_made(rows: str) -> None:
    assert_sinks(f"{STEP}{rows}\n")


def test_a_vector_environment_makes_no_difference() -> None:
    assert_sinks(f"{VECTOR_STEP}y = reward + 0.99 * (1 - done) * value(next_obs)  # sink: mask\n")


def test_an_own_limit_inside_the_mask_cuts_too() -> None:
    assert_sinks("""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs, info = env.reset()
        steps = 0
        while steps < 1000:
            obs, reward, terminated, truncated, info = env.step(0)
            steps += 1
            done = terminated or steps >= 500
            y = reward + 0.99 * (1 - done) * value(obs)  # sink: mask
    """)


def test_tabular_q_learning_is_a_one_step_target() -> None:
    assert_sinks(f"""{STEP}
Q[obs, 0] += 0.1 * (reward + 0.99 * np.max(Q[next_obs]) * (1 - done) - Q[obs, 0])  # sink: mask
""")


def test_tabular_q_learning_with_terminated_is_right() -> None:
    assert_sinks(f"""{STEP}
Q[obs, 0] += 0.1 * (reward + 0.99 * np.max(Q[next_obs]) * (1 - terminated) - Q[obs, 0])
""")


# --- branches --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    [
        "y = reward if done else reward + 0.99 * value(next_obs)  # sink: branch",
        "y = reward + (0 if done else 0.99 * value(next_obs))  # sink: branch",
        "y = reward + 0.99 * (0 if done else value(next_obs))  # sink: branch",
        "y = reward + 0.99 * value(next_obs) if not done else reward  # sink: branch",
        "if done:  # sink: branch\n    y = reward\nelse:\n    y = reward + 0.99 * value(next_obs)",
        "if not done:  # sink: branch\n    y = reward + 0.99 * value(next_obs)\nelse:\n    y = reward",
        "y = reward\nif not done:  # sink: branch\n    y = y + 0.99 * value(next_obs)",
        "y = reward\nif not done:  # sink: branch\n    y += 0.99 * value(next_obs)",
        "if terminated or truncated:  # sink: branch\n    y = reward\nelse:\n    y = reward + 0.99 * value(next_obs)",
        "if done == True:  # sink: branch\n    y = reward\nelse:\n    y = reward + 0.99 * value(next_obs)",
        "y = np.where(done, reward, reward + 0.99 * value(next_obs))  # sink: branch",
        "y = reward + 0.99 * np.where(done, 0.0, value(next_obs))  # sink: branch",
        "y = reward + 0.99 * value(next_obs)\nif done:  # sink: branch\n    y = reward",
        "y = reward + 0.99 * value(next_obs)\ny = reward if done else y  # sink: branch",
        "y = reward + 0.99 * value(next_obs)\ny[done] = reward[done]  # sink: branch",
        "y[0][1] = reward + 0.99 * value(next_obs)\nif done:  # sink: branch\n    y[0][1] = reward",
        "y[i] = reward + 0.99 * value(next_obs)\nif not done:  # sink: branch\n    pass\nelse:\n    y[i] = reward",
        "for i in range(9):\n    y[i] = reward + 0.99 * v[i]\n    if done:  # sink: branch\n        y[i] = -1.0",
        "future = 0.99 * value(next_obs)\ny = reward if done else reward + future  # sink: branch",
        "future = 0.99 * value(next_obs)\ny = reward\nif not done:  # sink: branch\n    y += future",
        "future = 0.99 * value(next_obs)\ny = np.where(done, reward, future + reward)  # sink: branch",
        "d = reward + 0.99 * value(next_obs) - value(obs)\nif done:  # sink: branch\n    d = reward - value(obs)",
        "q = 0.0 if done else value(next_obs)  # sink: branch\ny = reward + 0.99 * q",
        "q = value(next_obs)\nif done:  # sink: branch\n    q = 0.0\ny = reward + 0.99 * q",
    ],
)
def test_a_branch_around_a_target(rows: str) -> None:
    assert_sinks(f"{STEP}{rows}\n")


@pytest.mark.parametrize(
    "rows",
    [
        "q[done] = 0  # sink: branch\ny = reward + 0.99 * q",
        "q[done] = 0.0  # sink: branch\ny = reward + 0.99 * q",
        "q[np.array(done)] = 0.0  # sink: branch\ny = reward + 0.99 * q",
        "y = reward + 0.99 * torch.where(done, torch.zeros_like(q), q)  # sink: branch",
        "q = q.masked_fill(done, 0.0)  # sink: branch\ny = reward + 0.99 * q",
        "q = torch.zeros(4)\nq[~done] = value(next_obs[~done])  # sink: branch\ny = reward + 0.99 * q",
        "y = reward.copy()\ny[~done] += 0.99 * q[~done]  # sink: branch",
        "for i in range(4):\n    y = reward[i] if done[i] else reward[i] + 0.99 * q[i]  # sink: branch",
        "import jax\ny = reward + 0.99 * jax.lax.select(done, jax.numpy.zeros_like(q), q)  # sink: branch",
        "from jax import lax\ny = reward + 0.99 * lax.select(done, 0.0, q)  # sink: branch",
        "from jax import lax\ny = reward + 0.99 * lax.select(~done, q, 0.0)  # sink: branch",
    ],
)
def test_a_masked_array_of_values(rows: str) -> None:
    assert_sinks(f"{VECTOR_STEP}q = value(next_obs)\n{rows}\n")


@pytest.mark.parametrize(
    "rows",
    [
        "y = reward.copy()\ny[~done] += 0.99 * q[~done]",
        "y[done] = reward[done]\ny[~done] = reward[~done] + 0.99 * q[~done]",
        "nq = np.zeros(4)\nnq[~done] = q[~done]\ny = reward + 0.99 * nq",
    ],
)
def test_rows_picked_by_a_mask_written_twice_are_not_mended_at_one_place(rows: str) -> None:
    found = sink(f"{VECTOR_STEP}q = value(next_obs)\n{rows}\n", "branch")
    assert "both have to change" in found.hindrance


@pytest.mark.parametrize(
    "rows",
    [
        "y = reward.copy()\ny[~terminated] += 0.99 * q[~terminated]",
        "nq = np.zeros(4)\nnq[~terminated] = q[~terminated]\ny = reward + 0.99 * nq",
        "nq = np.zeros(4)\nnq[done] = q[done]\ny = reward + 0.99 * nq",
        "nq = np.zeros(4)\nnq[~done] = 1.0\ncount = nq.sum()",
        "y = reward.copy()\ny[chosen] += 0.99 * q[chosen]",
        "hidden[~done] += 0.5 * q[~done]",
    ],
)
def test_rows_picked_by_another_mask_or_for_no_target_are_right(rows: str) -> None:
    assert_sinks(f"{VECTOR_STEP}q = value(next_obs)\n{rows}\n")


def test_a_flag_that_was_negated_twice_is_no_mask() -> None:
    """The branch is reported, not the row that joins the two flags."""
    assert_sinks(f"""{VECTOR_STEP}
over = ~(~terminated & ~truncated)
y = np.where(over, reward, reward + 0.99 * value(next_obs))  # sink: branch
""")


NEVER_CUT = """\
import gymnasium as gym

class Grid(gym.Env):
    def reset(self, *, seed=None, options=None):
        return 0, {{}}
    def step(self, action):
        {step}
        return 0, -1.0, self.lost, {cut}, {{}}

env = {made}
obs, reward, terminated, truncated, info = env.step(0)
done = terminated or truncated
y = reward + 0.99 * (1 - done) * value(obs)
"""


@pytest.mark.parametrize(("step", "cut"), [("pass", "False"), ("cut = False", "cut")])
@pytest.mark.parametrize("made", ["Grid()", "gym.wrappers.RecordEpisodeStatistics(Grid())"])
def test_done_of_an_environment_that_never_truncates_is_right(step: str, cut: str, made: str) -> None:
    assert_sinks(NEVER_CUT.format(step=step, cut=cut, made=made))


@pytest.mark.parametrize(
    ("step", "cut", "made"),
    [
        ("pass", "self.late", "Grid()"),
        ("pass", "False", "gym.wrappers.TimeLimit(Grid(), 100)"),
        ("cut = False\n        if self.late:\n            cut = True", "cut", "Grid()"),
        ("cut = False\n        cut |= self.late", "cut", "Grid()"),
    ],
)
def test_done_of_an_environment_that_may_truncate_cuts_the_target(step: str, cut: str, made: str) -> None:
    program = NEVER_CUT.format(step=step, cut=cut, made=made)
    assert {kind for _, _, kind in sinks(program)} == {"mask"}


@pytest.mark.parametrize(
    "rows",
    [
        "if terminated:\n    y = reward\nelse:\n    y = reward + 0.99 * value(next_obs)",
        "y = reward if terminated else reward + 0.99 * value(next_obs)",
        "y = np.where(terminated, reward, reward + 0.99 * value(next_obs))",
        "from jax import lax\ny = reward + 0.99 * lax.select(terminated, 0.0, value(next_obs))",
        "q = value(next_obs)\nq[terminated] = 0\ny = reward + 0.99 * q",
        "if done:\n    obs, info = env.reset()\ny = reward + 0.99 * value(next_obs)",
        "if not done:\n    obs = next_obs\ny = reward + 0.99 * value(next_obs)",
        "if done:\n    y = reward + 0.99 * value(final)\nelse:\n    y = reward + 0.99 * value(next_obs)",
        "if len(memory) > 32:\n    y = reward + 0.99 * value(next_obs)",
    ],
)
def test_a_branch_that_is_right(rows: str) -> None:
    assert_sinks(f"{STEP}{rows}\n")


# --- recursions ------------------------------------------------------------------------------------

ROLLOUT = """\
import gymnasium as gym
import numpy as np

env = gym.make("CartPole-v1")
obs, info = env.reset()
rewards, values, ends, cuts, dones = [], [], [], [], []
for t in range(128):
    values.append(value(obs))
    obs, reward, terminated, truncated, info = env.step(0)
    done = terminated or truncated
    rewards.append(reward)
    ends.append(terminated)
    cuts.append(truncated)
    dones.append(done)
    if done:
        obs, info = env.reset()
values.append(value(obs))
"""


def test_gae_with_one_mask_is_a_recursion() -> None:
    assert_sinks(f"""{ROLLOUT}
gae = 0
for t in reversed(range(128)):
    delta = rewards[t] + 0.99 * values[t + 1] * (1 - dones[t]) - values[t]  # sink: recursion
    gae = delta + 0.99 * 0.95 * (1 - dones[t]) * gae
""")


def test_gae_with_a_mask_of_its_own_name_is_reported_at_the_mask() -> None:
    assert_sinks(f"""{ROLLOUT}
gae, gamma, lam = 0, 0.99, 0.95
for t in reversed(range(128)):
    mask = 1.0 - dones[t]  # sink: recursion
    delta = rewards[t] + gamma * values[t + 1] * mask - values[t]
    gae = delta + gamma * lam * mask * gae
""")


def test_gae_over_arrays_is_a_recursion() -> None:
    assert_sinks(f"""{ROLLOUT}
rewards, values, dones = np.array(rewards), np.array(values), np.array(dones)
advantages = np.zeros(128)
for t in reversed(range(128)):
    delta = rewards[t] + 0.99 * values[t + 1] * (1 - dones[t]) - values[t]  # sink: recursion
    advantages[t] = delta + 0.99 * 0.95 * (1 - dones[t]) * advantages[t + 1]
""")


def test_gae_with_two_masks_is_right() -> None:
    assert_sinks(f"""{ROLLOUT}
gae = 0
for t in reversed(range(128)):
    delta = rewards[t] + 0.99 * values[t + 1] * (1 - ends[t]) - values[t]
    gae = delta + 0.99 * 0.95 * (1 - dones[t]) * gae
""")


def test_a_chained_assignment_carries_too() -> None:
    assert_sinks(f"""{ROLLOUT}
advantages = np.zeros(128)
last = 0
for t in reversed(range(128)):
    next_nonterminal = 1.0 - dones[t]  # sink: recursion
    delta = rewards[t] + 0.99 * values[t + 1] * next_nonterminal - values[t]
    advantages[t] = last = delta + 0.99 * 0.95 * next_nonterminal * last
""")


def test_returns_cut_at_done_start_at_zero() -> None:
    assert_sinks(f"""{ROLLOUT}
total, returns = 0, []
for t in reversed(range(128)):
    total = rewards[t] + 0.99 * total * (1 - dones[t])  # sink: recursion
    returns.insert(0, total)
""")


@pytest.mark.parametrize("array", ["np.zeros(128)", "torch.zeros_like(rewards).to(device)", "make()"])
def test_returns_of_which_the_last_is_made_in_a_branch_of_its_own(array: str) -> None:
    assert_sinks(f"""{ROLLOUT}
returns = {array}
for t in reversed(range(128)):
    if t == 127:
        mask = 1.0 - done  # sink: recursion
        returns[t] = rewards[t] + 0.99 * value(obs) * mask
    else:
        mask = 1.0 - dones[t + 1]  # sink: recursion
        returns[t] = rewards[t] + 0.99 * (0.5 * returns[t + 1] + 0.5 * values[t + 1]) * mask
""")


def test_returns_that_a_branch_sets_to_zero() -> None:
    assert_sinks(f"""{ROLLOUT}
total, returns = 0, []
for reward, done in zip(reversed(rewards), reversed(dones)):
    if done:  # sink: recursion
        total = 0
    total = reward + 0.99 * total
    returns.insert(0, total)
""")


def test_returns_carried_in_the_list_that_grows() -> None:
    assert_sinks(f"""{ROLLOUT}
returns = [value(obs)]
for t in reversed(range(128)):
    returns.insert(0, rewards[t] + 0.99 * returns[0] * (1 - dones[t]))  # sink: recursion
""")


def test_returns_carried_at_a_shifted_index() -> None:
    assert_sinks(f"""{ROLLOUT}
returns = np.zeros(129)
for t in reversed(range(128)):
    returns[t] = rewards[t] + 0.99 * returns[t + 1] * (1 - dones[t])  # sink: recursion
""")


@pytest.mark.parametrize("decay", ["lamda", "self.l", "args.advantage.decay", "c"])
@pytest.mark.parametrize(
    "carry",
    [
        "    gae = delta + gamma * {} * gae * (1.0 - done)",
        "    gae = delta + (1.0 - done) * {} * gamma * gae",
        "    if done:\n        gae = 0.0\n    gae = delta + gamma * {} * gae",
        "    gae = 0.0 if done else gae\n    gae = delta + gamma * {} * gae",
    ],
)
def test_a_carry_with_a_decay_beside_its_discount_is_no_return_whatever_it_is_called(carry: str, decay: str) -> None:
    assert_sinks(f"""{ROLLOUT}
v, v_next, ends = np.array(values)[:-1], np.array(values)[1:], np.array(ends)
gae, gamma, lamda, c = 0.0, 0.99, *decays
deltas = np.array(rewards) + gamma * (1.0 - ends) * v_next - v
for delta, done in zip(reversed(deltas.flatten()), reversed(dones)):
{carry.format(decay)}
""")


@pytest.mark.parametrize(
    "rows",
    [
        "for done in reversed(dones):\n    mask = 1.0 - done  # sink: recursion\n    total = 1 + gamma * mask * total",
        "masks = [1.0 - done for done in dones]  # sink: recursion\n"
        "for mask in reversed(masks):\n    total = 1 + gamma * mask * total",
    ],
)
def test_a_mask_that_the_loop_changes_is_no_decay(rows: str) -> None:
    assert_sinks(f"{ROLLOUT}\ntotal, gamma = 0.0, 0.99\n{rows}\n")


def test_returns_without_a_mask_are_right() -> None:
    assert_sinks(f"""{ROLLOUT}
total = 0
for reward in reversed(rewards):
    total = reward + 0.99 * total
""")


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


# --- what is no sink -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    [
        "hidden = hidden * (1 - done)",
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


# --- the right idioms of old code: they take the limit of gym 0.21's `TimeLimit` out of `done` --------

OLD = """
    import gymnasium as gym
    env = gym.make("CartPole-v1")
    obs = env.reset()
    episode_steps, max_ep_len = 0, 200
    while True:
        next_obs, reward, done, info = env.step(0)
        episode_steps += 1
        {}
        y = reward + 0.99 * {} * value(next_obs)
"""


@pytest.mark.parametrize(
    ("made", "mask"),
    [
        ('d = done and not info.get("TimeLimit.truncated", False)', "(1 - d)"),
        ('timeout = info.get("TimeLimit.truncated", False)', "(1 - done * (1 - timeout))"),
        ('d = done and "TimeLimit.truncated" not in info', "(1 - d)"),
        ("d = float(done) if episode_steps < env._max_episode_steps else 0", "(1 - d)"),
        ("mask = 1 if episode_steps == env._max_episode_steps else float(not done)", "mask"),
        ("d = False if episode_steps == max_ep_len else done", "(1 - d)"),
        ("d = 0 if episode_steps + 1 == env._max_episode_steps else float(done)", "(1 - d)"),
    ],
)
def test_a_right_idiom_of_old_code_is_silent(made: str, mask: str) -> None:
    assert_sinks(OLD.format(made, mask))


def test_the_same_loop_with_plain_done_is_not_silent() -> None:
    assert {kind for _, _, kind in sinks(OLD.format("d = done", "(1 - d)"))} == {"mask"}


def test_without_a_time_limit_done_is_right() -> None:
    assert_sinks(OLD.replace('"CartPole-v1")', '"CartPole-v1").unwrapped').format("d = done", "(1 - d)"))
    assert_sinks(OLD.replace('"CartPole-v1")', '"CartPole-v1").env').format("d = done", "(1 - d)"))


def test_the_bootstrap_of_spinningup_that_values_a_timeout_is_right() -> None:
    assert_sinks("""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs = env.reset()
        ep_len, max_ep_len = 0, 200
        for t in range(4000):
            obs, reward, done, info = env.step(0)
            ep_len += 1
            timeout = ep_len == max_ep_len
            terminal = done or timeout
            if terminal or t == 3999:
                if timeout or t == 3999:
                    v = value(obs)
                else:
                    v = 0
                finish_path(v)
    """)


def test_an_environment_that_ends_by_another_limit_key_is_right() -> None:
    """PyMARL over SMAC: `terminated` holds the limit, and the info takes it out."""
    assert_sinks("""
        from smac.env import StarCraft2Env
        env = StarCraft2Env()
        reward, terminated, info = env.step([0])
        ended = terminated != info.get("episode_limit", False)
        y = reward + 0.99 * (1 - ended) * value(obs)
    """)


def test_masks_of_a_gymnax_environment_are_not_judged() -> None:
    program = """
        import gymnax
        env, params = gymnax.make("CartPole-v1")
        obs, state, reward, done, info = env.step(key, state, 0, params)
        y = reward + 0.99 * (1 - done) * value(obs)
    """
    assert {kind for _, _, kind in sinks(program)} <= {"mask"}


def test_a_discount_of_dm_env_is_right() -> None:
    assert_sinks("""
        from dm_control import suite
        env = suite.load("cartpole", "swingup")
        timestep = env.step(0)
        y = timestep.reward + 0.99 * timestep.discount * value(timestep.observation)
    """)


# --- stores ----------------------------------------------------------------------------------------

MEMORY = """\
import random
import gymnasium as gym

env = gym.make("CartPole-v1")
memory = []
obs, info = env.reset()
for _ in range(1000):
    next_obs, reward, terminated, truncated, info = env.step(0)
    done = terminated or truncated
    memory.append((obs, reward, next_obs, {}))
    if done:
        obs, info = env.reset()
    for o, r, o2, d in random.sample(memory, 8):
        {}
"""
TARGET = "y = r + 0.99 * (1 - d) * value(o2)"


def test_a_stored_done_that_cuts_a_target_is_reported_at_the_store_and_at_the_mask() -> None:
    found = sinks(MEMORY.format("done", TARGET))
    assert {(row, kind) for _, row, kind in found} == {(10, "store"), (14, "mask")}


def test_a_stored_terminated_is_right() -> None:
    assert not sinks(MEMORY.format("terminated", TARGET))


def test_a_store_that_no_target_reads_is_right() -> None:
    assert not sinks(MEMORY.format("done", "print(d)"))


def test_a_store_knows_the_terminated_in_scope_and_the_flag_it_replaces() -> None:
    found = sink(MEMORY.format("done", TARGET), "store")
    assert found.terminated == "terminated"
    assert found.flag_span is not None
    assert (found.flag_span.row, found.flag_span.column, found.flag_span.end_column) == (10, 42, 46)
    assert found.hindrance == ""


def test_a_store_of_a_cast_replaces_the_flag_only() -> None:
    found = sink(MEMORY.format("float(done)", TARGET), "store")
    assert found.flag_span is not None
    assert found.flag_span[1:] == (48, 10, 52)


def test_a_store_of_a_union_replaces_all_of_it() -> None:
    found = sink(MEMORY.format("terminated or truncated", TARGET), "store")
    assert found.flag_span is not None
    assert found.flag_span[1:] == (42, 10, 65)


def test_a_name_that_was_assigned_since_is_no_terminated_in_scope() -> None:
    program = MEMORY.format("done", TARGET).replace("    memory", "    terminated = False\n    memory")
    assert sink(program, "store").terminated == ""


def test_a_four_value_step_has_no_terminated_in_scope() -> None:
    program = MEMORY.format("done", TARGET).replace("terminated, truncated, info", "done, info")
    program = program.replace("    done = terminated or truncated\n", "")
    assert sink(program, "store").terminated == ""


def test_a_stored_flag_that_also_ends_episodes_hinders_the_fix() -> None:
    found = sink(MEMORY.format("done", f"{TARGET}\n        if d:\n            break"), "store")
    assert found.hindrance == "the stored flag also decides where an episode ends"


def test_a_stored_flag_that_also_cuts_a_recursion_hinders_the_fix() -> None:
    program = MEMORY.format("done", TARGET) + (
        "total = 0\nfor o, r, o2, d in reversed(memory):\n    total = r + 0.99 * total * (1 - d)\n"
    )
    assert sink(program, "store").hindrance == "the stored flag also cuts a recursion over time"


def test_a_recursion_over_arrays_of_stored_flags_hinders_the_fix() -> None:
    """What the recursion multiplies with holds the flag in a list of lists: one value a row, turned round."""
    program = f"""{STEP}
class Agent:
    def __init__(self):
        self.data = []
    def put(self, row):
        self.data.append(row)
    def batch(self):
        rewards, ends = [], []
        for reward, done in self.data:
            rewards.append([reward])
            ends.append([0 if done else 1])
        return torch.tensor(rewards), torch.tensor(ends)
    def train(self):
        rewards, masks = self.batch()
        turned = torch.flip(masks, dims=(0,))
        delta = rewards + 0.99 * self.v * masks - self.v
        advantage = 0.0
        for row, mask in zip(delta, turned):
            advantage = 0.99 * 0.95 * advantage * mask + row[0]

Agent().put((reward, done))
"""
    assert sink(program, "store").hindrance == "the stored flag also cuts a recursion over time"


def test_the_story_of_a_store_begins_where_its_own_flag_was_born() -> None:
    """Two scripts fill the buffers of one module: neither tells of the other's step."""
    script = (
        "import gymnasium as gym\nfrom memory import Memory, learn\n\nmemory = Memory()\n"
        "env = gym.make('CartPole-v1')\nobs, info = env.reset()\n"
        "next_obs, reward, terminated, truncated, info = env.step(0)\ndone = terminated or truncated\n"
        "memory.push(obs, reward, next_obs, done)\nlearn(memory)\n"
    )
    files = {
        "memory.py": (
            "import random\n\nclass Memory:\n    def __init__(self):\n        self.rows = []\n"
            "    def push(self, *row):\n        self.rows.append(row)\n"
            "def learn(memory):\n    for o, r, o2, d in random.sample(memory.rows, 8):\n"
            "        y = r + 0.99 * (1 - d) * value(o2)\n"
        ),
        "one.py": script,
        "other.py": script,
    }
    for path in ("one.py", "other.py"):
        found = sink(files, "store", path)
        assert found.path[0].path == path, found.path
        assert (found.path[0].span.row, found.span.row) == (7, 9)


def test_the_story_of_a_store_ends_at_a_target_of_its_own_file_if_there_is_one() -> None:
    """Two agents share the class of a buffer, and one program imports both."""
    agent = (
        "import gymnasium as gym\nfrom memory import Memory\n\nmemory = Memory()\n"
        "env = gym.make('CartPole-v1')\nobs, info = env.reset()\n"
        "next_obs, reward, terminated, truncated, info = env.step(0)\ndone = terminated or truncated\n"
        "memory.push(obs, reward, next_obs, done)\n"
        "o, r, o2, d = memory.sample()\ny = r + 0.99 * (1 - d) * value(o2)\n"
    )
    files = {
        "memory.py": (
            "import random\n\nclass Memory:\n    def __init__(self):\n        self.rows = []\n"
            "    def push(self, *row):\n        self.rows.append(row)\n"
            "    def sample(self):\n        return zip(*random.sample(self.rows, 8))\n"
        ),
        "one.py": agent,
        "other.py": agent,
        "main.py": "import one\nimport other\n",
    }
    for path in ("one.py", "other.py"):
        assert {place.path for place in sink(files, "store", path).path} == {path}


def test_a_mask_behind_a_store_goes_away_with_it() -> None:
    found = sink(MEMORY.format("done", TARGET), "mask")
    assert "stored" in found.hindrance


def test_a_mask_in_reach_of_terminated_can_be_mended_in_place() -> None:
    found = sink(f"{STEP}y = reward + 0.99 * (1 - done) * value(next_obs)\n", "mask")
    assert found.terminated == "terminated"
    assert found.flag_span is not None
    assert found.flag_span.end_column - found.flag_span.column == len("done")
    assert found.hindrance == ""


def test_the_path_of_a_store_tells_birth_store_sample_and_cut_in_order() -> None:
    rows = [place.span.row for place in sink(MEMORY.format("done", TARGET), "store").path]
    assert rows[0] == 8
    assert rows[-3:] == [10, 13, 14]


@pytest.mark.parametrize(
    ("parameters", "row"),
    [
        ("o, r, d", "(o, r, d)"),
        ("o, r, d=False", "[o, r, d]"),
        ("*row", "row"),
        ("o, *row", "(o, *row)"),
    ],
)
def test_an_argument_is_reported_where_it_is_passed(parameters: str, row: str) -> None:
    assert_sinks(f"""
        import random
        import gymnasium as gym
        class Memory:
            def __init__(self):
                self.rows = []
            def push(self, {parameters}):
                self.rows.append({row})
        memory = Memory()
        env = gym.make("CartPole-v1")
        obs, reward, terminated, truncated, info = env.step(0)
        memory.push(obs, reward, terminated or truncated)  # sink: store
        for o, r, d in random.sample(memory.rows, 8):
            y = r + 0.99 * (1 - d) * value(o)  # sink: mask
    """)


def test_a_preallocated_buffer_is_reported_where_it_is_filled() -> None:
    assert_sinks("""
        import gymnasium as gym
        import numpy as np
        dones = np.zeros(1000)
        env = gym.make("CartPole-v1")
        for t in range(1000):
            obs, reward, terminated, truncated, info = env.step(0)
            dones[t] = terminated or truncated  # sink: store
        batch = np.random.randint(0, 1000, 32)
        y = rewards[batch] + 0.99 * (1 - dones[batch]) * value(obs)  # sink: mask
    """)


def test_an_argument_that_is_never_stored_is_reported_at_the_mask_alone() -> None:
    assert_sinks("""
        import gymnasium as gym
        def learn(reward, next_obs, over):
            return reward + 0.99 * value(next_obs) * (1 - over)  # sink: mask
        env = gym.make("CartPole-v1")
        obs, reward, terminated, truncated, info = env.step(0)
        learn(reward, obs, terminated or truncated)
    """)


@pytest.mark.parametrize("discount", ["0.0 if done else 0.99", "0 if done else gamma", "0.0 if done else 1.0"])
@pytest.mark.parametrize("target", ["reward + discount * value(obs)", "reward + 0.9 * discount * value(obs)"])
def test_a_discount_that_is_zero_at_done_is_stored(discount: str, target: str) -> None:
    program = """
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        memory, gamma = [], 0.99
        obs, reward, terminated, truncated, info = env.step(0)
        done = terminated or truncated
        memory.append((reward, %s))%s
        for reward, discount in memory:
            y = %s
    """
    assert_sinks(program % (discount, "  # sink: store", target))
    assert_sinks(program % (discount.replace("done", "terminated"), "", target))


@pytest.mark.parametrize("discount", ["0.99 if done else 0.0", "0.99 if done else 1.0", "0.99 if done else 0.9"])
def test_another_choice_of_discounts_masks_nothing(discount: str) -> None:
    assert_sinks(f"{STEP}discount = {discount}\ny = reward + discount * value(next_obs)\n")


CHOICES = [
    "later = None if over else obs{}",
    "later = obs if not over else None{}",
    "if over:{}\n            later = None\n        else:\n            later = torch.tensor(obs)",
    "if not over:{}\n            later = obs\n        else:\n            later = None",
    "later = None\n        if not over:{}\n            later = obs",
    "later = obs\n        if over:{}\n            later = None",
]
ABSENCES = [
    "there = torch.tensor([later is not None for later in batch.later])\n"
    "        future = torch.zeros(9)\n        future[there] = net(batch.later)",
    "there = torch.tensor(tuple(map(lambda s: s is not None, batch.later)), dtype=torch.bool)\n"
    "        future = torch.zeros(9)\n"
    "        future[there] = net(torch.cat([s for s in batch.later if s is not None])).max(1).values",
    "future = torch.zeros(9, 1).to(device).unsqueeze(1)\n"
    "        future[torch.tensor([s is not None for s in batch.later])] = net(batch.later)",
    "future = torch.where(torch.tensor([s is None for s in batch.later]), 0.0, net(batch.later))",
    "future = np.array([0.0 if s is None else net(s) for s in batch.later])",
    "future = net(batch.later) * np.array([s != None for s in batch.later])",
]


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("absence", ABSENCES)
def test_a_next_state_of_none_is_wrong_where_the_choice_is_made(choice: str, absence: str) -> None:
    """PyTorch's DQN tutorial masks by `next_state is not None`."""
    program = f"""
        import gymnasium as gym
        import numpy as np
        import torch
        from collections import namedtuple
        Transition = namedtuple("Transition", ("later", "reward"))
        memory = []
        env = gym.make("CartPole-v1")
        obs, reward, terminated, truncated, info = env.step(0)
        over = terminated or truncated
        {choice}
        memory.append(Transition(later, reward))
        batch = Transition(*zip(*memory))
        {absence}
        y = batch.reward + 0.99 * future
    """
    assert_sinks(program.format("  # sink: branch"))
    assert_sinks(program.format("").replace("terminated or truncated\n", "terminated\n"))


def test_a_none_that_is_handed_on_is_said_where_it_is_made() -> None:
    assert_sinks(f"""{STEP}
later = None if done else next_obs  # sink: branch
for _ in range(3):
    later = None if later is None else later
y = reward if later is None else reward + 0.99 * value(later)
""")


def test_a_next_state_of_none_shows_where_the_target_is_cut() -> None:
    program = f"""{STEP}
later = None if done else next_obs
rows = [(reward, later)]
for reward, later in rows:
    if later is None:
        y = reward
    else:
        y = reward + 0.99 * value(later)
"""
    found = sink(program, "branch")
    assert [place.message.rpartition(" is ")[2] for place in found.path] == [
        "born here",
        "termination and truncation are joined here",
        "cut here",
    ]
    assert program.splitlines()[found.path[-1].span.row - 1].strip() == "if later is None:"


@pytest.mark.parametrize(
    ("use", "hindrance"),
    [
        ("print(later)", ""),
        ("while later is not None:\n    obs = later", "what is None here also decides where an episode ends"),
        ("if later is None:\n    obs, info = env.reset()", "what is None here also decides where an episode ends"),
        ("ends = np.cumsum([later is None for _, later in rows])", "what is None here also tells where in the store"),
    ],
)
def test_what_else_a_none_decides_keeps_it(use: str, hindrance: str) -> None:
    program = f"""{STEP}
later = None if done else next_obs
rows = [(reward, later)]
{use}
for reward, later in rows:
    y = reward if later is None else reward + 0.99 * value(later)
"""
    found = sink(program, "branch").hindrance
    assert found.startswith(hindrance)
    assert bool(found) == bool(hindrance)


@pytest.mark.parametrize(
    "rows",
    [
        "later = None if done else next_obs\nif later is None:\n    later, info = env.reset()",
        "later = None\nif later is not None:\n    y = reward + 0.99 * value(later)",
        "later = None if reward > 0 else next_obs\ny = reward + (0.99 * value(later) if later is not None else 0)",
    ],
)
def test_a_none_that_cuts_no_target(rows: str) -> None:
    assert_sinks(f"{STEP}{rows}\n")


def test_terminated_given_to_a_parameter_called_done_is_right() -> None:
    assert_sinks("""
        import gymnasium as gym
        def learn(reward, next_obs, done):
            return reward + 0.99 * value(next_obs) * (1 - int(done))
        env = gym.make("CartPole-v1")
        obs, reward, terminated, truncated, info = env.step(0)
        learn(reward, obs, terminated)
    """)


def test_terminated_under_the_name_done_is_right() -> None:
    assert_sinks("""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs, reward, done, _, info = env.step(0)
        y = reward + 0.99 * (1 - done) * value(obs)
    """)


def test_a_keep_mask_that_is_stored_is_reported() -> None:
    found = sinks(MEMORY.format("1 - done", "y = r + 0.99 * d * value(o2)"))
    assert {kind for _, _, kind in found} >= {"store"}


@pytest.mark.parametrize("test", ["(d == 1)[i]", "(1 - (1 - d))[i]", "np.array(d)[i]"])
def test_a_store_is_found_behind_one_element_of_a_flag(test: str) -> None:
    assert_sinks(f"""
        import gymnasium as gym
        import numpy as np
        env = gym.make("CartPole-v1")
        memory = []
        obs, reward, terminated, truncated, info = env.step(0)
        memory.append((reward, terminated or truncated))  # sink: store
        r, d = map(np.array, zip(*memory))
        for i in range(4):
            y = r[i] + (0 if {test} else 0.99 * value(obs)[i])  # sink: branch
    """)


def test_an_array_that_grows_is_reported_where_the_flag_is_put_in() -> None:
    assert_sinks("""
        import gymnasium as gym
        import numpy as np
        env = gym.make("CartPole-v1")
        dones = np.array([])
        for t in range(1000):
            obs, reward, terminated, truncated, info = env.step(0)
            dones = np.append(dones, terminated or truncated)  # sink: store
        y = rewards + 0.99 * (1 - dones) * value(obs)  # sink: mask
    """)


# --- familiar programs -----------------------------------------------------------------------------


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


def test_returns_beside_gae_are_no_reward_of_a_target() -> None:
    """Both ways to an advantage end in one loss: what the losses add up says nothing of either."""
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


def test_td3_that_stores_the_limit_free_flag_is_right() -> None:
    assert_sinks("""
        import gymnasium as gym
        import numpy as np, torch
        class ReplayBuffer:
            def __init__(self):
                self.not_done = np.zeros((9, 1))
                self.reward = np.zeros((9, 1))
                self.ptr = 0
            def add(self, reward, done):
                self.reward[self.ptr] = reward
                self.not_done[self.ptr] = 1. - done
            def sample(self, n):
                ind = np.random.randint(0, 3, size=n)
                return (torch.FloatTensor(self.reward[ind]).to(d), torch.FloatTensor(self.not_done[ind]).to(d))
        def train(rb):
            reward, not_done = rb.sample(256)
            target_Q = torch.min(a, b)
            target_Q = reward + not_done * 0.99 * target_Q
        rb = ReplayBuffer()
        env = gym.make("A-v0")
        episode_timesteps = 0
        for t in range(9):
            episode_timesteps += 1
            s, reward, done, _ = env.step(0)
            done_bool = float(done) if episode_timesteps < env._max_episode_steps else 0
            rb.add(reward, done_bool)
            train(rb)
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


def test_a_limit_taken_out_of_a_flag_cuts_nothing() -> None:
    """Where the environment is not visible the flag may be anything: it is a mask by what is made of it."""
    assert_sinks("""
        import numpy as np
        class Runner:
            def __init__(self, env, limit):
                self.env, self.count, self.limit = env, 0, limit
        def collect(runner, dones):
            if runner.over:
                runner.state = runner.env.reset()
                runner.count = 0
            next_obs, reward, done, info = runner.env.step(0)
            if runner.count + 1 == runner.limit:
                done = False
            dones[0] = done
            runner.count += 1
        def learn(dones, r, n):
            return r + gamma * (1.0 - dones[chosen]) * value(n)
        dones = np.zeros(100)
        collect(Runner(make(), 200), dones)
        learn(dones, 0, 1)
    """)


@pytest.mark.parametrize(("limit", "right"), [(" * (1 - self.timeouts[at])", True), ("", False)])
def test_a_buffer_may_take_the_limit_out_when_it_is_sampled(limit: str, right: bool) -> None:
    """SB3's `handle_timeout_termination`: what is stored is done, what the target sees is terminated."""
    store, mask = ("", "") if right else ("  # sink: store", "  # sink: mask")
    assert_sinks(f"""
        import numpy as np
        from stable_baselines3.common.env_util import make_vec_env
        class Buffer:
            def __init__(self):
                self.handle_timeout_termination = True
                self.dones, self.timeouts = np.zeros(100), np.zeros(100)
            def add(self, done, infos):
                self.dones[0] = done
                if self.handle_timeout_termination:
                    self.timeouts[0] = np.array([info.get("TimeLimit.truncated", False) for info in infos])
            def sample(self, at):
                return self.dones[at]{limit}
        env = make_vec_env("CartPole-v1")
        buffer = Buffer()
        env.reset()
        obs, reward, done, infos = env.step([0])
        buffer.add(done, infos){store}
        y = reward + 0.99 * (1 - buffer.sample([1])) * value(obs){mask}
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


def test_done_of_a_wrapper_of_the_project_cuts_the_target() -> None:
    assert_sinks("""
        import gymnasium as gym
        class W(gym.Wrapper):
            def step(self, a):
                o, r, t, u, i = self.env.step(a)
                return o, r, t or u, i
        env = W(gym.make("A-v0"))
        o, r, d, i = env.step(0)
        y = r + 0.99 * (1 - d) * value(o)  # sink: mask
    """)


# --- by name ---------------------------------------------------------------------------------------


def test_a_mask_whose_origin_is_not_visible_is_reported_by_name() -> None:
    assert_sinks("""
        import torch
        def loss(rewards, next_q, dones):
            return rewards + 0.99 * next_q * (1 - dones)  # sink: mask by name
    """)


def test_a_branch_whose_origin_is_not_visible_is_reported_by_name() -> None:
    assert_sinks("""
        import torch
        def target(reward, next_q, done):
            return reward if done else reward + 0.99 * next_q  # sink: branch by name
    """)


@pytest.mark.parametrize("name", ["terminated", "mask", "not_done", "weights"])
def test_a_name_that_does_not_say_done_is_not_reported(name: str) -> None:
    assert_sinks(f"import torch\ndef loss(rewards, q, {name}):\n    return rewards + 0.99 * q * (1 - {name})\n")


def test_a_name_proves_nothing_next_to_a_look_alike() -> None:
    assert_sinks("import gymnax\ndef loss(rewards, q, dones):\n    return rewards + 0.99 * q * (1 - dones)\n")


def test_a_name_proves_nothing_where_flags_are_born_elsewhere() -> None:
    assert_sinks(f"{STEP}def loss(rewards, q, dones):\n    return rewards + 0.99 * q * (1 - dones)\n")


# --- steps and resets that a program takes in two ways -----------------------------------------------


@pytest.mark.parametrize("test", ["new_api", "args.gymnasium", "len(result) == 5"])
def test_a_step_unpacked_in_four_and_in_five_by_two_sides_of_a_branch_is_guarded(test: str) -> None:
    program = f"""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        result = env.step(0)
        if {test}:
            obs, reward, terminated, truncated, info = result
        else:
            obs, reward, done, info = result
    """
    unpacked = [step for at, step in facts(program).steps.items() if at.row in (5, 7)]
    assert len(unpacked) == 2
    assert all(step.guarded for step in unpacked), unpacked


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("obs, reward, terminated, truncated, info", "obs, reward, done, info"),
        ("obs, reward, done, info", "obs, reward, terminated, truncated, info"),
    ],
)
def test_a_step_called_by_two_sides_of_a_branch_for_four_and_for_five_is_guarded(first: str, second: str) -> None:
    program = f"""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        if new_api:
            {first} = env.step(0)
        else:
            {second} = env.step(0)
    """
    steps = facts(program).steps
    assert len(steps) == 2
    assert all(step.guarded for step in steps.values()), steps


def test_a_step_unpacked_in_four_by_both_sides_of_a_branch_is_not_guarded() -> None:
    steps = facts("""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        if render:
            obs, reward, done, info = env.step(0)
        else:
            obs, reward, done, info = env.step(1)
    """).steps
    assert len(steps) == 2
    assert not any(step.guarded for step in steps.values()), steps


@pytest.mark.parametrize(
    "compared",
    [
        "same(a.reset(), b.reset())",
        "same(a.reset(seed=1), b.reset(seed=1))",
        "first = a.reset()\nsecond = b.reset()\nsame(first, second)",
        "first, second = a.reset(), b.reset()\nsame(first, second)",
    ],
)
def test_two_resets_that_one_call_compares_are_handled(compared: str) -> None:
    resets = facts(
        f"import gymnasium as gym\na = gym.make('CartPole-v1')\nb = gym.make('CartPole-v1')\n{compared}\n"
    ).resets
    assert len(resets) >= 2
    assert all(reset.handled for reset in resets.values()), resets


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
    """What networks and helpers give is all that was ever put into them."""
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


LIMITED = {
    "wrapper.py": (
        "import torch\n\nclass TimeLimit:\n    def __init__(self, env):\n        self.env, self.time = env, 0\n"
        "    def step(self, action):\n        obs, reward, cost, terminated, truncated, info = self.env.step(action)\n"
        "        self.time += 1\n        truncated = torch.tensor(self.time >= 100)\n"
        "        return obs, reward, cost, terminated, truncated, info\n"
    ),
    "buffer.py": (
        "import torch\n\nclass Buffer:\n    def __init__(self):\n"
        "        self.data = {}\n        for key in ('obs', 'done'):\n            self.data[key] = torch.zeros(9)\n"
        "    def store(self, **data):\n        for key, value in data.items():\n            self.data[key][0] = value\n"
        "    def sample(self):\n        return {key: value[:4] for key, value in self.data.items()}\n"
    ),
    "main.py": (
        "from buffer import Buffer\nfrom wrapper import TimeLimit\n\nenv, buffer = TimeLimit(make()), Buffer()\n"
        "obs, reward, cost, terminated, truncated, info = env.step(0)\n"
        "buffer.store(obs=obs, done=terminated or truncated)\n"
        "batch = buffer.sample()\ny = reward + 0.99 * (1 - batch['done']) * value(obs)\n"
    ),
}


def test_a_limit_that_another_file_counts_proves_nothing_where_no_store_can_be_named() -> None:
    """A buffer by keys joins all that is stored; where the flag went in cannot be said."""
    assert not sinks(LIMITED)


def test_a_limit_of_the_same_file_is_proven() -> None:
    assert_sinks("""
        for t in range(100):
            obs, reward, done, info = world.step(0)
            end = done or t == 99
            y = reward + 0.99 * (1 - end) * value(obs)  # sink: mask
    """)


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
    assert {kind for _, _, kind in sinks(program)} == {"branch"}


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


FRAMES = f"""{STEP}
class Buffer:
    def __init__(self):
        self.dones = np.zeros(100)
        self.frames = np.zeros((100, 84))
    def push(self, frame, done):
        self.frames[0] = frame
        self.dones[0] = float(done)
    def stack(self, places):
        older = self.dones[places[:, :-1]].astype(bool)
        return self.frames[places] * (BORDER)
    def sample(self, places):
        return self.stack(places), self.dones[places]

buffer = Buffer()
buffer.push(next_obs, done)
frames, dones = buffer.sample(places)
y = reward + 0.99 * (1 - dones) * value(frames)
"""


@pytest.mark.parametrize(
    "border",
    [
        "np.cumsum(older, axis=1) > 0",
        "older.cumsum(1)",
        "older.cumprod(1)",
        "np.where(older)[0]",
        "older.nonzero()",
        "np.flatnonzero(older)",
        "np.argwhere(older)",
        "older.argmax(1)",
        "np.diff(older)",
        "np.searchsorted(older, 1)",
    ],
)
def test_a_stored_flag_whose_place_is_asked_for_hinders_the_fix(border: str) -> None:
    """Frames in front of an episode's first are blacked out: the flag is a border in the store as well."""
    found = sink(FRAMES.replace("BORDER", border), "store")
    assert found.hindrance == "the stored flag also tells where in the store episodes end"


def test_a_stored_flag_whose_place_nobody_asks_for_can_be_replaced() -> None:
    assert sink(FRAMES.replace("BORDER", "1"), "store").hindrance == ""
