"""The wrappers of old Gym that programs use."""

from __future__ import annotations

from typing import Any

from gym import error
from gym.core import Env, Wrapper

__all__ = ["Monitor", "TimeLimit"]


class TimeLimit(Wrapper):
    """Ends an episode after a number of steps."""

    def __init__(self, env: Env, max_episode_steps: int) -> None:
        super().__init__(env)
        self._max_episode_steps = max_episode_steps
        self._steps = 0

    def reset(self, **kwargs: Any) -> Any:
        self._steps = 0
        return self.env.reset(**kwargs)

    def step(self, action: Any) -> tuple[Any, float, bool, dict[str, Any]]:
        obs, reward, done, info = self.env.step(action)
        self._steps += 1
        if self._steps >= self._max_episode_steps:
            info["TimeLimit.truncated"] = not done
            done = True
        return obs, reward, done, info


class Monitor(Wrapper):
    """Counts episodes, and refuses to end one early."""

    def __init__(self, env: Env, directory: str, **options: Any) -> None:
        super().__init__(env)
        self.directory = directory
        self._running = False
        self.lengths: list[int] = []

    def reset(self, **kwargs: Any) -> Any:
        if self._running:
            raise error.Error("Trying to reset an environment before done")
        self._running = True
        self.lengths.append(0)
        return self.env.reset(**kwargs)

    def step(self, action: Any) -> tuple[Any, float, bool, dict[str, Any]]:
        obs, reward, done, info = self.env.step(action)
        self.lengths[-1] += 1
        self._running = not done
        return obs, reward, done, info

    def get_episode_lengths(self) -> list[int]:
        """Steps of each episode."""
        return self.lengths
