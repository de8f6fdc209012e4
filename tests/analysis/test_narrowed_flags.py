"""A flag that truncation or a limit was taken out of."""

from __future__ import annotations

import pytest
from model_programs import STEP, after_step, meanings


@pytest.mark.parametrize(
    "expression",
    [
        "done and not truncated",
        "not truncated and done",
        "done & ~truncated",
        "done * (1 - truncated)",
        "(1 - truncated) * done",
        "np.logical_and(done, np.logical_not(truncated))",
        "np.logical_and(done, ~truncated)",
        "False if truncated else done",
        "done if not truncated else False",
        "0.0 if truncated else float(done)",
        "float(done) * (1.0 - float(truncated))",
        "done and terminated",
        "bool(done) and not bool(truncated)",
        "np.where(truncated, False, done)",
        "np.where(truncated, 0.0, float(done))",
    ],
)
def test_done_without_truncation_is_terminated(expression: str) -> None:
    assert after_step(expression) == {"terminated"}


@pytest.mark.parametrize(
    "expression",
    [
        "1.0 if truncated else 1.0 - float(done)",
        "1 if truncated else not done",
        "not done or truncated",
        "not (done and not truncated)",
        "np.logical_or(np.logical_not(done), truncated)",
    ],
)
def test_a_keep_mask_that_truncation_opens_again_keeps_until_terminated(expression: str) -> None:
    assert after_step(expression) == {"not terminated"}


def test_an_if_that_clears_the_flag_narrows() -> None:
    program = STEP + "stored = done\nif truncated:\n    stored = False\nprint(stored)"
    assert meanings(program, "stored") == {"terminated"}


def test_truncation_without_termination_stays_truncation() -> None:
    assert after_step("truncated and not terminated") == {"truncated"}
    assert after_step("truncated & ~terminated") == {"truncated"}
    assert after_step("done and truncated") == {"truncated"}


@pytest.mark.parametrize(
    "narrowed",
    [
        'done and not info.get("TimeLimit.truncated", False)',
        'done and not info["TimeLimit.truncated"]',
        'done and "TimeLimit.truncated" not in info',
        'done and not ("TimeLimit.truncated" in info)',
        'done * (1 - info["TimeLimit.truncated"])',
        'False if info.get("TimeLimit.truncated") else done',
    ],
)
def test_old_idioms_take_the_time_limit_out(narrowed: str) -> None:
    program = f"""
        import gymnasium as gym
        env = gym.make("CartPole-v1")
        obs, reward, done, info = env.step(0)
        seen = {narrowed}
    """
    assert meanings(program, narrowed) == {"terminated"}


def test_a_key_that_is_never_set_narrows_nothing() -> None:
    """After the migration to five values the same text is a bug."""
    assert after_step('done and not info.get("TimeLimit.truncated", False)') == {"done"}


LIMITED = """
    import gymnasium as gym
    env = gym.make("CartPole-v1")
    obs, info = env.reset()
    steps, max_steps = 0, 1000
    while True:
        obs, reward, terminated, truncated, info = env.step(0)
        done = terminated or truncated
        steps += 1
        seen = {}
"""


@pytest.mark.parametrize(
    "expression",
    [
        "False if steps == max_steps else done",
        "float(done) if steps < max_steps else 0",
        "0 if steps == max_steps else float(done)",
        "0.0 if steps == env._max_episode_steps else float(done)",
        "0 if steps + 1 == env._max_episode_steps else float(done)",
        "float(done) if steps < env._max_episode_steps else 0",
        "done and steps < max_steps",
        "done and not steps == max_steps",
    ],
)
def test_the_own_limit_taken_out_leaves_terminated(expression: str) -> None:
    assert meanings(LIMITED.format(expression), expression) == {"terminated"}


def test_the_own_limit_opens_a_keep_mask() -> None:
    expression = "1 if steps == env._max_episode_steps else float(not done)"
    assert meanings(LIMITED.format(expression), expression) == {"not terminated"}


@pytest.mark.parametrize("limit", ["steps >= max_steps", "steps == max_steps", "max_steps <= steps"])
def test_the_own_limit_joins_a_flag(limit: str) -> None:
    assert meanings(LIMITED.format(limit), limit) == {"limit"}
    assert meanings(LIMITED.format(f"terminated or {limit}"), f"terminated or {limit}") == {"terminated + limit"}
    assert meanings(LIMITED.format(f"done or {limit}"), f"done or {limit}") == {"done + limit"}


def test_a_counter_that_does_not_count_steps_is_no_limit() -> None:
    program = """
        count, most = 0, 10
        for line in open("log"):
            count += 1
            seen = count >= most
    """
    assert meanings(program, "count >= most") == set()


def test_both_flags_at_once_are_neither_of_them() -> None:
    assert after_step("terminated and truncated") == after_step("truncated and terminated")
