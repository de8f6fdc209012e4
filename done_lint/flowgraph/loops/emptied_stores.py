"""Where rows are taken out of what keeps them: `del rows[:]`, `rows[:] = []`, `rows.clear()`, `rows = rows[10:]`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from done_lint.core.ast_walk import walked
from done_lint.flowgraph.ast_text import unparsed

_TAKING_OUT = frozenset({"clear", "pop", "popleft", "remove"})


def emptied_stores(tree: ast.Module) -> Iterator[ast.expr]:
    """The expressions that stand for such a store there."""
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
