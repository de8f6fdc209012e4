"""Reads of what Gymnasium's `EnvSpec` does not have any more: `env.spec.timestep_limit`, `env.spec.tags`."""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.wrapper_attributes import GONE_FROM_SPEC, LIMIT_TAG, RENAMED_OF_SPEC
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.syntax.edits import replaced
from done_lint.syntax.shapes import method_called, only_index, string_value
from done_lint.syntax.tree import Tree

#: What holds the limit of the steps today.
_LIMIT = RENAMED_OF_SPEC["timestep_limit"]


def read_of_spec(tree: Tree, node: cst.Attribute) -> tuple[str, Outcome]:
    """What to write instead, and the fix."""
    name, spec = node.attr.value, node.value
    old, new = (node, RENAMED_OF_SPEC[name]) if name in RENAMED_OF_SPEC else (_limit_tag(tree, node), _LIMIT)
    if old is None:
        return GONE_FROM_SPEC[name], unfixed("it has no counterpart")
    read = cst.Attribute(spec, cst.Name(new))
    return f"write `{tree.source(spec)}.{new}`", fixed(f"read `{new}`", replaced(tree, old, read))


def _limit_tag(tree: Tree, tags: cst.Attribute) -> cst.BaseExpression | None:
    """What asks the tags for the limit of the steps: `tags[...]`, or `tags.get(...)`."""
    parent = tree.parents[tags]
    if isinstance(parent, cst.Subscript) and parent.value is tags:
        key = only_index(parent)
        return parent if key is not None and string_value(key) == LIMIT_TAG else None
    call = tree.parents.get(parent)
    if not isinstance(call, cst.Call) or method_called(call) != "get" or call.func is not parent:
        return None
    return call if len(call.args) == 1 and string_value(call.args[0].value) == LIMIT_TAG else None
