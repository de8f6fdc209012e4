"""What pytest hands to the parameters of a test beside fixtures: `@pytest.mark.parametrize("kind", [Greedy, Random])`.

Of the values only names and ids of environments are read: what a test makes, or calls, one after the other. All
values of one parameter may stand in a list with a name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Function
from done_lint.knowledge import env_id_apis

#: What is read once more without being done once more.
_NAMES = (ast.Name, ast.Attribute)
_Given = list[tuple[str, Node]]


def values(b: Builder, decorators: Iterable[ast.expr]) -> _Given:
    """The names of parameters and, for each, the values that decorators list."""
    calls = [one for one in decorators if isinstance(one, ast.Call) and last_name(one.func) == "parametrize"]
    given = [one.args[:2] for one in calls if len(one.args) > 1]
    listed = [
        (name, b.expr(value))
        for names, rows in given
        for name, value in _listed(names, rows)
        if isinstance(value, _NAMES) or _is_id(value)
    ]
    return listed + [(_names(names)[0], _each(b, rows)) for names, rows in given if _is_named_list(names, rows)]


def _is_named_list(names: ast.expr, rows: ast.expr) -> bool:
    return isinstance(rows, _NAMES) and len(_names(names)) == 1


def _each(b: Builder, rows: ast.expr) -> Node:
    """Every value of a list."""
    source, item = b.expr(rows), b.node(b.span(rows))
    b.wait(source, ops.Iterate(source, item))
    return item


def _is_id(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str) and env_id_apis.has_version(value.value)


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
