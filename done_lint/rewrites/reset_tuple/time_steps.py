"""The first time step of dm_env, where one variable holds its environments and Gym's."""

from __future__ import annotations

import libcst as cst

from done_lint.syntax.shapes import only_target
from done_lint.syntax.tree import Tree

#: What a time step has, and no observation.
_OWN = frozenset({"discount", "first", "last", "mid", "observation", "step_type"})


def takes_time_step(tree: Tree, reset: cst.Call) -> bool:
    """Whether no more than parts of a time step are read of what a reset gave: `step.observation`."""
    target = only_target(tree.parents[reset])
    reads = tree.scopes.reads(tree.scope(reset), target.value) if isinstance(target, cst.Name) else []
    above = [tree.parents[one] for one in reads if one is not target]
    return bool(above) and all(isinstance(one, cst.Attribute) and one.attr.value in _OWN for one in above)
