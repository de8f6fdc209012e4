"""What a name is known to be on one side of a test: an instance of a class, what stands under a key, or false."""

from __future__ import annotations

import ast
from typing import TypeGuard

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.loops.keyed_loops import under_key
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.scopes import Loop, Narrowed
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
    for part in (parts := parts_alike(test, holds)):
        versions = known(b, part, versions, holds)
    if parts:
        return versions
    if not holds:
        test = _asked_alone(b, test, versions)
    if not (_is_telling(test, holds) and isinstance(test.args[0], ast.Name) and test.args[0].id in versions):
        return versions
    name = test.args[0].id
    return {**versions, name: _narrowed(b, test, versions[name], name, holds)}


def known_attributes(b: Builder, test: ast.expr, holds: bool) -> Narrowed:
    """The same of an attribute of what a name stands for: on one side of `isinstance(self.env, C)`, it is a C."""
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, holds = test.operand, not holds
    if parts := parts_alike(test, holds):
        before = b.here.narrowed
        for part in parts:
            b.here.narrowed = known_attributes(b, part, holds)
        found, b.here.narrowed = b.here.narrowed, before
        return found
    if not (_is_telling(test, holds) and isinstance(asked := test.args[0], ast.Attribute)):
        return b.here.narrowed
    if not isinstance(asked.value, ast.Name) or not (owner := b.names.scope.versions.get(asked.value.id, b.nothing)):
        return b.here.narrowed
    read = b.node(None, asked.attr)
    b.ask(owner, ops.Attribute(owner, asked.attr, read))
    return {**b.here.narrowed, (owner, asked.attr): _narrowed(b, test, read, asked.attr, holds)}


def shared(one: Narrowed, other: Narrowed) -> Narrowed:
    """What attributes are known to be where two ways meet."""
    return {key: node for key, node in one.items() if other.get(key) == node}


def left(body: Narrowed, dead_body: bool, orelse: Narrowed, dead_orelse: bool) -> Narrowed:
    """What attributes are known to be behind a branch, of which a side may have left."""
    if dead_body or dead_orelse:
        return orelse if dead_body else body
    return shared(body, orelse)


def parts_alike(test: ast.expr, holds: bool) -> list[ast.expr]:
    """The tests that are all answered alike on one side: `a and b` where it holds, `a or b` where it does not."""
    return test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if holds else ast.Or) else []


def _is_telling(test: ast.expr, holds: bool) -> TypeGuard[ast.Call]:
    """Whether a test asks for a class, and the answer tells something."""
    return (
        isinstance(test, ast.Call)
        and last_name(test.func) == "isinstance"
        and len(test.args) == 2
        and isinstance(test.args[1], (ast.Name, ast.Attribute))
        and (holds or last_name(test.args[1]) in _TELLING)
    )


def _narrowed(b: Builder, test: ast.Call, source: Node, name: str, holds: bool) -> Node:
    """What is asked for its class, as it is on one side of the test."""
    node = b.node(b.result.places.get(source), name)
    kind = b.expr(test.args[1])
    b.ask(kind, ops.Narrow(kind, source, node, holds))
    b.trail.derive(node, source)
    return node


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
    before, around = b.names.scope.versions, b.here.narrowed
    there = known(b, test, before, holds) if test is not None else before
    b.here.narrowed = known_attributes(b, test, holds) if test is not None else around
    if there is before:
        value = b.expr(chosen)
        b.here.narrowed = around
        return value
    b.names.scope.versions = dict(there)
    value = b.expr(chosen)
    b.here.narrowed = around
    after = b.names.scope.versions
    # what the side itself binds stays: `(n := f(x))`
    before.update((name, node) for name, node in after.items() if there.get(name) != node)
    b.names.scope.versions = before
    return value
