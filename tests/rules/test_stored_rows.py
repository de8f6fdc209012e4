"""Rows of vector environments that reset in the same step, in the forms in which a row is made and kept."""

from __future__ import annotations

import pytest
from markdown_cases import findings_in

COLLECT = """import gymnasium as gym
import numpy as np
from typing import NamedTuple


class Transition(NamedTuple):
    obs: np.ndarray
    action: np.ndarray
    reward: np.ndarray
    next_obs: np.ndarray
    end: np.ndarray


def store(rows, *row):
    rows.append(row)


def collect(policy, rows):
    envs = gym.make_vec("Pendulum-v1", 4, vector_kwargs={{"autoreset_mode": "{mode}"}})
    obs, _ = envs.reset()
    for _ in range(1000):
        action = policy(obs)
        next_obs, reward, terminated, truncated, infos = envs.step(action)
        {row}
        obs = next_obs
"""
KEPT = [
    "rows.append(Transition(obs, action, reward, next_obs, terminated))",
    "rows.append(Transition(obs=obs, action=action, reward=reward, next_obs=next_obs, end=terminated))",
    "rows.append(dict(obs=obs, action=action, reward=reward, next_obs=next_obs, end=terminated))",
    "row = Transition(obs, action, reward, next_obs, terminated)\n        rows.append(row)",
    "row = obs, action, reward, next_obs, terminated\n        rows.append(row)",
    'row = {"obs": obs, "move": action, "gain": reward, "next": next_obs, "end": terminated}\n        rows.append(row)',
    "loss = policy.learn(obs, action, reward, next_obs, 1 - terminated)",
    "store(rows, obs, action, reward, next_obs, terminated)",
    "rows.extend(zip(obs, action, reward, next_obs, terminated))",
    "rows.extend((obs[i], action[i], reward[i], next_obs[i], terminated[i]) for i in range(4))",
    "rows.extend([(o, a, r, n, d) for o, a, r, n, d in zip(obs, action, reward, next_obs, terminated)])",
    "for i in range(4): rows.append(Transition(obs[i], action[i], reward[i], next_obs[i], terminated[i]))",
]
NOT_KEPT = [
    "print(obs, action, reward, next_obs, terminated)",
    "row = obs, action, reward, next_obs, terminated; print(row)",
]


def rows_found(row: str, mode: str = "SameStep", code: str = "GYM205") -> list[int]:
    source = COLLECT.format(row=row, mode=mode)
    return [one.span.row for one in findings_in(source, frozenset({code}))]


@pytest.mark.parametrize("row", KEPT)
def test_what_is_kept_is_reported(row: str) -> None:
    assert rows_found(row) == [24]


@pytest.mark.parametrize("row", NOT_KEPT)
def test_what_nothing_keeps_is_not(row: str) -> None:
    assert rows_found(row) == []


@pytest.mark.parametrize("row", KEPT)
def test_right_rows_are_not(row: str) -> None:
    assert rows_found(row, mode="NextStep") == []
    assert rows_found(row.replace("terminated", "(terminated | truncated)")) == []
    final = "final = next_obs.copy(); final[truncated] = infos['final_obs'][truncated]\n        "
    assert rows_found(final + row.replace("next_obs,", "final,").replace("=next_obs", "=final")) == []
    assert rows_found("if 'final_obs' in infos: policy.note(infos)\n        " + row) == []


@pytest.mark.parametrize("row", [row for row in KEPT if "extend" in row])
def test_rows_that_extend_a_list_are_kept_where_the_reset_is_a_step_of_its_own(row: str) -> None:
    assert rows_found(row, mode="NextStep", code="GYM207") == [24]
    assert rows_found(row, code="GYM207") == []


def test_arrays_of_a_step_extend_lists_side_by_side() -> None:
    row = "rows.seen.extend(obs); rows.gains.extend(reward); rows.ends.extend(terminated)"
    assert rows_found(row, mode="NextStep", code="GYM207") == [24]
    row = "rows.gains.extend(reward); rows.seen.extend(next_obs)"
    assert rows_found(row, mode="NextStep", code="GYM207") == []
