"""Functions of a module that only code for old Gym calls: what they are given is old Gym's, too."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence

from done_lint.core.ast_walk import walked

_Stretch = tuple[ast.expr | ast.stmt, ast.expr | ast.stmt]


def kept_helpers(tree: ast.Module, kept: Sequence[_Stretch]) -> list[_Stretch]:
    """The private functions of a file that are named nowhere but in these stretches of it, and in one another."""
    own = {name: one for name, one in _functions(tree).items() if not _is_in(one, kept)}
    uses = _uses(tree, own)
    found: list[_Stretch] = []
    while ready := [name for name in own if uses[name] and all(_is_in(one, [*kept, *found]) for one in uses[name])]:
        found += ((own[name], own.pop(name)) for name in ready)
    return found


def _functions(tree: ast.Module) -> dict[str, ast.stmt]:
    """By name, the functions that no other file is meant to call; one that is bound twice is a choice by itself."""
    found: dict[str, list[ast.stmt]] = defaultdict(list)
    for one in tree.body:
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name.startswith("_"):
            found[one.name].append(one)
    return {name: several[0] for name, several in found.items() if len(several) == 1}


def _uses(tree: ast.Module, own: dict[str, ast.stmt]) -> dict[str, list[ast.expr]]:
    """By name of a function, what may mean it: the name, or a text that has it."""
    found: dict[str, list[ast.expr]] = defaultdict(list)
    for node in walked(tree) if own else ():
        if isinstance(node, ast.Name) and node.id in own:
            found[node.id].append(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in own:
            found[node.value].append(node)
    return found


def _is_in(node: ast.expr | ast.stmt, stretches: Sequence[_Stretch]) -> bool:
    return any(first.lineno <= node.lineno and _end(node) <= _end(last) for first, last in stretches)


def _end(node: ast.expr | ast.stmt) -> int:
    return node.end_lineno or node.lineno
