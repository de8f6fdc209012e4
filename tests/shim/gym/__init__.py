"""The four-value API of Gym 0.21 over Gymnasium's environments, for tests only.

As in Gym 0.21: `seed` seeds without drawing a start state, `reset` returns the observation alone, `step` returns
`done`, and at the time limit `info["TimeLimit.truncated"]` is whether the limit alone ended the episode.
"""

from __future__ import annotations

from typing import Any

import gymnasium
from gymnasium import spaces

__all__ = ["ActionWrapper", "Env", "ObservationWrapper", "RewardWrapper", "Wrapper", "make", "spaces"]


class Env:
    """What old programs subclass, annotate and test for."""

    action_space: Any
    observation_space: Any

    def step(self, action: Any) -> tuple[Any, float, bool, dict[str, Any]]:
        """Return obs, reward, done, info."""
        raise NotImplementedError

    def reset(self) -> Any:
        """Return the first observation."""
        raise NotImplementedError

    def render(self, mode: str = "human") -> Any:
        """Draw nothing."""

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Seed the random numbers of the episodes to come."""
        return [seed]

    def close(self) -> None:
        """Free nothing."""


class _FourValueEnv(Env):
    """A Gymnasium environment behind the old methods."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        self._env = env
        self._seed: int | None = None
        self.action_space = env.action_space
        self.observation_space = env.observation_space
        self.spec = env.spec

    def step(self, action: Any) -> tuple[Any, float, bool, dict[str, Any]]:
        obs, reward, terminated, truncated, info = self._env.step(action)
        if truncated:
            info["TimeLimit.truncated"] = not terminated
        return obs, float(reward), bool(terminated or truncated), info

    def reset(self) -> Any:
        # Gymnasium has no way to seed without a reset, so the seed waits for the next one.
        obs, _ = self._env.reset(seed=self._seed)
        self._seed = None
        return obs

    def seed(self, seed: int | None = None) -> list[int | None]:
        self._seed = seed
        return [seed]

    def close(self) -> None:
        self._env.close()


class Wrapper(Env):
    """Passes on what it does not change."""

    def __init__(self, env: Env) -> None:
        self.env = env
        self.action_space = env.action_space
        self.observation_space = env.observation_space

    def __getattr__(self, name: str) -> Any:
        return getattr(self.env, name)

    def step(self, action: Any) -> tuple[Any, float, bool, dict[str, Any]]:
        return self.env.step(action)

    def reset(self) -> Any:
        return self.env.reset()

    def seed(self, seed: int | None = None) -> list[int | None]:
        return self.env.seed(seed)

    def close(self) -> None:
        self.env.close()


class ActionWrapper(Wrapper):
    """Changes actions."""

    def action(self, action: Any) -> Any:
        """Translate an action."""
        raise NotImplementedError

    def step(self, action: Any) -> tuple[Any, float, bool, dict[str, Any]]:
        return self.env.step(self.action(action))


class ObservationWrapper(Wrapper):
    """Changes observations."""

    def observation(self, observation: Any) -> Any:
        """Translate an observation."""
        raise NotImplementedError

    def step(self, action: Any) -> tuple[Any, float, bool, dict[str, Any]]:
        obs, reward, done, info = self.env.step(action)
        return self.observation(obs), reward, done, info

    def reset(self) -> Any:
        return self.observation(self.env.reset())


class RewardWrapper(Wrapper):
    """Changes rewards."""

    def reward(self, reward: float) -> float:
        """Translate a reward."""
        raise NotImplementedError

    def step(self, action: Any) -> tuple[Any, float, bool, dict[str, Any]]:
        obs, reward, done, info = self.env.step(action)
        return obs, self.reward(reward), done, info


def make(env_id: str, **kwargs: Any) -> Env:
    """Make a Gymnasium environment and give it the old API."""
    return _FourValueEnv(gymnasium.make(env_id, **kwargs))
