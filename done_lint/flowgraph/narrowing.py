"""What a name is known to be on one side of a test: an instance of a class, what stands under a key, or false."""

from __future__ import annotations

import ast

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.keyed_loops import under_key
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.scopes import Loop
from done_lint.knowledge.env_apis import BASE, TIME_LIMIT

#: Classes whose instances are known by what they are: what is none of these is another environment.
_TELLING = frozenset({BASE, TIME_LIMIT})


def known(b: Builder, test: ast.expr, versions: dict[str, Node], holds: bool) -> dict[str, Node]:
    """Versions on one side of `isinstance(x, C)`: there, x is a C; and of `key == "done"`.

    On the other side two classes tell: what is no `TimeLimit` has no limit that a program could take away there, and
    what is no `Env` is no environment of that library.
    """
    if holds and isinstance(test, ast.Compare):
        return under_key(b, test, versions)
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, holds = test.operand, not holds
    if not holds:
        test = _asked_alone(b, test, versions)
    if not (
        isinstance(test, ast.Call)
        and last_name(test.func) == "isinstance"
        and len(test.args) == 2
        and isinstance(test.args[0], ast.Name)
        and isinstance(test.args[1], (ast.Name, ast.Attribute))
        and test.args[0].id in versions
        and (holds or last_name(test.args[1]) in _TELLING)
    ):
        return versions
    name = test.args[0].id
    node = b.node(b.result.places.get(versions[name]), name)
    kind = b.expr(test.args[1])
    b.ask(kind, ops.Narrow(kind, versions[name], node, holds))
    b.trail.derive(node, versions[name])
    return {**versions, name: node}


def _asked_alone(b: Builder, test: ast.expr, versions: dict[str, Node]) -> ast.expr:
    """The first part of `isinstance(x, C) and unwrap`, where the other is a parameter that is True by default."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        first, *others = test.values
        names = (versions.get(one.id, 0) if isinstance(one, ast.Name) else 0 for one in others)
        return first if all(node in b.known.switched_on for node in names) else test
    return test


def while_unset(b: Builder, test: ast.expr, loop: Loop) -> None:
    """Bind what `while not done` tests to what it is in the body, up to where the body binds it anew: no flag."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    for part in parts:
        if not (isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not) and isinstance(part.operand, ast.Name)):
            continue
        name = part.operand.id
        if (version := b.names.scope.versions.get(name)) is not None and version == loop.heads.get(name):
            node = b.node(b.result.places.get(version), name)
            b.declare(ops.Unset(version, node))
            b.trail.derive(node, version)
            b.names.scope.versions[name] = node


def read_side(b: Builder, test: ast.expr | None, chosen: ast.expr, holds: bool) -> Node:
    """The value of one side of `a if test else b`, read with what is known there; behind it the names are as before."""
    before = b.names.scope.versions
    there = known(b, test, before, holds) if test is not None else before
    if there is before:
        return b.expr(chosen)
    b.names.scope.versions = dict(there)
    value = b.expr(chosen)
    after = b.names.scope.versions
    # what the side itself binds stays: `(n := f(x))`
    before.update((name, node) for name, node in after.items() if there.get(name) != node)
    b.names.scope.versions = before
    return value
