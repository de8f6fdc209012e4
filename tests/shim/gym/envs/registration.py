"""Ids of Gymnasium, and those that programs register."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import gymnasium

from gym import error
from gym.core import Env
from gym.wrappers import TimeLimit


@dataclass
class EnvSpec:
    """How an environment is made."""

    id: str
    entry_point: str | Callable[..., Env]
    max_episode_steps: int | None = None
    reward_threshold: float | None = None
    kwargs: dict[str, Any] = field(default_factory=dict)
    #: As in Gym 0.9.
    timestep_limit: int | None = None
    trials: int = 100
    tags: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read the limit from where it was given."""
        tag = self.tags.get("wrapper_config.TimeLimit.max_episode_steps")
        self.max_episode_steps = self.max_episode_steps or self.timestep_limit or tag


class EnvRegistry(dict[str, EnvSpec]):
    """The ids by their names, under the old names too."""

    @property
    def env_specs(self) -> dict[str, EnvSpec]:
        """The dictionary itself."""
        return self

    def all(self) -> Iterable[EnvSpec]:
        """All that is registered."""
        return self.values()


#: What programs have registered.
registry = EnvRegistry()


def register(id: str, **options: Any) -> None:
    """Make an environment known under an id."""
    registry[id] = EnvSpec(id, **options)


def load(name: str) -> Any:
    """What stands under `module:attribute`."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def make(env_id: str, **kwargs: Any) -> Env:
    """Make an environment of the program or of a plugin, or one of Gymnasium behind the old API."""
    with suppress(ImportError):
        importlib.import_module("gym_plugins")
    if (spec := registry.get(env_id)) is not None:
        made = load(spec.entry_point) if isinstance(spec.entry_point, str) else spec.entry_point
        env = made(**{**spec.kwargs, **kwargs})
        env.spec = spec
        return TimeLimit(env, spec.max_episode_steps) if spec.max_episode_steps is not None else env
    try:
        return FourValueEnv(gymnasium.make(env_id, render_mode=_mode(env_id), **kwargs))
    except gymnasium.error.UnregisteredEnv as unknown:
        raise error.UnregisteredEnv(str(unknown)) from unknown


def _mode(env_id: str) -> str | None:
    """Frames, where they cost nothing until one is asked for."""
    return "rgb_array" if env_id.startswith(("CartPole", "MountainCar", "Pendulum")) else None


class FourValueEnv(Env):
    """A Gymnasium environment behind the old methods."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        self._env = env
        self._seed: int | None = None
        self.action_space = env.action_space
        self.observation_space = env.observation_space
        self.spec = env.spec

    def __getattr__(self, name: str) -> Any:
        if name == "_max_episode_steps" and self.spec is not None:
            return self.spec.max_episode_steps
        return getattr(self._env.unwrapped, name)

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

    def render(self, mode: str = "human") -> Any:
        return self._env.render() if mode == "rgb_array" else True

    def seed(self, seed: int | None = None) -> list[int | None]:
        self._seed = seed
        return [seed]

    def close(self) -> None:
        self._env.close()
