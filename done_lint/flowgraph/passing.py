"""Which expressions give a value on as it is, as far as a flag can tell: conversions, moves to a device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from done_lint.flowgraph.ast_text import last_name
from done_lint.knowledge import array_functions

#: What gives one value for many, or puts them into another order.
_CHANGING = frozenset({"any", "all", "transpose", "sum", "mean"})


def passed(value: ast.expr) -> Iterator[ast.expr]:
    """What a value is once more before its conversions: of `torch.tensor(x).to(device)` also `torch.tensor(x)`, `x`."""
    yield value
    if isinstance(value, ast.Call):
        func = value.func
        if isinstance(func, ast.Attribute) and func.attr in array_functions.PASSING_METHODS:
            yield from passed(func.value)
        if value.args and last_name(func) in array_functions.PASSING:
            yield from passed(value.args[0])


def converted_parameter(arguments: ast.arguments, body: ast.expr | list[ast.stmt]) -> int:
    """Which parameter a function only converts and returns, by its place; -1: it does anything else."""
    if isinstance(body, list):
        *before, last = body
        if any(not isinstance(one, ast.Expr) or not isinstance(one.value, ast.Constant) for one in before):
            return -1
        if not isinstance(last, ast.Return) or last.value is None:
            return -1
        body = last.value
    *conversions, first = passed(body)
    if not conversions or any(isinstance(one, ast.Call) and last_name(one.func) in _CHANGING for one in conversions):
        return -1
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
    return names.index(first.id) if isinstance(first, ast.Name) and first.id in names else -1
