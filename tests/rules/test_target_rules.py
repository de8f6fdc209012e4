"""What the target release decides, rule by rule: right for one release is outdated for another."""

from __future__ import annotations

from pathlib import Path

import pytest

from done_lint.engine.analyze import check
from done_lint.project.discovery import projects
from done_lint.project.settings import Overrides

ROLLOUT = """import gymnasium as gym

envs = gym.vector.SyncVectorEnv([make, make])
obs, infos = envs.reset()
for _ in range(1000):
    action = policy(obs)
    next_obs, reward, terminated, truncated, infos = envs.step(action)
    {row}
    obs = next_obs
"""
STORED = ROLLOUT.format(row="buffer.add(obs, action, reward, next_obs, terminated)")
FINAL = ROLLOUT.format(row='last = infos["final_observation"]')

OF_OTHERS = STORED.replace("import gymnasium as gym", "import mo_gymnasium as mo_gym").replace(
    "gym.vector.SyncVectorEnv", "mo_gym.MOSyncVectorEnv"
)
ASKED = FINAL.replace("make])", "make], autoreset_mode=gym.vector.AutoresetMode.SAME_STEP)").replace(
    "final_observation", "final_obs"
)


def codes(folder: Path, program: str, target: str) -> list[str]:
    """What is found in a program that is to run under `target`."""
    (folder / "program.py").write_text(program)
    overrides = Overrides(isolated=True, target_version=target)
    return [finding.code for finding in check(projects([str(folder)], overrides.settings)).findings]


@pytest.mark.parametrize(
    ("program", "of_old", "of_new"),
    [
        ('import gymnasium as gym\nenv = gym.make("FrozenLake-v1")\nprint(env.P)\n', [], ["GYM406"]),
        ('import gymnasium as gym\nenv = gym.make("FrozenLake-v1")\nprint(env.reward_range)\n', [], ["GYM406"]),
        (
            'import gymnasium as gym\nenv = gym.wrappers.ClipAction(gym.make("Pendulum-v1"))\n'
            "print(env._max_episode_steps)\n",
            ["GYM406"],
            ["GYM406"],
        ),
        ('import gymnasium as gym\nenv = gym.make("CartPole-v1", autoreset=False)\n', [], ["GYM110"]),
        ('import gymnasium as gym\nenv = gym.make("CartPole-v1", new_step_api=True)\n', ["GYM110"], ["GYM110"]),
        ('import gymnasium as gym\nenvs = gym.vector.make("CartPole-v1", num_envs=2)\n', [], ["GYM407"]),
        # Up to 0.29 a vector environment resets in the step that ends an episode, since 1.0 in the one after it.
        (STORED, ["GYM205"], ["GYM207"]),
        (FINAL, [], ["GYM407", "GYM407"]),  # the key, and the call that was made for before 1.0
        # what an older MO-Gymnasium has at its top is made for the releases before 1.0 alone, and takes no mode
        (OF_OTHERS, ["GYM205"], []),
        # a file that asks for a mode is for the releases that have modes, whatever a list of requirements says
        (ASKED, [], []),
    ],
)
def test_what_is_outdated(tmp_path: Path, program: str, of_old: list[str], of_new: list[str]) -> None:
    assert codes(tmp_path, program, "0.29") == of_old
    assert codes(tmp_path, program, "1.4") == of_new


LISTED = """import gymnasium as gym

envs = {envs}
obs, infos = envs.reset()
for _ in range(1000):
    obs, reward, terminated, truncated, infos = envs.step(envs.action_space.sample())
    for info in infos:
        if "episode" in info:
            print(info["episode"]["r"])
"""
PLAIN = LISTED.format(envs="gym.vector.SyncVectorEnv([make, make])")
RECORDED = LISTED.format(envs="gym.wrappers.RecordEpisodeStatistics(gym.vector.SyncVectorEnv([make, make]))")
START = "import gymnasium as gym\n"


