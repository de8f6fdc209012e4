"""Classes of spaces, and whether a file takes spaces from one of the libraries.

A test of a space tells nothing of the environment in a file whose spaces are all of one library.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from done_lint.core.ast_walk import walked

_SPACES = "spaces"


def is_space(node: ast.expr) -> bool:
    """`gym.spaces.Discrete`."""
    return isinstance(node, ast.Attribute) and (node.attr == _SPACES or is_space(node.value))


def takes_spaces(tree: ast.Module, library: str, names: Collection[str]) -> bool:
    """Whether a file takes spaces from a library, which it imports under these names."""
    return any(_is_from(node, library, names) for node in walked(tree))


def _is_from(node: ast.AST, library: str, names: Collection[str]) -> bool:
    if isinstance(node, ast.ImportFrom):
        module = [] if node.level else (node.module or "").split(".")
        return module[:1] == [library] and (_SPACES in module or any(one.name == _SPACES for one in node.names))
    if isinstance(node, ast.Import):
        return any(one.name.split(".")[:2] == [library, _SPACES] for one in node.names)
    if isinstance(node, ast.Attribute):
        return node.attr == _SPACES and isinstance(node.value, ast.Name) and node.value.id in names
    return False
