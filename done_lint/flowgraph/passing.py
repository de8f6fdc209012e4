"""Which expressions give a value on as it is, as far as a flag can tell, and what such a value is made by."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.flowgraph.ast_text import last_name
from done_lint.knowledge import array_functions

if TYPE_CHECKING:
    from done_lint.flowgraph.builder import Builder

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


def passes(element: ast.expr, name: str) -> bool:
    """`x`, `torch.tensor(x)`, `x.to(device)`: a flag passes through unchanged."""
    return any(isinstance(one, ast.Name) and one.id == name for one in passed(element))


def passes_through(b: Builder, value: ast.expr, name: str) -> bool:
    """`x`, `x[i]`, `1 - np.stack(x).copy()` for a name; no call of which nothing says that it passes `x` on."""
    if isinstance(value, ast.IfExp):
        # `torch.stack(x) if torch.is_tensor(x[0]) else torch.tensor(x)`
        return passes_through(b, value.body, name) and passes_through(b, value.orelse, name)
    parts = list(ast.walk(value))
    calls = (part for part in parts if isinstance(part, ast.Call))
    named = any(isinstance(part, ast.Name) and part.id == name for part in parts)
    return named and all(_passed_on(b, call) is not None or _converts(b, call, name) for call in calls)


def looked_up(b: Builder, value: ast.expr, name: str) -> tuple[ast.expr, list[ast.comprehension]] | None:
    """`d` of `cat([d[k] for d in batch])`, and what binds it; None where it does not pass through unchanged."""
    generators: list[ast.comprehension] = []
    while not (isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Name) and value.slice.id == name):
        if isinstance(value, ast.Subscript):
            value = value.value
        elif isinstance(value, (ast.ListComp, ast.GeneratorExp)) and not generators:
            generators, value = value.generators, value.elt
        elif isinstance(value, ast.Call) and (inner := _passed_on(b, value)) is not None:
            value = inner
        else:
            return None
    return value.value, generators


def _passed_on(b: Builder, call: ast.Call) -> ast.expr | None:
    """`x` of `torch.cat(x, dim=0)` and of `x.to(device)`."""
    function = call.func
    if isinstance(function, ast.Attribute) and last_name(function.value) not in b.outline.imported:
        return function.value if function.attr in array_functions.PASSING_METHODS else None
    return call.args[0] if call.args and last_name(function) in array_functions.PASSING else None


def _converts(b: Builder, call: ast.Call, name: str) -> bool:
    """`to_tensor(x)`, by a function of this file: what it does with each value is the same for all keys."""
    function = call.func
    if not isinstance(function, ast.Name) or function.id in b.outline.imported or hasattr(builtins, function.id):
        return False
    return bool(call.args) and any(isinstance(one, ast.Name) and one.id == name for one in passed(call.args[0]))


def makes_empty(value: ast.expr) -> bool:
    """Whether an expression makes a container that is empty, or an array to be filled: `[]`, `deque(maxlen=n)`."""
    if isinstance(value, ast.List):
        return not value.elts
    if isinstance(value, ast.Call) and last_name(value.func) in ("list", "deque"):
        return not value.args
    return makes_array(value)


def makes_array(value: ast.expr) -> bool:
    """Whether an expression makes an array to be filled, and may move it: `torch.zeros(shape).to(device)`."""
    calls = (one for one in passed(value) if isinstance(one, ast.Call))
    return any(last_name(one.func) in array_functions.TO_BE_FILLED for one in calls)
