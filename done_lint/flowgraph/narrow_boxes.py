"""Boxes with a bound that their dtype does not hold: `Box(0, 256, shape, np.uint8)`.

Gym, and Gymnasium before 1.0, cut such a bound to the dtype; since 1.0 the constructor raises an error
(`gymnasium/spaces/box.py`, 1.0.0 and 1.4.0; 0.29.1 only casts).
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from done_lint.core.ast_walk import walked
from done_lint.flowgraph.ast_text import last_name

_NARROW = "gives `Box` a bound that its dtype `{}` does not hold, which raises an error since Gymnasium 1.0"
_COMPUTED = "gives `Box` bounds and a dtype of which nothing shows that they fit, as Gymnasium 1.0 asks for"
_ARGUMENTS = ("low", "high", "shape", "dtype")
#: Integers, as numpy and Python spell them.
_INTEGER = re.compile(r"(u?)int(8|16|32|64|_)?")
_ARRAYS = frozenset({"array", "asarray"})
_INFINITE = float("inf")


def narrow_boxes(tree: ast.Module, text: str) -> Iterator[tuple[ast.Call, str]]:
    """The calls of a file that make such boxes, each with what it does, in one clause."""
    if "Box(" not in text or ("int" not in text and "dtype" not in text):
        return
    values: Mapping[str, ast.expr] | None = None
    for call in walked(tree):
        if not isinstance(call, ast.Call) or last_name(call.func) != "Box":
            continue
        given = dict(zip(_ARGUMENTS, call.args)) | {one.arg: one.value for one in call.keywords if one.arg}
        dtype = given.get("dtype")
        if dtype is None:
            continue
        values = _bound_once(tree) if values is None else values
        name = dtype.value if isinstance(dtype, ast.Constant) and isinstance(dtype.value, str) else last_name(dtype)
        limits = _limits(name)
        if limits is not None:
            bounds = [number for one in ("low", "high") if one in given for number in _numbers(given[one], values)]
            if any(not _fits(number, *limits) for number in bounds):
                yield call, _NARROW.format(name)
        elif name == "dtype" and _is_negated(given.get("low")) and not list(_numbers(given["low"], values)):
            yield call, _COMPUTED


def _bound_once(tree: ast.Module) -> dict[str, ast.expr]:
    """What names of a file stand for that are bound once."""
    names = [one for one in walked(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    often = Counter(one.id for one in names)
    pairs = (one for one in walked(tree) if isinstance(one, ast.Assign) and len(one.targets) == 1)
    return {
        one.targets[0].id: one.value
        for one in pairs
        if isinstance(one.targets[0], ast.Name) and often[one.targets[0].id] == 1
    }


def _limits(dtype: str) -> tuple[int, int] | None:
    """The least and the greatest integer of a dtype; None: it is none of integers."""
    known = _INTEGER.fullmatch(dtype)
    if known is None:
        return None
    bits = int(known[2]) if known[2] and known[2] != "_" else 64
    return (0, 2**bits - 1) if known[1] else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _fits(number: float, least: int, greatest: int) -> bool:
    """Whether a dtype holds a number: infinity stands for the outermost one, but for *unsigned* integers."""
    return least < 0 if abs(number) == _INFINITE else least <= number <= greatest


def _is_negated(low: ast.expr | None) -> bool:
    return isinstance(low, ast.UnaryOp) and isinstance(low.op, ast.USub)


def _numbers(value: ast.expr, values: Mapping[str, ast.expr]) -> Iterator[float]:
    """The numbers that a bound is seen to have: one, or those of an array."""
    if isinstance(value, ast.Name) and value.id in values and not isinstance(values[value.id], ast.Name):
        value = values[value.id]
    if isinstance(value, ast.Call) and last_name(value.func) in _ARRAYS and value.args:
        value = value.args[0]
    if isinstance(value, (ast.List, ast.Tuple)):
        for one in value.elts:
            yield from _numbers(one, values)
    elif isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        yield from (-number for number in _numbers(value.operand, values))
    elif isinstance(value, ast.Constant) and isinstance(value.value, (int, float)):
        yield value.value
    elif last_name(value) == "inf":
        yield _INFINITE
