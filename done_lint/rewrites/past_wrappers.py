"""The expression that reads an attribute past the wrappers which hide it: `env.unwrapped.P` for `env.P`."""

from __future__ import annotations

import libcst as cst
from libcst.helpers import parse_template_expression

from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.env_apis import BARE
from done_lint.knowledge.env_id_apis import is_own
from done_lint.knowledge.made_layers import is_layered_by_make
from done_lint.knowledge.wrapper_attributes import (
    INITIALIZER,
    LIMIT,
    OF_WRAPPERS,
    OWN,
    TABLE_SIZES,
    TABLES,
)
from done_lint.rewrites.context import Context
from done_lint.syntax.shapes import is_number, only_index, string_value

_RANGE = "reward_range"


def behind_wrappers(context: Context, node: cst.Attribute, env: Env) -> cst.BaseExpression:
    """The expression that finds the attribute.

    Args:
        context: the file.
        node: the attribute as it is read today, through wrappers.
        env: the environment that it is read from.
    """
    name, quote = node.attr.value, _quote(context, node)
    if name == _RANGE and is_own_task(context, env):
        return _default_range(context, node)
    if name == _RANGE:
        text = 'getattr({env}.unwrapped, "reward_range", (-float("inf"), float("inf")))'.replace('"', quote)
        return parse_template_expression(text, env=outermost(context, node))
    if name == LIMIT:
        return parse_template_expression("{env}.spec.max_episode_steps", env=node.value)
    if name in TABLE_SIZES and env.is_made_as(TABLES):
        receiver = outermost(context, node)
        whole = context.facts.envs.get(context.tree.span(receiver), env)
        # the spaces are forwarded; wrappers other than those of `make` may give them another size
        past = "" if whole.layers == BARE or is_layered_by_make(whole.layers) else ".unwrapped"
        return parse_template_expression(f"{{env}}{past}.{TABLE_SIZES[name]}", env=receiver)
    if _may_be_inside(env, name):
        return parse_template_expression(f"{{env}}.get_wrapper_attr({quote}{name}{quote})", env=node.value)
    return parse_template_expression(f"{{env}}.unwrapped.{name}", env=outermost(context, node))


def outermost(context: Context, node: cst.Attribute) -> cst.BaseExpression:
    """`env` of `env.env.P`: `unwrapped` goes through all wrappers."""
    receiver = node.value
    while isinstance(receiver, cst.Attribute) and receiver.attr.value in ("env", "unwrapped"):
        outer = context.facts.envs.get(context.tree.span(receiver.value))
        if outer is None or not outer.layers or outer.mixed:
            break
        receiver = receiver.value
    return receiver


def whole_read(context: Context, node: cst.Attribute) -> cst.BaseExpression:
    """What is read of a range of rewards: the attribute, or `env.reward_range[0]`."""
    parent = context.tree.parents[node]
    if node.attr.value != _RANGE or not isinstance(parent, cst.Subscript) or parent.value is not node:
        return node
    end = only_index(parent)
    return parent if is_number(end, "0") or is_number(end, "1") else node


def is_own_task(context: Context, env: Env) -> bool:
    """Whether every `make` asks for an environment of Gymnasium, none of which has a range of rewards."""
    ids = ids_in_sight(context, env)
    return bool(ids) and all(map(is_own, ids))


def is_bare_task(env: Env) -> bool:
    """Whether every `make` is in sight, and nothing but its own wrappers is around what it gives."""
    return bool(env.made) and all(made.bare for made in env.made)


def ids_in_sight(context: Context, env: Env) -> list[str]:
    """The ids that the environment is made by; none where one of them is not visible in the file."""
    tree, path = context.tree, context.facts.path
    calls = [tree.expressions.get(made.place.span) for made in env.made if made.place.path == path]
    ids = [string_value(call.args[0].value) for call in calls if isinstance(call, cst.Call) and call.args]
    return ids if len(ids) == len(env.made) and all(ids) else []


def _may_be_inside(env: Env, name: str) -> bool:
    """Whether the attribute may belong to a wrapper, which `unwrapped` goes past."""
    if name == INITIALIZER:
        return False
    if any(name in OWN.get(layer, ()) for layer in env.layers):
        return True
    if name in OF_WRAPPERS or not env.made or env.own is not None or any("." in layer for layer in env.layers):
        return True
    return not all(made.bare for made in env.made)


def _default_range(context: Context, node: cst.Attribute) -> cst.BaseExpression:
    """The default of old Gym, which all its environments had: both ends, or the one that is asked for."""
    quote = _quote(context, node)
    ends = [f"{sign}float({quote}inf{quote})" for sign in ("-", "")]
    whole = whole_read(context, node)
    index = only_index(whole) if isinstance(whole, cst.Subscript) else None
    text = ends[int(index.value)] if isinstance(index, cst.Integer) else f"({', '.join(ends)})"
    return cst.parse_expression(text)


def _quote(context: Context, node: cst.BaseExpression) -> str:
    """A quote that does not end the formatted string which the node may stand in."""
    strings = [one for one in context.tree.ancestors(node) if isinstance(one, cst.FormattedString)]
    return "'" if any(one.end == '"' for one in strings) else '"'
