"""A task of the library's own, for programs that register its class."""

from __future__ import annotations

from gymnasium.envs import classic_control

from gym.envs.registration import FourValueEnv


class CartPoleEnv(FourValueEnv):
    """Gymnasium's, behind the old methods."""

    def __init__(self) -> None:
        super().__init__(classic_control.CartPoleEnv())
