"""Values of a module's names that no function sees: the next statements put others in their place.

`env = gym.make(...)`, and then `env = env.unwrapped`: a function that reads `env` is called after both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from done_lint.flowgraph.binding_scan import Outline

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Import, ast.ImportFrom, ast.Pass)


def passing_versions(tree: ast.Module, outline: Outline) -> frozenset[ast.expr]:
    """The targets of such assignments, of names that functions do not set.

    Nothing between the two may run a function of the file: calls of what is imported, and of what that gave, do not.
    """
    again = outline.top.again - outline.shared
    if not again:
        return frozenset()
    own = {one.name for one in tree.body if isinstance(one, _DEFINITIONS)}
    found: set[ast.expr] = set()
    #: By name, the last assignment that another one may still follow; what the library gave is asked without harm.
    last: dict[str, ast.expr] = {}
    for statement in tree.body:
        if isinstance(statement, _DEFINITIONS):
            if statement.decorator_list or isinstance(statement, ast.ClassDef):
                last.clear()
            continue
        foreign = all(_is_foreign(one, outline, own, last) for one in _run(statement))
        if not isinstance(statement, _SIMPLE) or not foreign:
            last.clear()
            continue
        whole = _is_whole(statement)
        for name, target in _names(statement):
            before = last.pop(name, None)
            if whole and before is not None:
                found.add(before)
            if whole and name in again:
                last[name] = target
    return frozenset(found)


def _run(statement: ast.stmt) -> Iterator[ast.expr]:
    """What a statement may run: its calls, and functions without a name."""
    return (node for node in ast.walk(statement) if isinstance(node, (ast.Call, ast.Lambda)))


def _is_foreign(node: ast.expr, outline: Outline, own: set[str], last: dict[str, ast.expr]) -> bool:
    """Whether a call runs only what is imported or built in, and is handed no function of the file."""
    if not isinstance(node, ast.Call):
        return False
    root: ast.expr = node.func
    while isinstance(root, (ast.Attribute, ast.Call)):
        root = root.value if isinstance(root, ast.Attribute) else root.func
    if not isinstance(root, ast.Name):
        return False
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if any(isinstance(part, ast.Name) and part.id in own for one in given for part in ast.walk(one)):
        return False
    name = root.id
    return name in outline.absolute or name in last or name not in outline.top.names


def _names(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The names that a simple statement sets."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node


def _is_whole(statement: ast.stmt) -> bool:
    """`name = value`."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return len(targets) == 1 and isinstance(targets[0], ast.Name)
