"""Functions and methods whose name is defined again in the same block: Python keeps the last one alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from done_lint.core.ast_walk import walked

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def without_defined_again(body: Sequence[ast.stmt], *, runs: bool) -> list[ast.stmt]:
    """The statements of a class or a module but the functions that nothing can call before another takes their name.

    A decorator may have kept the function, as `@app.route` does, and a statement may have read its name.

    Args:
        body: the statements.
        runs: what stands between may call functions of the same block, as in a module.
    """
    last = {one.name: place for place, one in enumerate(body) if isinstance(one, _FUNCTIONS)}
    return [one for place, one in enumerate(body) if not _is_dead(one, body[place + 1 : _end(one, last)], runs=runs)]


def _end(statement: ast.stmt, last: Mapping[str, int]) -> int:
    """The place behind the last function of the same name."""
    return last[statement.name] + 1 if isinstance(statement, _FUNCTIONS) else 0


def _is_dead(statement: ast.stmt, behind: Sequence[ast.stmt], *, runs: bool) -> bool:
    """Whether a statement defines a function that nothing behind it uses up to the last one of its name."""
    if not isinstance(statement, _FUNCTIONS) or statement.decorator_list or not behind:
        return False
    return not _is_used(statement.name, behind, runs=runs)


def _is_used(name: str, statements: Sequence[ast.stmt], *, runs: bool) -> bool:
    """Whether statements, when they run, read a name, bind it otherwise, or (with `runs`) call anything."""
    for statement in statements:
        for one in _run(statement):
            if (isinstance(one, ast.Name) and one.id == name) or (runs and isinstance(one, ast.Call)):
                return True
    return False


def _run(statement: ast.stmt) -> Iterator[ast.AST]:
    """What runs of a statement: of a function its decorators and defaults, of a class its body."""
    if isinstance(statement, _FUNCTIONS):
        arguments = statement.args
        for one in (*statement.decorator_list, *arguments.defaults, *filter(None, arguments.kw_defaults)):
            yield from walked(one)
    elif isinstance(statement, ast.ClassDef):
        for outer in (*statement.decorator_list, *statement.bases, *(one.value for one in statement.keywords)):
            yield from walked(outer)
        for inner in statement.body:
            yield from _run(inner)
    else:
        yield from walked(statement)
