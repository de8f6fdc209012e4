"""Functions that are defined again."""

from __future__ import annotations

from markdown_cases import findings_in, findings_in_cell

TWICE = """import gymnasium as gym

env = gym.make("CartPole-v1")


def play(action):
    obs, reward, done, info = env.step(action)
    return obs


def play(action):
    obs, reward, terminated, truncated, info = env.step(action)
    return obs
"""


def test_a_body_that_never_runs_is_left_out() -> None:
    assert findings_in(TWICE, frozenset({"GYM101"})) == []


def test_a_cell_may_be_run_between_two_definitions() -> None:
    assert [(row, code) for _, row, code in findings_in_cell(TWICE, frozenset({"GYM101"}))] == [(7, "GYM101")]
