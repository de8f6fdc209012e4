"""Functions of a file that compare the version of Gym with what they are given: `is_at_least("0.26.0")`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from done_lint.flowgraph.ast_text import last_name

#: `operator.ge(a, b)` is `a >= b`.
_OPERATORS: dict[str, ast.cmpop] = {"lt": ast.Lt(), "le": ast.LtE(), "gt": ast.Gt(), "ge": ast.GtE(), "eq": ast.Eq()}


class Comparison(NamedTuple):
    """What a function compares before it returns: the version stands on the left, or else on the right."""

    operator: ast.cmpop
    on_left: bool


class VersionComparers:
    """Knows those of one file."""

    def __init__(self, bound: Mapping[str, Sequence[ast.expr]], is_version: Callable[[ast.expr], bool]) -> None:
        """`bound` are the values of names in the file, and `is_version` says what is the version of Gym."""
        self._bound = bound
        self._is_version = is_version
        self._functions: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}

    def note(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Look at a function of the file later, should a test call it."""
        self._functions.setdefault(function.name, []).append(function)

    def comparison(self, name: str) -> Comparison | None:
        """What the function of a name compares with its only argument, if that is all that it is for."""
        functions = self._functions.get(name, ())
        if len(functions) != 1 or len(functions[0].args.args) != 1:
            return None
        returned, given = functions[0].body[-1], functions[0].args.args[0].arg
        for left, operator, right in _compared(returned.value if isinstance(returned, ast.Return) else None):
            if self._is_version(left) and self._is_made_of(right, given):
                return Comparison(operator, on_left=True)
            if self._is_version(right) and self._is_made_of(left, given):
                return Comparison(operator, on_left=False)
        return None

    def _is_made_of(self, value: ast.expr, given: str) -> bool:
        """Whether an expression is the argument, or a name for what is made of it: `given.split(".")`."""
        named = [one.id for one in ast.walk(value) if isinstance(one, ast.Name)]
        made = (one for name in named for one in self._bound.get(name, ()))
        return given in named or any(isinstance(one, ast.Name) and one.id == given for e in made for one in ast.walk(e))


def _compared(returned: ast.expr | None) -> Iterator[tuple[ast.expr, ast.cmpop, ast.expr]]:
    """The sides of `a >= b` and of `operator.ge(a, b)`."""
    if isinstance(returned, ast.Compare) and len(returned.ops) == 1:
        yield returned.left, returned.ops[0], returned.comparators[0]
    elif isinstance(returned, ast.Call) and len(returned.args) == 2 and last_name(returned.func) in _OPERATORS:
        yield returned.args[0], _OPERATORS[last_name(returned.func)], returned.args[1]
