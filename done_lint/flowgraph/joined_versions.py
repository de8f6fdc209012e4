"""The versions of names where two ways of a program meet: behind a branch, and behind several blocks."""

from __future__ import annotations

import ast

from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.comparisons import asks_no_more
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.operators import Asked, Side, choose
from done_lint.flowgraph.repeated_tests import note_choice
from done_lint.flowgraph.scopes import Answers


def joined(
    b: Builder,
    syntax: ast.expr,
    test: Node,
    body: dict[str, Node],
    orelse: dict[str, Node],
    answered: tuple[Answers, Answers],
) -> dict[str, Node]:
    """After a branch: a name's version is a choice between its two versions."""
    found, asked = dict(orelse), Asked(test, b.span(syntax), asks_no_more(syntax))
    for name, version in body.items():
        other = orelse.get(name)
        if other is None or other == version:
            found[name] = version
            continue
        node = b.node(b.result.places.get(version), name)
        sides = Side(version, b.known.kind(version)), Side(other, b.known.kind(other))
        b.in_loop(node)
        note_choice(b, node, answered, (version, other))
        choose(b, asked, *sides, node)
        if all(side.constant == "zero" for side in sides):
            b.known.zeros.add(node)
        found[name] = node
        _publish(b, name, node)
    return found


def _publish(b: Builder, name: str, node: Node) -> None:
    if name in b.names.scope.cells:
        b.copy(node, b.names.scope.cells[name])


def meet(b: Builder, ends: list[dict[str, Node]]) -> None:
    """After blocks of which any may have run last."""
    b.names.scope.versions = dict(ends[0])
    for end in ends[1:]:
        for name, version in end.items():
            mine = b.names.scope.versions.get(name)
            if mine is not None and mine != version:
                joined = b.node(b.result.places.get(version), name)
                b.copy(mine, joined)
                b.copy(version, joined)
                b.names.scope.versions[name] = joined
                _publish(b, name, joined)
            elif mine is None:
                b.names.scope.versions[name] = version
