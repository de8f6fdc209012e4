"""Functions that `functools.singledispatch` calls: those registered for the type of the first argument.

A call names the generic function alone; what it is given and returns is theirs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.names import imported_name
from done_lint.flowgraph.schema import Function

_GENERIC = frozenset({"functools.singledispatch", "functools.singledispatchmethod"})


def register(b: Builder, decorators: Iterable[ast.expr], function: Function) -> None:
    """Note a generic function; let one that is registered take its arguments and give its result."""
    for decorator in decorators:
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        if imported_name(b, named) in _GENERIC:
            b.generics[function.owner, function.name] = function
        elif isinstance(named, ast.Attribute) and named.attr == "register" and isinstance(named.value, ast.Name):
            generic = b.generics.get((function.owner, named.value.id))
            if generic is not None:
                _hand_over(b, generic, function)


def _hand_over(b: Builder, generic: Function, registered: Function) -> None:
    given = generic.params[: generic.positional]
    for (_, argument), (_, parameter) in zip(given, registered.params[: registered.positional]):
        b.copy(argument, parameter)
    by_name = dict(generic.params[generic.positional :])
    for name, parameter in registered.params[registered.positional :]:
        b.copy(by_name.get(name, b.nothing), parameter)
    b.copy(registered.result, generic.result)
