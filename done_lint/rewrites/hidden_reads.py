"""Reads of an attribute that wrappers hide: what to write instead, the fix, and how sure it is."""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.wrapper_attributes import (
    GET_WRAPPER_ATTR,
    GONE_FROM_TASKS,
    INITIALIZER,
    LIMIT,
    OVERRIDDEN,
    TABLE_SIZES,
)
from done_lint.rewrites.context import Context
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.past_wrappers import behind_wrappers, ids_in_sight, is_bare_task, is_own_task, whole_read
from done_lint.rewrites.time_limit.limit_of_make import has_limit, has_no_limit
from done_lint.syntax.edits import replaced

_OF_WRAPPER = "where `make` puts a wrapper around it, such as a time limit, old Gym ran the `__init__` of that one"
_LOST_BY_TASKS = "which environment is made does not show, and some tasks of Gymnasium have lost `{}`"
_OF_CLASS = "only some classes define it, and that of the environment does not show"


def hidden_read(context: Context, node: cst.Attribute, env: Env) -> tuple[str, Outcome]:
    """What to write instead, and the fix.

    Args:
        context: the file.
        node: the attribute as it is read today, through wrappers.
        env: the environment that it is read from.
    """
    new = behind_wrappers(context, node, env)
    text = context.tree.module.code_for_node(new.with_changes(lpar=(), rpar=()))
    return f"write `{text}`", _outcome(context, node, env, new, text)


def _outcome(context: Context, node: cst.Attribute, env: Env, new: cst.BaseExpression, text: str) -> Outcome:
    if node.attr.value == LIMIT and has_no_limit(env):
        return unfixed("nothing limits the steps: `spec.max_episode_steps` is None")
    if "get_wrapper_attr" in text and (reason := context.lacking(GET_WRAPPER_ATTR)):
        return unfixed(reason)
    old = whole_read(context, node) if is_own_task(context, env) else node
    edits = replaced(context.tree, old, new)
    past = any(part in text for part in (".unwrapped", "get_wrapper_attr"))
    title = "read it past the wrappers" if past else "write what stands for it today"
    return fixed(title, edits, unsure=_may_lack(context, node.attr.value, env))


def _may_lack(context: Context, name: str, env: Env) -> str:
    """Why the environment itself may not have an attribute, or another one than was meant, in one clause."""
    if name == INITIALIZER:
        # only of a class in sight it is known that nothing is inside of `make`'s own wrappers
        return "" if is_bare_task(env) and not has_limit(env) else _OF_WRAPPER
    lost = name in GONE_FROM_TASKS and not ids_in_sight(context, env)
    counts = name in TABLE_SIZES and not all(made.called for made in env.made)
    if env.made and (lost or counts):
        return _LOST_BY_TASKS.format(name)
    return _OF_CLASS if env.made and name in OVERRIDDEN else ""
