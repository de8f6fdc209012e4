"""Which expressions give a value on as it is, as far as a flag can tell, and what such a value is made by."""

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


def makes_array(value: ast.expr) -> bool:
    """Whether an expression makes an array to be filled, and may move it: `torch.zeros(shape).to(device)`."""
    calls = (one for one in passed(value) if isinstance(one, ast.Call))
    return any(last_name(one.func) in array_functions.TO_BE_FILLED for one in calls)
