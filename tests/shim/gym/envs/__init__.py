"""Which environments there are."""

from __future__ import annotations

from gym.envs.registration import make, register, registry

__all__ = ["make", "register", "registry"]
