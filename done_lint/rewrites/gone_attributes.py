"""Attributes that an environment, or what its ids stand for, does not have any more or never had."""

from __future__ import annotations

from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.env_apis import BARE, GYMNASIUM
from done_lint.knowledge.env_id_apis import is_own, registering_package
from done_lint.knowledge.made_layers import is_layered_by_make
from done_lint.knowledge.task_attributes import lacks
from done_lint.knowledge.wrapper_attributes import (
    ELSEWHERE_THAN_TASKS,
    GONE,
    GONE_FROM_TASKS,
    LOST,
    OF_VECTORS,
    OVERRIDDEN,
    OWN,
)
from done_lint.rewrites.context import Context
from done_lint.rewrites.past_wrappers import is_own_task


def instead_of_gone(context: Context, env: Env, name: str) -> str:
    """What to do where nothing has the attribute any more; empty: something has, or what is not known may."""
    advice = "" if name in OVERRIDDEN and _is_of_others(env) else _advice_of_gone(env, name)
    return advice or (GONE_FROM_TASKS.get(name, "") if is_own_task(context, env) else "")


def is_gone_from_task(context: Context, env: Env, name: str) -> bool:
    """Whether a task of Gymnasium's has lost the attribute."""
    return name in GONE_FROM_TASKS and env.own is None and is_own_task(context, env)


def is_of_no_task(env: Env, name: str) -> bool:
    """Whether no environment that the ids stand for ever had an attribute, so that no wrapper hides it."""
    if name in ELSEWHERE_THAN_TASKS or not is_layered_by_make(env.layers):
        return False
    ids = [one for made in env.made for one in made.ids]
    return bool(ids) and all(made.ids for made in env.made) and all(lacks(one, name) for one in ids)


def is_of_vectors(env: Env, name: str) -> bool:
    """Whether only vector environments have an attribute: what is wrapped here never had it, past the wrappers either.

    A class of the project, or of a package that no table knows, may be many environments in one.
    """
    if name not in OF_VECTORS or env.own is not None:
        return False
    return not any(name in made.state or not all(map(_is_single, made.ids)) for made in env.made)


def may_have_range(context: Context, env: Env, name: str) -> bool:
    """`env.unwrapped.reward_range` of a class that may set it itself: by an id that is none of Gymnasium's own."""
    return name == "reward_range" and env.layers == BARE and env.api == GYMNASIUM and not is_own_task(context, env)


def _is_of_others(env: Env) -> bool:
    """Whether an id is seen that is none of Gymnasium's own: its class may have what no class of Gymnasium has."""
    return any(not is_own(one) for made in env.made for one in made.ids)


def _advice_of_gone(env: Env, name: str) -> str:
    """What to do where nothing has the attribute any more; empty: something has, or a wrapper that is not known may."""
    lost = [LOST[layer][name] for layer in env.layers if name in LOST.get(layer, ())]
    return lost[0] if lost and _is_of_library(env) else GONE.get(name, "")


def _is_of_library(env: Env) -> bool:
    """Whether every wrapper around the environment is one of the library's."""
    return all(layer in OWN for layer in env.layers[:-1])


def _is_single(env_id: str) -> bool:
    """Whether an id is that of a task, or of a game, which is one environment."""
    return is_own(env_id) or bool(registering_package(env_id))
