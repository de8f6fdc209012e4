"""What is put under a key that a loop goes through: `rows[key] = []`, `batch[key] = torch.tensor(value)`.

Each key keeps what is its own, though the survey knows none of them.
"""

from __future__ import annotations

import ast

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import unparsed
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.names import named_key
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.passing import makes_empty, passed, passes_through


def put_by_key(b: Builder, target: ast.expr, written: ast.expr, value: Node) -> bool:
    """Whether an assignment is such a one, which is noted then.

    Args:
        b: the survey.
        target: to which is assigned.
        written: what is assigned.
        value: its node.
    """
    if not isinstance(target, ast.Subscript):
        return False
    if isinstance(target.value, ast.Subscript):
        return _add_by_key(b, target.value, written, value)
    if not isinstance(target.slice, ast.Name):
        return False
    if value and makes_empty(written) and named_key(b, target.slice) is None:
        base = b.expr(target.value)
        b.wait(base, ops.MadeByKey(base, value, b.span(target)))
        return True
    if mapping := _mapping(b, target, written):
        _take_over(b, target, mapping)
        return True
    return False


def append_by_key(b: Builder, e: ast.expr) -> bool:
    """Whether an expression is `rows[key].append(value)`, of both that a loop takes out of a mapping."""
    if not (isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute) and e.func.attr == "append"):
        return False
    if len(e.args) != 1 or e.keywords or not isinstance(e.func.value, ast.Subscript):
        return False
    return _add_by_key(b, e.func.value, e.args[0])


def _add_by_key(b: Builder, rows: ast.Subscript, written: ast.expr, value: Node = 0) -> bool:
    """`rows[key].append(value)`, `rows[key][i] = value`."""
    if not (mapping := _mapping(b, rows, written)):
        return False
    base, value = b.expr(rows.value), value or b.expr(written)
    b.wait(base, ops.AppendByKey(base, mapping, value, b.span(written)))
    return True


def convert_by_key(b: Builder, target: ast.expr, written: ast.expr) -> None:
    """`batch[key] = torch.tensor(rows[key])`: what stands at each key of `rows` goes to the same key of `batch`."""
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Name):
        source = _at_key(written, target.slice.id)
        if source is not None:
            _take_over(b, target, b.expr(source))


def _take_over(b: Builder, target: ast.Subscript, mapping: Node) -> None:
    base, node = b.expr(target.value), b.node()
    b.op(ops.Remap(mapping, node, "dict"))
    b.wait(base, ops.Update(base, node))


def _mapping(b: Builder, rows: ast.Subscript, written: ast.expr) -> Node:
    """The mapping under whose key stands what is put under the same key of `rows`; 0 where that is not to be seen."""
    if not isinstance(rows.slice, ast.Name):
        return b.nothing
    key, versions = rows.slice.id, b.names.scope.versions
    pair = b.known.pairs.get(versions.get(key, b.nothing))
    if pair is not None and versions.get(pair.name) == pair.value and passes_through(b, written, pair.name):
        return pair.mapping
    source = _at_key(written, key)
    of_keys = b.known.keys_of.get(versions.get(key, b.nothing))
    if source is None or of_keys not in (unparsed(source), unparsed(rows.value)):
        return b.nothing
    return b.expr(source)


def _at_key(value: ast.expr, key: str) -> ast.expr | None:
    """`rows` in `torch.tensor(rows[key][chosen])`, whatever it is converted by."""
    for one in passed(value):
        if isinstance(one, ast.Subscript):
            found = isinstance(one.slice, ast.Name) and one.slice.id == key
            return one.value if found else _at_key(one.value, key)
    return None
