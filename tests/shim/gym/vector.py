"""Several environments that step together, as Gym 0.21 had them: an episode's last step resets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gym.core import Env

__all__ = ["AsyncVectorEnv", "SyncVectorEnv", "VectorEnv", "make"]


class VectorEnv(Env):
    """What vector environments inherit from."""

    def __init__(self, num_envs: int, observation_space: Any, action_space: Any) -> None:
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = observation_space, action_space

    def reset_wait(self) -> Any:
        """Return the first observations."""
        raise NotImplementedError

    def step_async(self, actions: Any) -> None:
        """Take the actions."""

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Return observations, rewards, dones, infos."""
        raise NotImplementedError

    def reset(self) -> Any:
        return self.reset_wait()

    def step(self, actions: Any) -> Any:
        self.step_async(actions)
        return self.step_wait()


class SyncVectorEnv(VectorEnv):
    """One after the other."""

    def __init__(self, env_fns: Sequence[Callable[[], Env]]) -> None:
        self.envs = [make() for make in env_fns]
        super().__init__(len(self.envs), self.envs[0].observation_space, self.envs[0].action_space)

    def seed(self, seed: Any = None) -> Any:
        seeds = seed if isinstance(seed, list) else [None if seed is None else seed + i for i in range(self.num_envs)]
        return [env.seed(one) for env, one in zip(self.envs, seeds)]

    def reset_wait(self) -> Any:
        return np.stack([env.reset() for env in self.envs])

    def step_async(self, actions: Any) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        rows = []
        for env, action in zip(self.envs, self._actions):
            obs, reward, done, info = env.step(action)
            rows.append((env.reset() if done else obs, reward, done, info))
        observations, rewards, dones, infos = zip(*rows)
        return np.stack(observations), np.array(rewards), np.array(dones), list(infos)


class AsyncVectorEnv(SyncVectorEnv):
    """The same rows as one after the other."""


def make(id: str, num_envs: int = 1, asynchronous: bool = True, wrappers: Any = None, **options: Any) -> VectorEnv:
    """Several environments of one id."""
    import gym

    wrap = (lambda env: env) if wrappers is None else wrappers
    kind = AsyncVectorEnv if asynchronous else SyncVectorEnv
    return kind([lambda: wrap(gym.make(id, **options))] * num_envs)
