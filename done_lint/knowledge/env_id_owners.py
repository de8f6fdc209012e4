"""Whose an environment's id is, as far as the tables say."""

from __future__ import annotations

from functools import cache

from done_lint.knowledge import env_id_apis, env_id_versions, made_layers

#: The packages of the library's own environments.
_TASKS = ("gym.envs.", "gymnasium.envs.")


def is_task_class(entry_point: str) -> bool:
    """Whether an entry point is a class of the library's own environments."""
    return entry_point.startswith(_TASKS) and ":" in entry_point


@cache
def is_known(env_id: str) -> bool:
    """Whether Gymnasium, old Gym itself or a package that is on Gymnasium has an environment of this id."""
    name = env_id.rpartition(":")[2]
    return env_id_apis.is_own(name) or made_layers.by_id(name) is not None or env_id_versions.is_gone(name)
