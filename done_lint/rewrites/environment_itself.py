"""What is meant for the environment itself, inside the wrappers of `make`: its class, and attributes that are set."""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.env_apis import BARE
from done_lint.knowledge.env_id_apis import is_own
from done_lint.knowledge.wrapper_attributes import RENAMED_OF_TASKS, STATE
from done_lint.rewrites.context import Context
from done_lint.rewrites.gone_attributes import is_gone_from_task
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


def set_by_new_name(context: Context, node: cst.Attribute, env: Env) -> tuple[str, str, Outcome] | None:
    """The message, the advice and the fix for what is set on a task itself, and has another name today."""
    new = RENAMED_OF_TASKS.get(node.attr.value)
    if new is None or env.layers != BARE or not is_gone_from_task(context, env, node.attr.value):
        return None
    renamed = node.with_changes(attr=cst.Name(new))
    message = f"`{context.tree.source(node)}` has another name now: setting it changes nothing"
    edits = replaced(context.tree, node, renamed)
    return message, _advice(context, renamed), fixed("use the new name", edits)


def _unwrapped(context: Context, node: cst.Attribute) -> cst.Attribute:
    return cst.Attribute(outermost(context, node), cst.Name("unwrapped"))


def _advice(context: Context, new: cst.Attribute) -> str:
    return f"write `{context.tree.module.code_for_node(new)}`"
