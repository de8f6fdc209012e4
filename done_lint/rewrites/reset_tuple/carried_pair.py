"""The pair that a wrapper's `reset` carries under one name: `obs = self.env.reset()`, then `return obs`."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.knowledge.naming_conventions import step_slot
from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.shapes import only_target
from done_lint.syntax.tree import Tree

_INFO = "info"


def named_apart(tree: Tree, function: cst.FunctionDef, calls: Sequence[cst.Call]) -> Edits:
    """`obs, info = ...` and `return obs, info`, where the name is bound to these calls alone and only returned."""
    assigned = [tree.parents[call] for call in calls]
    targets = [only_target(one) for one in assigned]
    names = {one.value for one in targets if isinstance(one, cst.Name)}
    if len(names) != 1 or not all(isinstance(one, cst.Name) for one in targets):
        return ()
    (name,) = names
    if step_slot(name) != 0 or tree.scopes.mentions(function, _INFO):
        return ()  # `result` may say both, and `info` something else
    mentions = [one for one in tree.names(name) if tree.within(one, function)]
    reads = [one for one in mentions if one not in targets]
    if not reads or not all(isinstance(tree.parents[one], cst.Return) for one in reads):
        return ()
    return tuple(edit for one in (*targets, *reads) if one is not None for edit in replaced(tree, one, _pair(name)))


def _pair(name: str) -> cst.Tuple:
    return cst.Tuple([cst.Element(cst.Name(name)), cst.Element(cst.Name(_INFO))], lpar=[], rpar=[])
