"""The environment that an environment class keeps beside its base, and whose reset takes the seed as well."""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.env_apis import SINGLE
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import EnvMethod, calls_of, own_name, receiver
from done_lint.syntax.shapes import is_name

_MAKE = frozenset({"gym.make", "gymnasium.make"})


def held_resets(context: Context, method: EnvMethod) -> list[cst.Call]:
    """The calls `self._env.reset()` without arguments, of the one environment of the library that a class keeps.

    None where the class keeps several, which may need seeds of their own, or where something else seeds it.
    """
    tree, function = context.tree, method.function
    if method.owner.wrapper or tree.scopes.mentions(function, "seed"):
        return []  # there, the name stands for something else
    calls = [call for call in calls_of(tree, function, "reset") if _is_held(context, call, own_name(function))]
    held = {tree.source(receiver(call)) for call in calls}
    seeded = {tree.source(one.value) for one in tree.attributes("seed")}
    return calls if len(held) == 1 and held.isdisjoint(seeded) and not any(call.args for call in calls) else []


def _is_held(context: Context, call: cst.Call, own: str) -> bool:
    """Whether the library's `make` made it, and nothing of the project's that might take no seed is around it."""
    held = receiver(call)
    if not isinstance(held, cst.Attribute) or not is_name(held.value, own):
        return False
    env = context.facts.envs.get(context.tree.span(held))
    if env is None or env.api not in SINGLE or env.certainty != "proven" or env.mixed or env.own is not None:
        return False
    plain = all("." not in layer for layer in env.layers)
    return plain and bool(env.made) and all(one.function in _MAKE for one in env.made)
