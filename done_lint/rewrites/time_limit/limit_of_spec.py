"""Reads of the time limit inside of it: `env.unwrapped.spec.max_episode_steps`.

Since Gymnasium 0.29 each wrapper adds its own part to the `spec`, so that the limit is in that of the wrappers alone.
"""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.env_apis import GYM, GYMNASIUM, LIMITING
from done_lint.knowledge.made_layers import is_layered_by_make
from done_lint.knowledge.wrapper_attributes import RENAMED_OF_SPEC
from done_lint.rewrites.context import Context
from done_lint.rewrites.outcome import Outcome, fixed
from done_lint.rewrites.past_wrappers import is_bare_task
from done_lint.syntax.edits import replaced

#: What holds the limit of the steps.
_SPEC_LIMIT = RENAMED_OF_SPEC["timestep_limit"]
_ANOTHER_SPEC = "a wrapper around it that is none of those of `make` may have another `spec`"


def limit_outside(context: Context, node: cst.Attribute) -> cst.BaseExpression | None:
    """`env` of `env.unwrapped.spec.max_episode_steps`, where `make` has put a limit around what is asked."""
    spec = node.value
    if node.attr.value != _SPEC_LIMIT or not isinstance(spec, cst.Attribute) or spec.attr.value != "spec":
        return None
    envs, tree, outer = context.facts.envs, context.tree, spec.value
    inside = around = envs.get(tree.span(outer))
    while isinstance(outer, cst.Attribute) and outer.attr.value in ("env", "unwrapped"):
        above = envs.get(tree.span(outer.value))
        if above is None or not above.made or above.mixed or above.certainty != "proven":
            break
        outer, around = outer.value, above
    if inside is None or around is None or around is inside or inside.api not in (GYM, GYMNASIUM):
        return None
    limited = not around.layers or not LIMITING.isdisjoint(around.layers)
    return outer if limited and inside.layers and LIMITING.isdisjoint(inside.layers) else None


def limit_read_outside(
    context: Context, node: cst.Attribute, outer: cst.BaseExpression, env: Env
) -> tuple[str, Outcome]:
    """What to write instead, and the fix.

    Args:
        context: the file.
        node: the limit as it is read today.
        outer: the expression of the environment with its limit.
        env: that environment.
    """
    new = cst.Attribute(cst.Attribute(outer, cst.Name("spec")), node.attr)
    unsure = "" if is_layered_by_make(env.layers) or is_bare_task(env) else _ANOTHER_SPEC
    edits = replaced(context.tree, node, new)
    return f"write `{context.tree.module.code_for_node(new)}`", fixed("ask the wrappers, too", edits, unsure=unsure)
