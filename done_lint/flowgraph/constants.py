"""Constants of one file as nodes: texts, numbers, and the words `True` and `False`."""

from __future__ import annotations

import ast

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.operations import Node
from done_lint.knowledge import naming_conventions

#: No id, key or name of an attribute is longer.
LONGEST_TEXT = 80
#: No picture that is worth looking at is lower.
LOWEST_PICTURE = 8


def visit_constant(b: Builder, e: ast.Constant) -> Node:
    if isinstance(e.value, str):
        node = b.node(b.span(e) if "-v" in e.value and naming_conventions.environment_id(e.value) else None)
        if len(e.value) < LONGEST_TEXT:
            b.op(ops.Text(node, e.value))
        return node
    if isinstance(e.value, (bool, int, float)):
        node = b.node()
        b.known.numbers[node] = e.value
        if isinstance(e.value, bool):
            b.result.booleans[node] = e.value
        elif isinstance(e.value, int) and e.value >= LOWEST_PICTURE:
            b.result.heights.add(node)
        if e.value is True and b.here.branch[0]:
            b.op(ops.Decides(b.here.branch[0], node, b.here.branch[1]))
            _stands(b, e, node)
        return node
    return b.nothing


def _stands(b: Builder, e: ast.Constant, node: Node) -> None:
    """`if done: push(row, True)`: what is given to a call there is true where the test is, and says as much."""
    tests = tuple(test for test, _ in b.here.known_tests)
    if b.here.given and tests and all(tests) and b.here.known_tests[-1] == b.here.branch:
        b.combine(tests, ops.Stands(tests, tuple(holds for _, holds in b.here.known_tests), node, b.span(e)))
        b.use(e, node)
