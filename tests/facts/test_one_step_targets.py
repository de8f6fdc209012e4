"""Which masks of one-step targets cut the value wrongly, and which are right."""

from __future__ import annotations

import pytest
from model_programs import STEP, VECTOR_STEP, assert_sinks, sinks


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


def test_a_target_in_the_attribute_that_held_the_next_value_is_no_running_sum() -> None:
    assert_sinks("""
import gymnasium as gym

env = gym.make("CartPole-v1")


class Critic:
    def learn(self, obs, reward, done):
        self.value = self.network(obs)
        self.value = reward + 0.99 * (1 - done) * self.value  # sink: mask


critic = Critic()
obs, info = env.reset()
obs, reward, terminated, truncated, info = env.step(0)
critic.learn(obs, reward, terminated or truncated)
""")


def test_a_sum_of_the_past_that_goes_on_before_it_is_cut_is_a_running_sum() -> None:
    """A reward normaliser may add the reward first, and begin anew behind that."""
    assert_sinks("""
import gymnasium as gym


class Scaled(gym.Wrapper):
    def step(self, action):
        obs, reward, terminated, truncated, info = self.env.step(action)
        done = terminated or truncated
        self.past = self.gamma * self.past + reward
        scaled = reward / self.spread(self.past)
        self.past = self.past * (1 - done)
        return obs, scaled, terminated, truncated, info
""")


MASKING = "def without_ended(state, done):\n    return state * (1 - done)\n"
TARGETS = "def target(reward, value):\n    return reward + 0.99 * value\n"


@pytest.mark.parametrize(
    ("imported", "expected"), [("from masks import without_ended\n", {"mask", "store"}), ("", set())]
)
def test_what_a_file_masks_is_no_value_of_another_one_that_has_nothing_to_do_with_it(
    imported: str, expected: set[str]
) -> None:
    """A state that is set back for a network comes to targets by ways that the analysis joins."""
    main = (
        f"import masks\nimport targets\n{STEP}state = masks.without_ended(obs, done)\ntargets.target(reward, state)\n"
    )
    program = {"main.py": main, "masks.py": MASKING, "targets.py": imported + TARGETS}
    assert {kind for _, _, kind in sinks(program)} == expected
