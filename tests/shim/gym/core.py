"""What old programs inherit from."""

from __future__ import annotations

from typing import Any, ClassVar


class Env:
    """What old programs subclass, annotate and test for."""

    action_space: Any
    observation_space: Any
    metadata: ClassVar[dict[str, Any]] = {"render.modes": []}
    reward_range = (-float("inf"), float("inf"))
    spec: Any = None

    @property
    def unwrapped(self) -> Any:
        """What is inside all wrappers."""
        return self

    def step(self, action: Any) -> tuple[Any, float, bool, dict[str, Any]]:
        """Return obs, reward, done, info; before Gym 0.9.6 classes defined it under another name."""
        return self._step(action)

    def reset(self) -> Any:
        """Return the first observation."""
        return self._reset()

    def _step(self, action: Any) -> tuple[Any, float, bool, dict[str, Any]]:
        raise NotImplementedError

    def _reset(self) -> Any:
        raise NotImplementedError

    def render(self, mode: str = "human") -> Any:
        """Draw nothing."""

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Seed the random numbers of the episodes to come."""
        return [seed]

    def close(self) -> None:
        """Free nothing."""


class Wrapper(Env):
    """Passes on what it does not change."""

    def __init__(self, env: Env) -> None:
        self.env = env
        self.action_space = env.action_space
        self.observation_space = env.observation_space
        self.metadata, self.reward_range, self.spec = env.metadata, env.reward_range, env.spec

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "env":
            raise AttributeError(f"attempted to get missing private attribute '{name}'")
        return getattr(self.env, name)

    @property
    def unwrapped(self) -> Any:
        return self.env.unwrapped

    def step(self, action: Any) -> tuple[Any, float, bool, dict[str, Any]]:
        return self.env.step(action)

    def reset(self, **kwargs: Any) -> Any:
        return self.env.reset(**kwargs)

    def render(self, mode: str = "human") -> Any:
        return self.env.render(mode)

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

    def reset(self, **kwargs: Any) -> Any:
        return self.observation(self.env.reset(**kwargs))


class RewardWrapper(Wrapper):
    """Changes rewards."""

    def reward(self, reward: float) -> float:
        """Translate a reward."""
        raise NotImplementedError

    def step(self, action: Any) -> tuple[Any, float, bool, dict[str, Any]]:
        obs, reward, done, info = self.env.step(action)
        return obs, self.reward(reward), done, info


class GoalEnv(Env):
    """Environments whose observations have goals."""

    def reset(self) -> Any:
        """Check the space."""

    def compute_reward(self, achieved_goal: Any, desired_goal: Any, info: dict[str, Any]) -> float:
        """Return the reward of a goal that was reached, for one that was asked for."""
        raise NotImplementedError
