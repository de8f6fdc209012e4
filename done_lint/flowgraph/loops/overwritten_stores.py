"""Elements that a turn of a loop stores twice, so that nothing reads the first: `flags[t] = done`, and again below.

It is said of an array by a name of its own, which no function inside sees, at an index that counts. Both stores stand
in one block, and nothing between them leaves it or names the array, or what may be a part of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from done_lint.core.ast_walk import walked
from done_lint.core.reach import closure
from done_lint.flowgraph.ast_text import unparsed

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LEAVING = (ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await)
_INDEX = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Tuple, ast.Slice)


def overwritten_stores(tree: ast.Module) -> frozenset[ast.expr]:
    """The targets of the first of such stores."""
    imports = (one for one in walked(tree) if isinstance(one, (ast.Import, ast.ImportFrom)))
    modules = {(name.asname or name.name).partition(".")[0] for one in imports for name in one.names}
    scopes = [tree, *(one for one in walked(tree) if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)))]
    return frozenset(found for scope in scopes for found in _of_scope(scope, modules))


def _of_scope(scope: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef, modules: set[str]) -> Iterator[ast.expr]:
    pairs = [pair for block in _loop_bodies(scope.body) for pair in _pairs(block)]
    if not pairs:
        return
    own = list(_own(scope.body))
    inside = {one.id for node in own if isinstance(node, _SCOPES) for one in walked(node) if isinstance(one, ast.Name)}
    outside = {name for one in own if isinstance(one, (ast.Global, ast.Nonlocal)) for name in one.names}
    counting, after = set(_counting(own)), _parts(own, modules)
    for first, between in pairs:
        array = _array(first)
        read = {one.id for one in _all(between) if isinstance(one, ast.Name)}
        index = {one.id for one in walked(first.slice) if isinstance(one, ast.Name)}
        stored = {one.id for one in _all(between) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        if array in inside | outside or not index <= counting or not index.isdisjoint(stored):
            continue
        if closure([array], after).isdisjoint(read) and not any(isinstance(one, _LEAVING) for one in _all(between)):
            yield first


def _pairs(block: Sequence[ast.stmt]) -> Iterator[tuple[ast.Subscript, list[ast.AST]]]:
    """Stores of one element in a block: the first, and all that is done before the element is stored again."""
    last: dict[str, tuple[ast.Subscript, int]] = {}
    for place, statement in enumerate(block):
        target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Subscript) or not _array(target):
            continue
        if all(isinstance(one, _INDEX) for one in walked(target.slice)):
            text = unparsed(target)
            if text in last:
                first, before = last[text]
                yield first, [*block[before + 1 : place], statement.value]
            last[text] = target, place


def _array(target: ast.Subscript) -> str:
    return target.value.id if isinstance(target.value, ast.Name) else ""


def _loop_bodies(block: Iterable[ast.AST]) -> Iterator[list[ast.stmt]]:
    """The bodies of loops in which an exception ends the loop."""
    for one in block:
        if isinstance(one, (*_SCOPES, ast.Try)):
            continue
        for name in ("body", "orelse", "cases"):
            inner = getattr(one, name, None)
            if name == "body" and isinstance(one, (ast.For, ast.While)):
                yield one.body
            yield from _loop_bodies(inner) if isinstance(inner, list) else ()


def _own(block: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """What stands in a scope, and of the scopes inside only that they are there."""
    todo = list(block)
    while todo:
        one = todo.pop()
        yield one
        if not isinstance(one, _SCOPES):
            todo += ast.iter_child_nodes(one)


def _all(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    return (one for node in nodes for one in walked(node))


def _counting(own: Iterable[ast.AST]) -> Iterator[str]:
    """The names of numbers: what goes over a range, and what is raised by a number."""
    for one in own:
        if isinstance(one, ast.For) and isinstance(one.target, ast.Name) and isinstance(one.iter, ast.Call):
            if unparsed(one.iter.func) == "range":
                yield one.target.id
        elif isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            yield from [one.target.id] if isinstance(one.value, ast.Constant) else ()


def _parts(own: Iterable[ast.AST], modules: set[str]) -> dict[str, set[str]]:
    """By name, the names of what may hold it, or a part of it: what it is assigned to, and whose method takes it."""
    after: dict[str, set[str]] = {}
    for one in own:
        targets: Iterable[ast.expr] = ()
        given: Iterable[ast.AST] = ()
        if isinstance(one, ast.Assign):
            targets, given = one.targets, [one.value]
        elif isinstance(one, (ast.AnnAssign, ast.NamedExpr)):
            targets, given = [one.target], [one.value] if one.value is not None else []
        elif isinstance(one, (ast.For, ast.comprehension)):
            targets, given = [one.target], [one.iter]
        elif isinstance(one, ast.withitem):
            targets, given = [one.optional_vars] if one.optional_vars is not None else [], [one.context_expr]
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
            targets, given = [one.func.value], [*one.args, *(keyword.value for keyword in one.keywords)]
        holding = {name for target in targets for name in _roots(target)} - modules
        for name in _all(given) if holding else ():
            if isinstance(name, ast.Name):
                after.setdefault(name.id, set()).update(holding)
    return after


def _roots(target: ast.expr) -> Iterator[str]:
    """The names of what is set, or of what has it as a part."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for one in target.elts:
            yield from _roots(one)
    elif isinstance(target, (ast.Attribute, ast.Subscript, ast.Starred)):
        yield from _roots(target.value)