@pytest.mark.parametrize(
    ("program", "since"),
    [
        (START + 'env = gym.wrappers.FrameStack(gym.make("CartPole-v1"), 4)\n', "1.0"),
        ("from gymnasium.wrappers import FrameStack\n", "1.0"),
        (START + 'env = gym.wrappers.TransformReward(gym.make("CartPole-v1"), f=abs)\n', "1.0"),
        (START + "env = gym.wrappers.ClipAction(gym.vector.SyncVectorEnv([make]))\n", "1.0"),
        (START + 'env = gym.make("LunarLander-v2")\n', "1.0"),
        (START + 'env = gym.make("Taxi-v3")\n', "1.3"),
        (START + 'env = gym.make("Pendulum-v0")\n', "0.26"),
        (START + 'envs = gym.vector.make("CartPole-v1", num_envs=2)\n', "1.1"),  # the first with modes
        (PLAIN, "1.0"),
    ],
)
def test_no_fix_writes_what_a_supported_release_lacks(tmp_path: Path, program: str, since: str) -> None:
    releases = ["0.26.2", "0.27.0", "0.28.0", "0.29.0", "1.0.0", "1.1.0", "1.2.0", "1.3.0"]
    for number, lowest in enumerate(releases):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "program.py").write_text(program)
        (folder / "requirements.txt").write_text(f"gymnasium>={lowest},<2\n")
        *calls, finding = check(projects([str(folder)], Overrides().settings)).findings
        assert not any(call.fix for call in calls)
        has = tuple(map(int, lowest.split("."))) >= tuple(map(int, since.split(".")))
        assert (finding.fix is not None) == has, lowest
        assert has or "which the project" in finding.unfixed or "the project also runs with" in finding.unfixed


def test_statistics_stand_where_the_release_has_them(tmp_path: Path) -> None:
    overrides = Overrides(isolated=True, target_version="0.29")
    (tmp_path / "program.py").write_text(PLAIN)
    (finding,) = check(projects([str(tmp_path)], overrides.settings)).findings
    assert "final_info" in (finding.help or "")
    assert finding.fix is None
    # Around the vector environment the wrapper writes into the infos of all.
    (tmp_path / "program.py").write_text(RECORDED)
    (finding,) = check(projects([str(tmp_path)], overrides.settings)).findings
    assert "final_info" not in (finding.help or "")
    assert finding.fix is not None


def test_an_id_that_all_supported_releases_have_comes_first(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(START + 'env = gym.make("HalfCheetah-v2")\n')
    (tmp_path / "requirements.txt").write_text("gymnasium>=0.29\n")
    (finding,) = check(projects([str(tmp_path)], Overrides().settings)).findings
    assert finding.help == 'write `"HalfCheetah-v4"`; it needs `pip install gymnasium[mujoco]`'


def test_a_message_names_the_release_where_it_is_not_true_of_all(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(FINAL)
    (tmp_path / "requirements.txt").write_text("gymnasium>=0.28,<1.2\n")
    _, finding = check(projects([str(tmp_path)], Overrides().settings)).findings
    assert finding.message == "`final_observation` is never set in Gymnasium 1.1"


def test_rows_are_seen_where_another_file_makes_the_environment(tmp_path: Path) -> None:
    """The file that keeps them names neither library, and nothing else is wrong in it."""
    (tmp_path / "environments.py").write_text(
        "import gymnasium as gym\n\n\nclass Vector:\n    def __init__(self):\n"
        '        self.envs = gym.make_vec("CartPole-v1")\n        self.first, _ = self.envs.reset()\n\n'
        "    def step(self, actions):\n        obs, reward, terminated, truncated, info = self.envs.step(actions)\n"
        "        return obs, reward, terminated, truncated, info\n"
    )
    program = (
        "import environments\n\n\ndef learn(env: environments.Vector, policy, replay):\n    obs = env.first\n"
        "    while True:\n        action = policy(obs)\n"
        "        following, reward, terminated, truncated, info = env.step(action)\n"
        "        replay.append((obs, action, reward, following, terminated))\n        obs = following\n"
    )
    assert codes(tmp_path, program, "1.4") == ["GYM207"]


POOL = """import envpool
import gym


class Inner(gym.Wrapper):
    def step(self, action):
        obs, reward, done, info = self.env.step(action)
        return obs * 2, reward, done, info


class Outer(gym.Wrapper):
    def step(self, action):
        obs, reward, done, info = super().step(action)
        return obs, reward, done, info


def collect(policy, rows):
    envs = Outer(Inner(envpool.make("Pong-v5", env_type="gym", num_envs=8)))
    obs = envs.reset()
    for _ in range(100):
        action = policy(obs)
        next_obs, reward, done, info = envs.step(action)
        rows.append((obs, action, reward, next_obs, done))
        obs = next_obs
"""


def test_what_has_one_mode_keeps_it_whatever_the_release(tmp_path: Path) -> None:
    """Also behind two wrappers, where no call is seen that makes what the outer one inherits from."""
    assert "GYM207" in codes(tmp_path, POOL, "0.28")
    assert "GYM207" in codes(tmp_path, POOL, "1.4")
