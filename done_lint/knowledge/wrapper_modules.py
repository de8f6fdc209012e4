"""The modules below `gymnasium.wrappers` (data). Source: Gymnasium 0.29.1, 1.0.0 and 1.4.0, Gym 0.21.0 and 0.26.2."""

from __future__ import annotations

#: Modules below `wrappers` that are there since 1.0; every other one of Gym's has one class, now in `wrappers` itself.
WRAPPER_MODULES = frozenset(
    """array_conversion atari_preprocessing common jax_to_numpy jax_to_torch numpy_to_torch rendering stateful_action
    stateful_observation stateful_reward transform_action transform_observation transform_reward utils vector""".split()
)


def is_gone_wrapper_module(name: str) -> bool:
    """Whether a module below `wrappers` is none of those of 1.0, and no class."""
    package, _, module = name.partition(".")
    return package == "wrappers" and module.islower() and module not in WRAPPER_MODULES
