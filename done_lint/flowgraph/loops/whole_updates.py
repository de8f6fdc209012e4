"""Branches that hold the whole update of a table: `if not done: q[s, a] += 0.1 * (r + gamma * v - q[s, a])`.

Nothing is learnt where the test is false, so that nothing wrong is learnt there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from done_lint.core.ast_walk import walked
from done_lint.flowgraph.ast_text import unparsed
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.operations import Node


def is_whole_update(b: Builder, s: ast.If, products: Iterable[int], after: Mapping[str, Node]) -> bool:
    """Whether all targets that an `if` without an `else` computes go into a table that its loop learns only there.

    `products` are those that the branch computes, `after` the versions of names at its end.
    """
    values = [one for one in map(b.result.products.__getitem__, products) if one.discounted]
    loop = b.here.loops[0].statement if b.here.loops else None
    if s.orelse or not values or loop is None:
        return False
    inside = walked(s)
    here = set(inside)
    outside = [one for one in walked(loop) if one not in here]
    updates = [one for one in inside if _is_update(one)]
    bound = [one for one in inside if isinstance(one, ast.Assign) and all(isinstance(t, ast.Name) for t in one.targets)]
    lines = [b.span(one) for one in (*updates, *bound) if isinstance(one, ast.stmt)]
    if not updates or not all(any(one.span.within(line) for line in lines) for one in values):
        return False
    targets = {name for name, version in after.items() if b.trail.parts(version)} & _names(bound, ast.Store)
    return not targets & _names(outside, ast.Load) and _tables(updates).isdisjoint(_tables(outside))


def _is_update(s: ast.AST) -> bool:
    """Whether a statement changes an entry of a table from what it was."""
    if isinstance(s, ast.AugAssign):
        return isinstance(s.target, ast.Subscript)
    if not isinstance(s, ast.Assign) or len(s.targets) != 1 or not isinstance(s.targets[0], ast.Subscript):
        return False
    place = unparsed(s.targets[0])
    return any(isinstance(one, ast.Subscript) and unparsed(one) == place for one in walked(s.value))


def _tables(nodes: Iterable[ast.AST]) -> set[str]:
    """The names of what statements write entries of."""
    found: set[str] = set()
    for one in nodes:
        written = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AugAssign) else []
        for target in (each for each in written if isinstance(each, ast.Subscript)):
            base: ast.expr = target
            while isinstance(base, ast.Subscript):
                base = base.value
            found.add(unparsed(base))
    return found


def _names(nodes: Iterable[ast.AST], context: type[ast.expr_context]) -> set[str]:
    """The names that are read or written in some nodes."""
    every = (part for one in nodes for part in walked(one)) if context is ast.Store else nodes
    return {one.id for one in every if isinstance(one, ast.Name) and isinstance(one.ctx, context)}
