"""The environments of generated projects, and the values that their steps return."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FlagSource:
    """An environment and the values of its step."""

    name: str
    made: str
    #: Targets of the unpacked step.
    slots: str
    terminated: str = ""
    truncated: str = ""
    #: The third of four values.
    union: str = ""
    #: The episode can be truncated.
    truncates: bool = True
    array: bool = False
    reset: str = "obs, info = env.reset()"
    imports: str = "import gymnasium as gym"
    definitions: str = ""


_FIVE = "next_obs, reward, terminated, truncated, info"

NEVER = """
class Grid(gym.Env):
    def __init__(self):
        self.place = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = 0
        return self.place, {}

    def step(self, action):
        self.place += action
        return self.place, -1.0, self.place == 9, False, {}
"""

FLAG_SOURCES = [
    FlagSource("five", 'gym.make("CartPole-v1")', _FIVE, "terminated", "truncated"),
    FlagSource(
        "five, `done` third",
        'gymnasium.make("CartPole-v1")',
        "next_obs, reward, done, cut, _",
        "done",
        "cut",
        imports="import gymnasium",
    ),
    FlagSource(
        "five, wrapped",
        'gym.wrappers.RecordEpisodeStatistics(gym.make("CartPole-v1"))',
        "next_obs, reward, term, trunc, info",
        "term",
        "trunc",
    ),
    FlagSource("vector", 'gym.make_vec("CartPole-v1", num_envs=4)', _FIVE, "terminated", "truncated", array=True),
    FlagSource(
        "SB3",
        'DummyVecEnv([lambda: gym.make("CartPole-v1")])',
        "next_obs, reward, done, infos",
        union="done",
        array=True,
        reset="obs = env.reset()",
        imports="import gymnasium as gym\nfrom stable_baselines3.common.vec_env import DummyVecEnv",
    ),
    FlagSource(
        "old Gym",
        'gym.make("CartPole-v1")',
        "next_obs, reward, done, info",
        union="done",
        reset="obs = env.reset()",
        imports="import gym",
    ),
    FlagSource("unwrapped", 'gym.make("CartPole-v1").unwrapped', _FIVE, "terminated", "truncated", truncates=False),
    FlagSource(
        "old Gym, stripped",
        'gym.make("CartPole-v1").env',
        "next_obs, reward, done, info",
        union="done",
        truncates=False,
        reset="obs = env.reset()",
        imports="import gym",
    ),
    FlagSource("never truncates", "Grid()", _FIVE, "terminated", "truncated", truncates=False, definitions=NEVER),
]
