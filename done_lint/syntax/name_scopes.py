"""The scopes of Python: which names one binds, and the syntax that is its own."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def names_bound(body: Iterable[ast.AST]) -> frozenset[str]:
    """The names that statements bind in their own scope."""
    found: set[str] = set()
    elsewhere: set[str] = set()
    for node in _own_nodes(body):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            elsewhere.update(node.names)
        elif isinstance(name := getattr(node, "name", None) or getattr(node, "rest", None), str):
            found.add(name)  # an exception, or a pattern
    return frozenset(found - elsewhere)


def _own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The syntax of a scope, without that of the scopes in it; a name that a comprehension assigns is of its scope."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Comprehension):
            waiting += (part.target for part in ast.walk(node) if isinstance(part, ast.NamedExpr))
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)


def names_of_comprehension(node: Comprehension) -> Iterator[str]:
    """The names that a comprehension binds."""
    for part in node.generators:
        yield from (name.id for name in ast.walk(part.target) if isinstance(name, ast.Name))
