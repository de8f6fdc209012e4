"""The sides of an `if` that asks one name: `if learning:`, `if self.learning:`, `if mode == "train":`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from done_lint.core.findings import Span
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import TextSide


def note_sides(b: Builder, s: ast.If, test: Node) -> None:
    """Keep the sides of such an `if`, whose test has a node."""
    if type(s.test.operand if type(s.test) is ast.UnaryOp else s.test) in (ast.Name, ast.Attribute):
        for holds, side in ((True, s.body), (False, s.orelse)):
            b.result.sides += ((test, holds, _around(b, side)) for _ in side[:1])
    elif isinstance(s.test, ast.Compare):
        _note_text(b, s, s.test)


def _note_text(b: Builder, s: ast.If, test: ast.Compare) -> None:
    """Of `!=` the body is where the name does not hold the text."""
    name, text = test.left, test.comparators[0]
    if len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Eq, ast.NotEq)) or not isinstance(name, ast.Name):
        return
    node = b.names.scope.versions.get(name.id) if name.id not in b.outline.shared else None
    if not node or not isinstance(text, ast.Constant) or not isinstance(text.value, str):
        return
    equal = isinstance(test.ops[0], ast.Eq)
    for holds, side in ((equal, s.body), (not equal, s.orelse)):
        b.result.text_sides += (TextSide(node, text.value, holds, _around(b, side)) for _ in side[:1])


def _around(b: Builder, side: Sequence[ast.stmt]) -> Span:
    return Span(*b.span(side[0])[:2], *b.span(side[-1])[2:])
