"""Targets that take the pair of `reset()`, which GYM104 and GYM303 share."""

from __future__ import annotations

import libcst as cst

from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.expressions import parenthesized
from done_lint.syntax.tree import Tree


class PairTarget(cst.CSTTransformer):
    """Turns a target `obs` into `obs, _`, or into `(obs, _)` inside a tuple."""

    def __init__(self, target: cst.BaseExpression, info: str, *, inside: bool) -> None:
        """`target` takes the observation, `info` the rest."""
        super().__init__()
        self.target = target
        self.info = info
        self.inside = inside

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        """Replace the target, whatever its shape."""
        if original_node is not self.target or not isinstance(updated_node, cst.BaseExpression):
            return updated_node
        nested = isinstance(updated_node, cst.Tuple)
        first = parenthesized(updated_node) if nested else updated_node.with_changes(lpar=(), rpar=())
        pair = cst.Tuple([cst.Element(first), cst.Element(cst.Name(self.info))], lpar=(), rpar=())
        return parenthesized(pair) if self.inside or updated_node.lpar else pair


def split(tree: Tree, target: cst.BaseExpression, info: str, *, inside: bool = False) -> Edits:
    """Edits that let `target` take the observation and `info` the rest of a pair."""
    new = target.visit(PairTarget(target, info, inside=inside))
    if not isinstance(new, cst.CSTNode):
        raise TypeError("the rewritten target is no node")
    return replaced(tree, target, new)
