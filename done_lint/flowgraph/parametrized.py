"""What pytest hands to the parameters of a test beside fixtures: `@pytest.mark.parametrize("kind", [Greedy, Random])`.

Of the values only names are read: the classes and functions that a test tries one after the other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Function

#: What is read once more without being done once more.
_NAMES = (ast.Name, ast.Attribute)
_Given = list[tuple[str, Node]]


def values(b: Builder, decorators: Iterable[ast.expr]) -> _Given:
    """The names of parameters and, for each, the values that decorators list."""
    return [
        (name, b.expr(value))
        for one in decorators
        if isinstance(one, ast.Call) and last_name(one.func) == "parametrize" and len(one.args) > 1
        for name, value in _listed(*one.args[:2])
        if isinstance(value, _NAMES)
    ]


def hand_over(b: Builder, function: Function, given: _Given) -> None:
    """Let the parameters of a test take their values."""
    parameters = dict(function.params) if given else {}
    for name, value in given:
        if name in parameters:
            b.copy(value, parameters[name])


def _listed(names: ast.expr, rows: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The values of each parameter, row by row; of several parameters a row is a tuple, or `pytest.param(...)`."""
    called = _names(names)
    for row in rows.elts if isinstance(rows, (ast.List, ast.Tuple)) else ():
        if isinstance(row, ast.Call) and last_name(row.func) == "param":
            yield from zip(called, row.args)
        elif len(called) == 1:
            yield called[0], row
        elif isinstance(row, (ast.List, ast.Tuple)) and len(row.elts) == len(called):
            yield from zip(called, row.elts)


def _names(e: ast.expr) -> Sequence[str]:
    """`"a, b"`, `("a", "b")`."""
    texts = e.elts if isinstance(e, (ast.List, ast.Tuple)) else [e]
    found = [one.value for one in texts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return [name.strip() for text in found for name in text.split(",")]
