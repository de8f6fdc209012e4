"""Where a `reset` returns what only `return_info` asks for, which only Gym 0.22 to 0.25 pass."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from done_lint.core.ast_walk import walked

_NAME = "return_info"


def returns_for_info(method: ast.FunctionDef | ast.AsyncFunctionDef) -> Mapping[ast.Return, ast.expr | None]:
    """The returns of a `reset` that a call without `return_info` does not reach; none where it is on by default.

    Of `return (obs, info) if return_info else obs` it is one part that such a call gets.
    """
    if method.name != "reset":
        return {}
    arguments = method.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    defaults = [None] * (len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults))
    given = zip(every, [*defaults, *arguments.defaults, *arguments.kw_defaults])
    if any(one.arg == _NAME and not _is_false(default) for one, default in given) or _is_another(method):
        return {}
    return dict(_returns(method.body, asked=False))


def _is_another(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the name stands for something else in a method: what kind of result the reset inside has given."""
    parts = [node for node in walked(method) if isinstance(node, (ast.Name, ast.Assign))]
    bound = [node for node in parts if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    taken = [node.targets for node in parts if isinstance(node, ast.Assign) and _asks(node.value)]
    passed = {target for targets in taken for target in targets}
    return any(node.id == _NAME and node not in passed for node in bound)


def _returns(block: Iterable[ast.stmt], asked: bool) -> Iterator[tuple[ast.Return, ast.expr | None]]:
    """The returns of a block that stand where the info is asked for, or ask for it, with the part for who does not."""
    for statement in block:
        if isinstance(statement, ast.Return):
            alone = _part_without(statement.value)
            if asked or alone is not None:
                yield statement, None if asked else alone
        elif isinstance(statement, ast.If):
            asks, spares = _asks(statement.test), _spares(statement.test)
            yield from _returns(statement.body, asked or asks)
            yield from _returns(statement.orelse, asked or spares)
            # behind `if not return_info: return obs`
            asked = asked or (spares and isinstance(statement.body[-1], ast.Return))
        elif isinstance(statement, (ast.With, ast.For, ast.While, ast.Try)):
            for part in ("body", "orelse", "finalbody"):
                yield from _returns(getattr(statement, part, ()), asked)


def _part_without(value: ast.expr | None) -> ast.expr | None:
    """`obs` of `(obs, info) if return_info else obs`."""
    if not isinstance(value, ast.IfExp):
        return None
    pair, alone = (value.body, value.orelse) if _asks(value.test) else (value.orelse, value.body)
    known = _asks(value.test) or _spares(value.test)
    return alone if known and isinstance(pair, ast.Tuple) and len(pair.elts) == 2 else None


def _asks(test: ast.expr) -> bool:
    """Whether a test holds only where the info is asked for."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return any(map(_asks, test.values))
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.In):
        return _is_key(test.left)
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and test.func.attr in ("get", "pop"):
        return bool(test.args) and _is_key(test.args[0]) and all(map(_is_false, test.args[1:]))
    return isinstance(test, ast.Name) and test.id == _NAME


def _spares(test: ast.expr) -> bool:
    """`not return_info`."""
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and _asks(test.operand)


def _is_key(e: ast.expr) -> bool:
    return isinstance(e, ast.Constant) and e.value == _NAME


def _is_false(e: ast.expr | None) -> bool:
    return isinstance(e, ast.Constant) and not e.value
