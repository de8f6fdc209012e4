"""Which environments there are."""

from __future__ import annotations

from gym.envs.registration import make, register

__all__ = ["make", "register"]
