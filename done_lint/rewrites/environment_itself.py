"""What is meant for the environment itself, inside the wrappers of `make`: its class, and attributes that are set."""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.env_id_apis import is_own
from done_lint.knowledge.wrapper_attributes import RENAMED_OF_TASKS, STATE
from done_lint.rewrites.context import Context
from done_lint.rewrites.outcome import Outcome, fixed
from done_lint.rewrites.past_wrappers import is_bare_task, outermost
from done_lint.syntax.edits import replaced

_INSIDE = "a wrapper inside of those of `make` may be meant, and `unwrapped` goes past it"


def asked_itself(context: Context, inner: cst.Attribute, env: Env) -> tuple[str, Outcome]:
    """What to write for `env.env` where its class is asked for, and the fix."""
    new = _unwrapped(context, inner)
    edits = replaced(context.tree, inner, new)
    unsure = "" if is_bare_task(env) else _INSIDE
    return _advice(context, new), fixed("ask the environment itself", edits, unsure=unsure)


def set_itself(context: Context, node: cst.Attribute, env: Env) -> tuple[str, Outcome]:
    """What to write for `env.env.s` where it is set, and the fix; some tasks call it otherwise today."""
    name = node.attr.value
    # What an entry point that is not visible has put around the environment has no state of its own.
    unsure = "" if name in STATE or is_bare_task(env) else _INSIDE
    ids = [one for made in env.made for one in made.ids]
    new = RENAMED_OF_TASKS.get(name) if ids and all(map(is_own, ids)) else None
    inside = cst.Attribute(_unwrapped(context, node), cst.Name(new) if new else node.attr)
    edits = replaced(context.tree, node, inside)
    return _advice(context, inside), fixed("set it past the wrappers", edits, unsure=unsure)


def _unwrapped(context: Context, node: cst.Attribute) -> cst.Attribute:
    return cst.Attribute(outermost(context, node), cst.Name("unwrapped"))


def _advice(context: Context, new: cst.Attribute) -> str:
    return f"write `{context.tree.module.code_for_node(new)}`"
