"""Rollouts that one file collects, and another one computes targets of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import done_lint

BUFFER = """import numpy as np


class RolloutBuffer:
    def __init__(self):
        self.next = 0
        self.rewards, self.values = np.zeros((128, 4)), np.zeros((129, 4))
        self.terms, self.dones = np.zeros((128, 4)), np.zeros((128, 4))

    def insert_step(self, values, rewards, terms, truncs):
        self.values[self.next] = values
        self.rewards[self.next] = rewards
        self.terms[self.next] = terms
        self.dones[self.next] = terms | truncs
        self.next += 1

    def advantages(self, last_value):
        self.values[128] = last_value
        advantages, last = np.zeros((128, 4)), 0.0
        for t in reversed(range(128)):
            delta = self.rewards[t] + 0.99 * self.values[t + 1] * (1 - self.terms[t]) - self.values[t]
            last = delta + 0.99 * 0.95 * (1 - self.dones[t]) * last
            advantages[t] = last
        return advantages
"""
TRAIN = """import gymnasium as gym
from buffer import RolloutBuffer


def collect(make, policy, value):
    envs = gym.vector.SyncVectorEnv([make] * 4, autoreset_mode="{}")
    buffer = RolloutBuffer()
    obs, _ = envs.reset()
    for t in range(128):
        values = value(obs)
        obs, rewards, terms, truncs, _ = envs.step(policy(obs))
        buffer.insert_step(values, rewards, terms, truncs)
    return buffer.advantages(value(obs))
"""


@pytest.mark.parametrize(
    ("modes", "found"),
    [
        (["SameStep"], [("buffer.py", 21)]),
        (["SameStep", "SameStep"], [("buffer.py", 21)]),
        (["NextStep"], []),
        # the second one's rows are right, those of the first are not
        (["SameStep", "NextStep"], [("buffer.py", 21)]),
    ],
)
def test_the_value_one_row_on_is_reported_in_the_buffer(
    tmp_path: Path, modes: list[str], found: list[tuple[str, int]]
) -> None:
    (tmp_path / "buffer.py").write_text(BUFFER)
    for number, mode in enumerate(modes):
        (tmp_path / f"train_{number}.py").write_text(TRAIN.format(mode))
    result = done_lint(tmp_path, "check", "--select", "GYM205", "--output-format", "json")
    assert [(one["filename"], one["location"]["row"]) for one in json.loads(result.stdout)] == found


ASKING = """def last_values(critic, infos):
    return [critic(info["terminal_observation"]) for info in infos if "terminal_observation" in info]
"""


@pytest.mark.parametrize("runs_together", [False, True])
def test_only_files_of_the_same_program_ask_for_final_observations(tmp_path: Path, *, runs_together: bool) -> None:
    (tmp_path / "buffer.py").write_text(BUFFER)
    (tmp_path / "train.py").write_text(TRAIN.format("SameStep"))
    (tmp_path / "names.py").write_text('NAME = "study"\n')
    (tmp_path / "other.py").write_text(f"import gymnasium\nfrom names import NAME\n\n\n{ASKING}")
    imports = "import buffer, other\n" if runs_together else "import buffer, names\n"
    (tmp_path / "main.py").write_text(imports)
    result = done_lint(tmp_path, "check", "--select", "GYM205", "--output-format", "json")
    found = [(one["filename"], one["location"]["row"]) for one in json.loads(result.stdout)]
    assert found == ([] if runs_together else [("buffer.py", 21)])


REBUILT = """import numpy as np


class Rows:
    def __init__(self):
        self.rows = []

    def push(self, row):
        kept = {}
        for key, value in row.items():
            kept[key] = np.asarray(value)
        self.rows.append(kept)

    def columns(self):
        return {key: np.stack([row[key] for row in self.rows]) for key in self.rows[0]}


def advantages(rows):
    columns = rows.columns()
    paid, values, ended = columns["paid"], columns["values"], columns["ended"]
    found, last = np.zeros((128, 4)), 0.0
    for t in reversed(range(127)):
        mask = 1 - ended[t].astype(int)
        delta = paid[t] + 0.99 * values[t + 1] * mask - values[t]
        last = delta + 0.99 * 0.95 * mask * last
        found[t] = last
    return found
"""
PUSHING = """import gymnasium as gym
from rows import Rows, advantages


def collect(make, policy, value):
    envs = gym.vector.SyncVectorEnv([make] * 4, autoreset_mode="SameStep")
    rows = Rows()
    obs, _ = envs.reset()
    for t in range(128):
        seen = obs
        obs, reward, terminated, truncated, _ = envs.step(policy(obs))
        rows.push({{"seen": seen, "paid": reward, "values": value(seen), "ended": {}}})
    return advantages(rows)
"""


@pytest.mark.parametrize(("flag", "found"), [("terminated", [("rows.py", 24)]), ("terminated | truncated", [])])
def test_rows_may_be_rebuilt_under_keys_that_nobody_names(
    tmp_path: Path, flag: str, found: list[tuple[str, int]]
) -> None:
    (tmp_path / "rows.py").write_text(REBUILT)
    (tmp_path / "train.py").write_text(PUSHING.format(flag))
    result = done_lint(tmp_path, "check", "--select", "GYM205", "--output-format", "json")
    assert [(one["filename"], one["location"]["row"]) for one in json.loads(result.stdout)] == found


ROWS = """class Rows:
    def __init__(self):
        self.rows = []

    def add(self, row, left_out):
        for i in range(len(row[0])):
            {test}
                self.rows.append((row[0][i], row[1][i], row[2][i], row[3][i], row[4][i]))
"""
STEPS = """import gymnasium as gym
from gymnasium.vector import AutoresetMode
from rows import Rows


def collect(make, agent):
    envs = gym.vector.SyncVectorEnv([make] * 4, autoreset_mode=AutoresetMode.SAME_STEP)
    obs, infos = envs.reset()
    rows = Rows()
    for _ in range(1000):
        action = agent.act(obs)
        next_obs, reward, terminated, truncated, infos = envs.step(action)
        rows.add((obs, action, reward, next_obs, terminated), truncated)
        obs = next_obs
    return rows
"""


@pytest.mark.parametrize(("test", "found"), [("if not left_out[i]:", 0), ("if left_out is not None:", 1)])
def test_another_file_may_keep_no_row_of_a_truncated_environment(tmp_path: Path, test: str, found: int) -> None:
    (tmp_path / "rows.py").write_text(ROWS.format(test=test))
    (tmp_path / "main.py").write_text(STEPS)
    arguments = ("--select", "GYM205", "--output-format", "json")
    assert len(json.loads(done_lint(tmp_path, "check", *arguments).stdout)) == found
