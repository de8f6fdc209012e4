"""Which expressions give a value on as it is, as far as a flag can tell: conversions, moves to a device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from done_lint.flowgraph.ast_text import last_name
from done_lint.knowledge import array_functions

#: What gives one value for many, or puts them into another order.
CHANGING = frozenset({"any", "all", "transpose", "sum", "mean"})


def passed(value: ast.expr) -> Iterator[ast.expr]:
    """What a value is once more before its conversions: of `torch.tensor(x).to(device)` also `torch.tensor(x)`, `x`."""
    yield value
    if isinstance(value, ast.Call):
        func = value.func
        if isinstance(func, ast.Attribute) and func.attr in array_functions.PASSING_METHODS:
            yield from passed(func.value)
        if value.args and last_name(func) in array_functions.PASSING:
            yield from passed(value.args[0])
