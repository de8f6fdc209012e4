"""Where rows are taken out of what keeps them: `del rows[:]`, `rows[:] = []`, `rows.clear()`, `rows = rows[10:]`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from done_lint.core.ast_walk import walked
from done_lint.flowgraph.ast_text import unparsed

_TAKING_OUT = frozenset({"clear", "pop", "popleft", "remove"})


def emptied_stores(tree: ast.Module) -> Iterator[tuple[ast.expr, int]]:
    """The expressions that stand for such a store there, and the row of the function around them (0: there is none)."""
    if emptied := list(_emptied(tree)):
        functions = [one for one in walked(tree) if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))]
        for store in emptied:
            around = (one.lineno for one in functions if one.lineno <= store.lineno <= (one.end_lineno or 0))
            yield store, max(around, default=0)


def _emptied(tree: ast.Module) -> Iterator[ast.expr]:
    for node in walked(tree):
        if isinstance(node, ast.Delete):
            yield from (one.value for one in node.targets if isinstance(one, ast.Subscript))
        elif isinstance(node, ast.Assign):
            yield from (one.value for one in node.targets if _is_slice(one))
            if _is_slice(node.value) and unparsed(node.value.value) in map(unparsed, node.targets):
                yield node.value.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _TAKING_OUT:
            yield node.func.value


def _is_slice(e: ast.expr) -> TypeGuard[ast.Subscript]:
    return isinstance(e, ast.Subscript) and isinstance(e.slice, ast.Slice)
