"""Old keys in infos of what only its use shows to be a vector environment, in a project that needs Gymnasium 1.0."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

FILL = """import numpy as np


def fill(envs, memory, steps):
    obs, _ = envs.reset()
    for _ in range(steps):
        actions = np.array([envs.single_action_space.sample() for _ in range(envs.num_envs)])
        next_obs, rewards, terminations, truncations, infos = envs.step(actions)
        real_next_obs = next_obs.copy()
        for i, truncated in enumerate(truncations):
            if truncated:
                real_next_obs[i] = infos["final_observation"][i]
        if "final_info" in infos:
            for info in infos["final_info"]:
                print(info["episode"]["r"])
        memory.add(obs, real_next_obs, rewards, terminations)
        obs = next_obs
"""
MAIN = "import gymnasium as gym\nfrom fill import fill\nfrom elsewhere import make\n\nfill(make(4), [], 100)\n"
OWN = """

class Envs:
    num_envs = 4

    def reset(self):
        return self.all.reset()

    def step(self, actions):
        return self.all.step(actions)
"""


def rows_found(folder: Path, requirement: str, main: str, fill: str = FILL) -> list[int]:
    (folder / "pyproject.toml").write_text(f'[project]\nname = "a"\ndependencies = ["{requirement}"]\n')
    (folder / "fill.py").write_text(fill)
    (folder / "main.py").write_text(main)
    result = done_lint(folder, "check", "--select", "GYM108,GYM205,GYM207,GYM407", "--output-format", "concise")
    assert all(" GYM407 " in line for line in result.stdout.splitlines())
    return [int(line.split(":")[1]) for line in result.stdout.splitlines() if line.startswith("fill.py")]


@pytest.mark.parametrize("main", [MAIN, "import gymnasium as gym\nprint(gym)\n", f"{MAIN}import dm_control\n"])
def test_keys_that_no_release_sets_are_reported(main: str, tmp_path: Path) -> None:
    assert rows_found(tmp_path, "gymnasium>=1.1", main) == [12, 14]


@pytest.mark.parametrize(
    ("requirement", "main"),
    [
        ("gymnasium", MAIN),
        ("gymnasium==0.29.1", MAIN),
        ("gymnasium>=1.1", f"{MAIN}import mani_skill\n"),
        ("gymnasium>=1.1", f"{MAIN}import isaaclab_rl\n"),
        ("gymnasium>=1.1", MAIN.replace("from elsewhere import make", OWN).replace("make(4)", "Envs()")),
        ("gymnasium>=1.1", f'{MAIN}\n\ndef say(infos, obs):\n    infos["final_observation"] = obs\n'),
    ],
)
def test_keys_of_other_releases_and_libraries_are_not(requirement: str, main: str, tmp_path: Path) -> None:
    assert rows_found(tmp_path, requirement, main) == []


def test_nor_where_nothing_says_that_there_are_several(tmp_path: Path) -> None:
    fill = FILL.replace("envs.single_action_space.sample() for _ in range(envs.num_envs)", "0")
    assert rows_found(tmp_path, "gymnasium>=1.1", MAIN, fill) == []


def test_nor_where_todays_name_is_known(tmp_path: Path) -> None:
    fill = FILL.replace('infos["final_observation"][i]', 'infos.get("final_obs", infos.get("final_observation"))[i]')
    assert rows_found(tmp_path, "gymnasium>=1.1", MAIN, fill) == []
