"""Rows that a loop sets to zero one by one: `for i, d in enumerate(dones): if d: q[i] = 0`, as `q[dones] = 0` does."""

from __future__ import annotations

import ast

from done_lint.core.ast_walk import walked
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import unparsed
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.names import bind
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Branch


def masks_row(b: Builder, target: ast.Subscript, keys: list[ast.expr], value: Node) -> bool:
    """Whether zero is put into the row that the loop is at, where a test is true: the array is another one then."""
    test, holds = b.here.branch
    loop = b.here.loops[-1].syntax if b.here.loops else None
    if not (test and holds and loop is not None and b.known.kind(value) == "zero"):
        return False
    if not isinstance(target.value, ast.Name) or not _is_row(loop, keys) or _is_filled(loop, target.value.id):
        return False
    base = b.expr(target.value)
    if b.trail.parts(base):
        return False  # a target, reward and all
    node = b.node(b.span(target), target.value.id)
    b.op(ops.Masked(base, test, node, next(at for tested, at in reversed(b.result.tests) if tested == test)))
    b.trail.derive(node, base)
    bind(b, target.value.id, node)
    return True


def _is_row(loop: ast.For | ast.AsyncFor, keys: list[ast.expr]) -> bool:
    """`[i]` and `[i, :]`, of what a loop goes through."""
    whole = all(isinstance(one, ast.Slice) and unparsed(one) == ":" for one in keys[1:])
    names = {one.id for one in walked(loop.target) if isinstance(one, ast.Name)}
    return whole and isinstance(keys[0], ast.Name) and keys[0].id in names


def _is_filled(loop: ast.For | ast.AsyncFor, name: str) -> bool:
    """Whether a loop puts anything but zero into the array: what it sets to zero may be another value later."""
    for one in walked(loop):
        targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AugAssign) else []
        bases = (each.value if isinstance(each, ast.Subscript) else each for each in targets)
        zero = isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant) and not one.value.value
        if not zero and any(isinstance(base, ast.Name) and base.id == name for base in bases):
            return True
    return False


def note_masking(b: Builder, s: ast.If, test: Node) -> None:
    """A test of which nothing else hangs is there for the values alone, as one around a target is."""
    last, at = b.result.operations[-1] if b.result.operations else None, b.span(s.test)
    if len(s.body) == 1 and not s.orelse and isinstance(last, ops.Masked) and last.at == at:
        b.result.branches.append(Branch(test, at, (), ()))
