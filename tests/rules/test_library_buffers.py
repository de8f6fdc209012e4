"""Replay buffers of Stable-Baselines3 that ask the infos of a step for the key that Gym's time limit set."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import done_lint

SEVERAL = """import gym
from stable_baselines3.common.buffers import ReplayBuffer

envs = gym.vector.SyncVectorEnv([lambda: gym.make("Pendulum-v1")] * 2)
rb = ReplayBuffer(1000, envs.single_observation_space, envs.single_action_space, "cpu", n_envs=2{option})
obs = envs.reset()
for step in range(500):
    next_obs, rewards, dones, infos = envs.step(envs.action_space.sample())
    rb.add(obs, next_obs, [0.0, 0.0], rewards, dones, infos={given})
    obs = next_obs
"""
SINGLE = """import gym
from stable_baselines3.common.buffers import ReplayBuffer

env = gym.make("Pendulum-v1")
rb = ReplayBuffer(1000, env.observation_space, env.action_space{option})
obs = env.reset()
for step in range(500):
    next_obs, reward, done, info = env.step(env.action_space.sample())
    rb.add(obs, next_obs, [0.0], reward, done, {given})
    obs = env.reset() if done else next_obs
"""
OFF = ", handle_timeout_termination=False"
HOLDS = "hands infos to a replay buffer that asks them for"


def fixed(folder: Path, text: str) -> tuple[str, str]:
    (folder / "pyproject.toml").write_text("")
    (folder / "main.py").write_text(text)
    out = done_lint(folder, "fix").stdout
    return (folder / "main.py").read_text(), out


@pytest.mark.parametrize(("program", "given"), [(SEVERAL, "infos"), (SINGLE, "[info]")], ids=["several", "one"])
def test_a_buffer_that_asks_for_the_key_keeps_the_program_as_it_is(tmp_path: Path, program: str, given: str) -> None:
    before = program.format(option="", given=given)
    text, out = fixed(tmp_path, before)
    assert text == before
    assert HOLDS in out


@pytest.mark.parametrize(
    ("program", "option", "given"),
    [
        (SEVERAL, OFF, "infos"),
        (SINGLE, OFF, "[info]"),
        (SINGLE, "", '[{"TimeLimit.truncated": step % 200 == 199}]'),
    ],
    ids=["switched off", "switched off, of one", "own infos"],
)
def test_a_buffer_that_does_not_need_the_key_keeps_nothing(
    tmp_path: Path, program: str, option: str, given: str
) -> None:
    text, _ = fixed(tmp_path, program.format(option=option, given=given))
    assert "import gymnasium as gym" in text


def test_a_key_that_the_program_sets_is_there(tmp_path: Path) -> None:
    change = '    info["TimeLimit.truncated"] = step % 200 == 199\n    rb.add'
    text, _ = fixed(tmp_path, SINGLE.format(option="", given="[info]").replace("    rb.add", change))
    assert "import gymnasium as gym" in text


def test_the_infos_of_the_librarys_own_environments_have_the_key(tmp_path: Path) -> None:
    made = 'DummyVecEnv([lambda: gym.make("Pendulum-v1")] * 2)'
    program = SEVERAL.format(option="", given="infos").replace("import gym\n", "import gymnasium as gym\n", 1)
    program = program.replace('gym.vector.SyncVectorEnv([lambda: gym.make("Pendulum-v1")] * 2)', made)
    program = program.replace(
        "ReplayBuffer\n", "ReplayBuffer\nfrom stable_baselines3.common.vec_env import DummyVecEnv\n", 1
    )
    text, out = fixed(tmp_path, program)
    assert text == program
    assert HOLDS not in out
