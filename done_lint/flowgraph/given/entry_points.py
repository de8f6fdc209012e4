"""Entry points that a file puts together from what it gives itself: `entry_point="envs.%s:Maze" % name`.

What is put in stands in the calls of the function around, `register_maze("Small-v0", "small")`, or in the loop.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from done_lint.core.ast_walk import children, walked

_KEYWORD = "entry_point"
_ENTRY = re.compile(r"[\w.]+:\w+")
_FIELD = re.compile(r"\{\}|%s")
#: So many calls of one function are looked at.
_MOST = 64
#: What is known of the names in an expression.
_Known: TypeAlias = dict[str, str]


def entry_points(tree: ast.Module, text: str) -> dict[ast.expr, tuple[str, ...]]:
    """What each entry point of a file can be that is written with names of its own."""
    if _KEYWORD not in text or not any(map(_is_composed, walked(tree))):
        return {}
    found: dict[ast.expr, tuple[str, ...]] = {}
    for given, around in _given(tree, ()):
        known = (_text(given, one) for one in _known(tree, around))
        if texts := tuple(dict.fromkeys(one for one in known if _ENTRY.fullmatch(one))):
            found[given] = texts
    return found


def _given(node: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[tuple[ast.expr, tuple[ast.AST, ...]]]:
    """The entry points that are no constants, and the loops and functions around each, the nearest last."""
    if isinstance(node, ast.keyword) and _is_composed(node):
        yield node.value, around
    inner = (*around, node) if isinstance(node, (ast.For, ast.FunctionDef)) else around
    for child in children(node):
        yield from _given(child, inner)


def _is_composed(node: ast.AST) -> bool:
    return isinstance(node, ast.keyword) and node.arg == _KEYWORD and not isinstance(node.value, ast.Constant)


def _known(tree: ast.Module, around: tuple[ast.AST, ...]) -> Iterator[_Known]:
    """What the nearest loop or function around gives its names, once for each time it is seen to do so."""
    nearest = around[-1] if around else None
    if isinstance(nearest, ast.For) and isinstance(nearest.iter, (ast.Tuple, ast.List, ast.Set)):
        for value in nearest.iter.elts:
            yield _constants(_pairs(nearest.target, value))
    elif isinstance(nearest, ast.FunctionDef):
        for call in _calls(tree, nearest.name):
            yield _arguments(nearest.args, call)


def _calls(tree: ast.Module, name: str) -> list[ast.Call]:
    """The first calls of a function by its name."""
    calls = (one for one in walked(tree) if isinstance(one, ast.Call))
    return [one for one in calls if isinstance(one.func, ast.Name) and one.func.id == name][:_MOST]


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[str, ast.expr]]:
    """The names that a value of a loop is given to, and the part that each is given."""
    if isinstance(target, ast.Tuple) and isinstance(value, (ast.Tuple, ast.List)):
        return [pair for pairs in map(_pairs, target.elts, value.elts) for pair in pairs]
    return [(target.id, value)] if isinstance(target, ast.Name) else []


def _arguments(parameters: ast.arguments, call: ast.Call) -> _Known:
    """What a call gives a function, by the names of the parameters; what it leaves out has its default."""
    if any(isinstance(one, ast.Starred) for one in call.args):
        return {}
    names = [one.arg for one in (*parameters.posonlyargs, *parameters.args)]
    pairs = list(zip(names[len(names) - len(parameters.defaults) :], parameters.defaults))
    pairs += zip(names, call.args)
    pairs += [(one.arg, one.value) for one in call.keywords if one.arg is not None]
    return _constants(pairs)


def _constants(pairs: Iterable[tuple[str, ast.expr]]) -> _Known:
    """Those of some names that are given a constant text; the last that a name is given holds."""
    last = dict(pairs)
    return {name: text for name, value in last.items() if (text := _text(value, {}))}


def _text(e: ast.expr, known: _Known) -> str:
    """The text of an expression; empty where it is not known."""
    if isinstance(e, ast.Constant):
        return e.value if isinstance(e.value, str) else ""
    if isinstance(e, ast.Name):
        return known.get(e.id, "")
    if isinstance(e, ast.JoinedStr):
        return _joined(e.values, known)
    if isinstance(e, ast.FormattedValue):
        return _text(e.value, known) if e.format_spec is None else ""
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Add):
        return _joined((e.left, e.right), known)
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Mod):
        return _filled(e.left, e.right.elts if isinstance(e.right, ast.Tuple) else [e.right], known)
    if isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute) and e.func.attr == "format" and not e.keywords:
        return _filled(e.func.value, e.args, known)
    return ""


def _joined(values: Iterable[ast.expr], known: _Known) -> str:
    parts = [_text(value, known) for value in values]
    return "".join(parts) if all(parts) else ""


def _filled(pattern: ast.expr, values: list[ast.expr], known: _Known) -> str:
    """A pattern with its fields filled in order."""
    pieces = _FIELD.split(_text(pattern, known))
    parts = [_text(value, known) for value in values]
    if not all(parts) or len(pieces) != len(parts) + 1:
        return ""
    return "".join(f"{piece}{part}" for piece, part in zip(pieces, (*parts, "")))
