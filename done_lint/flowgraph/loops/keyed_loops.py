"""Loops over the items of a mapping that ask for the key: `for key, value in rows.items(): if key == "done": ...`.

Behind such a test the value is what stands under that key, not any value of the mapping.
"""

from __future__ import annotations

import ast

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import unparsed
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.keys import TextKey
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.scopes import Pair


def note_pair(b: Builder, loop: ast.For | ast.AsyncFor, uses: int) -> None:
    """Remember what a loop takes apart, if these are the items of a mapping.

    Args:
        b: the survey.
        loop: whose targets have just got their values.
        uses: so many expressions were noted before the loop.
    """
    called, target = loop.iter, loop.target
    _note_key(b, called, target)
    if not (isinstance(called, ast.Call) and isinstance(called.func, ast.Attribute) and called.func.attr == "items"):
        return
    if called.args or called.keywords or not isinstance(target, ast.Tuple) or len(target.elts) != 2:
        return
    key, value = target.elts
    if isinstance(key, ast.Name) and isinstance(value, ast.Name):
        at, versions = b.span(called.func.value), b.names.scope.versions
        mapping = next((node for span, node in b.result.uses.since(uses) if span == at), b.nothing)
        if mapping and key.id in versions and value.id in versions:
            b.known.pairs[versions[key.id]] = Pair(value.id, versions[value.id], mapping)


def _note_key(b: Builder, rows: ast.expr, target: ast.expr) -> None:
    """`for key in rows:`, `for key in rows.keys():`, where `rows[key]` says that these are keys."""
    if isinstance(rows, ast.Call) and isinstance(rows.func, ast.Attribute) and rows.func.attr == "keys":
        rows = rows.func.value
    if isinstance(target, ast.Name) and isinstance(rows, (ast.Name, ast.Attribute)):
        key = b.names.scope.versions.get(target.id, b.nothing)
        b.known.keys_of[key] = unparsed(rows)


def under_key(b: Builder, test: ast.expr, versions: dict[str, Node]) -> dict[str, Node]:
    """Versions behind `key == "done"`: the value is the one under that key."""
    if not (isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and len(test.ops) == 1):
        return versions
    text = test.comparators[0].value if isinstance(test.comparators[0], ast.Constant) else None
    pair = b.known.pairs.get(versions.get(test.left.id, b.nothing))
    if not isinstance(test.ops[0], ast.Eq) or not isinstance(text, str) or pair is None:
        return versions
    if versions.get(pair.name) != pair.value:
        return versions
    node = b.node(b.result.places.get(pair.value), pair.name)
    b.wait(pair.mapping, ops.Item(pair.mapping, (TextKey(text),), node))
    b.trail.derive(node, pair.value)
    return {**versions, pair.name: node}
