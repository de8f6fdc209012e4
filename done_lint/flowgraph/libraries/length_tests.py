"""What a test of its length leaves of a result: behind `if len(out) == 5: return` it has no five values."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from done_lint.flowgraph.ast_text import last_name

#: No tuple: an observation alone.
_BARE = 0
#: What results are asked for: no tuple, or one of so many values.
_LENGTHS = range(_BARE, 7)
#: How many values Gymnasium's `reset` and `step` return.
_NEW = frozenset({2, 5})
_COMPARISONS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
}


def name_left_old(test: ast.expr, holds: bool) -> str:
    """The name of a result that is not as Gymnasium returns it where a test holds, or fails; else empty."""
    for name in sorted(_measured(test)):
        left = {length for length in _LENGTHS if _holds(test, name, length) is not (not holds)} - {_BARE}
        if left not in ({2}, {5}) and not left.issuperset(_NEW):
            return name
    return ""


def _measured(test: ast.expr) -> set[str]:
    """The names whose length or kind a test asks for."""
    calls = (node for node in ast.walk(test) if isinstance(node, ast.Call) and node.args)
    asked = (call.args[0] for call in calls if last_name(call.func) in ("len", "isinstance"))
    return {one.id for one in asked if isinstance(one, ast.Name)}


def _holds(test: ast.expr, name: str, length: int) -> bool | None:
    """Whether a test holds of a result of this length; None: it may, or it may not."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inside = _holds(test.operand, name, length)
        return None if inside is None else not inside
    if isinstance(test, ast.BoolOp):
        parts = [_holds(part, name, length) for part in test.values]
        decisive = isinstance(test.op, ast.Or)
        if decisive in parts:
            return decisive
        return None if None in parts else not decisive
    if isinstance(test, ast.Call):
        return _is_kind(test, name, length)
    return _compares(test, name, length) if isinstance(test, ast.Compare) else None


def _is_kind(test: ast.Call, name: str, length: int) -> bool | None:
    """`isinstance(out, tuple)`, `isinstance(out, (tuple, list))`."""
    if last_name(test.func) != "isinstance" or len(test.args) != 2 or not _is(test.args[0], name):
        return None
    kinds = {kind.id for kind in ast.walk(test.args[1]) if isinstance(kind, ast.Name)}
    return length != _BARE if "tuple" in kinds else None


def _compares(test: ast.Compare, name: str, length: int) -> bool | None:
    """`len(out) == 5`."""
    call, right = test.left, test.comparators[0]
    if len(test.ops) != 1 or not (isinstance(call, ast.Call) and last_name(call.func) == "len" and call.args):
        return None
    if not _is(call.args[0], name) or length == _BARE:
        return None
    compare = _COMPARISONS.get(type(test.ops[0]))
    if compare is not None and isinstance(right, ast.Constant) and isinstance(right.value, int):
        return compare(length, right.value)
    return None


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
