"""Which expressions of a file may be what a step or a reset gave, so that a test of them may ask for the API."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from done_lint.core.ast_walk import walked
from done_lint.core.reach import reach
from done_lint.flowgraph.ast_text import last_name

#: Methods whose parameters come from who runs the environment: actions and seeds, never a result.
_ASKED = frozenset({"step", "_step", "reset", "_reset", "step_async"})
#: Calls that hand over what another process or thread sent.
_RECEIVES = frozenset({"recv", "recv_pyobj", "result"})
#: Calls that keep the parts of what they are given.
_KEEPS = frozenset({"tuple", "list"})
_Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
#: What binds names, and what hands values over: most syntax does neither.
_BINDING = frozenset({ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.AsyncFor, ast.comprehension})
_HANDING = frozenset({ast.Call, *_Function})


class ResultNames:
    """Answers about the expressions of one file; nothing is looked at before the first question."""

    def __init__(self, tree: ast.Module) -> None:
        """Take the code of the file."""
        self._tree = tree

    def may_be(self, e: ast.expr) -> bool:
        """Whether an expression may be the result of a step or a reset, whole or in part.

        That are calls of them, names and attributes that are bound to one, and parameters of functions that take one.
        """
        base = _base(e)
        if isinstance(base, ast.Call):
            return _gives(base)
        name = _name(base)
        return bool(name) and (name in self._bound or name in self._handed)

    @cached_property
    def _bound(self) -> frozenset[str]:
        """Names and attributes that are bound to a result, or to what is."""
        first: list[str] = []
        renamed: dict[str, list[str]] = {}
        for target, value in self._bindings:
            if any(type(part) is ast.Call and _gives(part) for part in walked(value)):
                first.append(target)
            elif source := _name(_base(value)):
                renamed.setdefault(source, []).append(target)
        return frozenset(reach(first, lambda name: renamed.get(name, ())))

    @cached_property
    def _handed(self) -> frozenset[str]:
        """Parameters that may take a result: they are no actions, and have no default value of another kind."""
        taken: set[str] = set()
        others: set[str] = set()
        for node in walked(self._tree):
            if type(node) not in _HANDING:
                continue
            if isinstance(node, _Function):
                own = others if getattr(node, "name", "") in _ASKED else taken
                own.update(_parameters(node.args))
            elif isinstance(node, ast.Call) and last_name(node.func) in _ASKED:
                others.update(part.id for one in node.args for part in walked(one) if isinstance(part, ast.Name))
        handed = taken - others - self._sources(others)
        return frozenset(handed | (self._copies(handed) - others))

    @cached_property
    def _bindings(self) -> list[tuple[str, ast.expr]]:
        """Names and attributes with what they are bound to, or to a part of."""
        return [pair for node in walked(self._tree) if type(node) in _BINDING for pair in _bound_by(node)]

    def _copies(self, names: set[str]) -> set[str]:
        """What a line alone calls one of these names: `found` of `found = value`."""
        plain = ((target, value) for target, value in self._bindings if isinstance(value, ast.Name))
        return {target for target, value in plain if value.id in names}

    def _sources(self, names: set[str]) -> set[str]:
        """What loops take these names from: `actions` of `for action in actions`."""
        return {_name(_base(value)) for target, value in self._bindings if target in names}


def _bound_by(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What one statement or expression binds."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from ((name, node.value) for name in _targets(target))
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
        yield from ((name, node.value) for name in _targets(node.target))
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield from ((name, node.iter) for name in _targets(node.target))


def _targets(target: ast.expr) -> Iterator[str]:
    """The name that takes the whole of a value, or those with a star, which take more than one part of it."""
    if isinstance(target, (ast.Tuple, ast.List)):
        yield from (_name(one.value) for one in target.elts if isinstance(one, ast.Starred))
    else:
        yield _name(_base(target))


def _parameters(arguments: ast.arguments) -> Iterator[str]:
    """Parameters without a default value, or with `None`."""
    every = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(every) - len(arguments.defaults)) + list(arguments.defaults)
    for one, default in (*zip(every, defaults), *zip(arguments.kwonlyargs, arguments.kw_defaults)):
        if default is None or (isinstance(default, ast.Constant) and default.value is None):
            yield one.arg
    if arguments.vararg is not None:
        yield arguments.vararg.arg


def _base(e: ast.expr) -> ast.expr:
    """`result` of `result[0]`, `tuple(result)`, `await result` and `(x := result)`."""
    while True:
        if isinstance(e, ast.Subscript) and _is_key(e.slice):
            return e
        if isinstance(e, (ast.Subscript, ast.Await, ast.Starred, ast.NamedExpr)):
            e = e.value
        elif isinstance(e, ast.Call) and last_name(e.func) in _KEEPS and len(e.args) == 1:
            e = e.args[0]
        else:
            return e


def _is_key(index: ast.expr) -> bool:
    """`["layers"]`: the results of steps and resets have no keys."""
    return isinstance(index, ast.Constant) and isinstance(index.value, str)


def _name(e: ast.expr) -> str:
    return last_name(e) if isinstance(e, (ast.Name, ast.Attribute)) else ""


def _gives(call: ast.Call) -> bool:
    """`env.step(action)`, `self.reset_all()`, `step_fn(state)`, `remote.recv()`, `ray.get(one)`."""
    name = last_name(call.func)
    if name == "get":
        return not call.args or (isinstance(call.func, ast.Attribute) and last_name(call.func.value) == "ray")
    return "step" in name or "reset" in name or name in _RECEIVES
