"""The four-value API of Gym 0.21 over Gymnasium's environments, for tests only.

As in Gym 0.21: `seed` seeds without drawing a start state, `reset` returns the observation alone, `step` returns
`done`, and at the time limit `info["TimeLimit.truncated"]` is whether the limit alone ended the episode. Random numbers
are those of Gymnasium, under the old names too (as in Gym 0.22), so that both draw the same.
"""

from __future__ import annotations

from gym import envs, error, spaces, utils, vector, wrappers
from gym.core import ActionWrapper, Env, GoalEnv, ObservationWrapper, RewardWrapper, Wrapper
from gym.envs.registration import make, register

__version__ = "0.21.0"

__all__ = [
    "ActionWrapper",
    "Env",
    "GoalEnv",
    "ObservationWrapper",
    "RewardWrapper",
    "Wrapper",
    "envs",
    "error",
    "make",
    "register",
    "spaces",
    "utils",
    "vector",
    "wrappers",
]
