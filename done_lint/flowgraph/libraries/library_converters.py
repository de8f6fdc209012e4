"""Functions that turn what one library has into what the other one has: both are meant, each by its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from done_lint.core.ast_walk import walked
from done_lint.flowgraph.libraries.library_tests import NEW, OLD, imported_libraries


def converts(tree: ast.Module) -> bool:
    """Whether a function tests for a class of one library, and reads the class of that name from the other one.

    `if isinstance(space, gymnasium.spaces.box.Box): return gym.spaces.Box(...)`. Who has moved by half has no reason to
    name the same class in both ways side by side, and to ask which of them something is.
    """
    bound = dict(_bound(tree))
    if set(bound.values()) < {OLD, NEW}:
        return False
    functions = (node for node in walked(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return any(_converts(function, bound) for function in functions)


def _converts(function: ast.FunctionDef | ast.AsyncFunctionDef, bound: dict[str, str]) -> bool:
    read: dict[str, set[str]] = {OLD: set(), NEW: set()}
    tested: dict[str, set[str]] = {OLD: set(), NEW: set()}
    for node in ast.walk(function):
        for library, name in _classes(node, bound):
            read[library].add(name)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
            for library, name in (
                found for one in node.args[1:] for inner in ast.walk(one) for found in _classes(inner, bound)
            ):
                tested[library].add(name)
    return not (tested[OLD].isdisjoint(read[NEW]) and tested[NEW].isdisjoint(read[OLD]))


def _classes(node: ast.AST, bound: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The library and the name of a class that an expression reads: `Box` of `gymnasium.spaces.box.Box`."""
    name, first = "", node
    while isinstance(first, ast.Attribute):
        name, first = name or first.attr, first.value
    if isinstance(first, ast.Name) and first.id in bound:
        name = name or first.id
        if name[:1].isupper():
            yield bound[first.id], name


def _bound(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The names that imports of the two libraries bind, and the library."""
    for node in walked(tree):
        for library in imported_libraries(node) if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
            for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
                own = alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name
                if isinstance(node, ast.ImportFrom) or own == library:
                    yield alias.asname or own, library
