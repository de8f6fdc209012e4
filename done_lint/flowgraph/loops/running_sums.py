"""Which products carry a sum from call to call: `self.g = gamma * (1 - done) * self.g + reward`.

A reward normaliser keeps such a discounted return. What the mask cuts is the value of the same name from the step
before, not the value of a next state, and has to end with every episode. The sum may be read into a variable first, and
kept again later: `before = self.g[rows]`, then `self.g[rows] = after`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from done_lint.core.ast_walk import walked
from done_lint.core.findings import Span
from done_lint.flowgraph.ast_text import last_name, unparsed
from done_lint.flowgraph.schema import Product, Survey

_Function = ast.FunctionDef | ast.AsyncFunctionDef

#: Methods of PyTorch's tensors that take rows out, and those that put them back.
_READING = frozenset({"clone", "gather", "index_select"})
_WRITING = frozenset({"copy_", "index_copy_", "scatter_"})


def mark_running_sums(survey: Survey, tree: ast.Module, span: Callable[[ast.expr], Span]) -> None:
    """Set `running` of the survey's products."""
    products = {product.span: product for product in survey.products}
    if not products:
        return
    rows = [at.row for at in products]
    for function in walked(tree):
        if isinstance(function, _Function):
            last = function.end_lineno or function.lineno
            if any(function.lineno <= row <= last for row in rows):
                _mark_in(function, products, span)


def _mark_in(function: _Function, products: dict[Span, Product], span: Callable[[ast.expr], Span]) -> None:
    """Look at what a function assigns, in the order of its rows."""
    known = {one.arg for one in (*function.args.posonlyargs, *function.args.args)}
    own = next((one.arg for one in (*function.args.posonlyargs, *function.args.args)), "")
    assigned: set[str] = set()
    continued: set[str] = set()
    statements = _Statements(function, own)
    found = (one for one in walked(function) if isinstance(one, ast.Assign) and len(one.targets) == 1)
    for statement in sorted(found, key=lambda one: one.lineno):
        target = statement.targets[0]
        text = unparsed(target)
        for made in walked(statement.value):
            product = products.get(span(made)) if isinstance(made, ast.BinOp) else None
            if product is not None and not product.discounted and text not in continued:
                continue  # the discount stands where the sum went on before
            slots = [one for one in _factors(made) if _root(one) in known] if product is not None else []
            if product is not None and any(
                _is_carried(statements, statement, slot, own if text not in assigned else "") for slot in slots
            ):
                product.running = True
            elif product is not None and isinstance(target, ast.Name) and own:
                product.running = statements.keep_again(target, made)
        (continued if _continues(statement.value, text) else assigned).add(text)


def _continues(e: ast.expr, text: str) -> bool:
    """`gamma * self.g + reward`: what was kept goes on in it, so that it is still the sum of the step before."""
    if isinstance(e, ast.BinOp):
        return _continues(e.left, text) or _continues(e.right, text)
    return isinstance(e, ast.Attribute) and unparsed(e) == text


class _Statements:
    """What a function puts where, by the variable that it puts there; read once, however many products there are."""

    def __init__(self, function: _Function, own: str) -> None:
        """Look at each statement; `own` is the first parameter of the function."""
        self._own = own
        #: Its assignments, by their variable.
        self._bound: dict[str, list[ast.Assign]] = {}
        #: The rows and places of what takes a variable.
        self._kept: dict[str, list[tuple[int, str]]] = {}
        #: The keys that a variable is put under.
        self.keys: dict[str, set[str]] = {}
        for one in walked(function):
            if isinstance(one, (ast.Assign, ast.Call)):
                for name, place in _kept(one, own):
                    self._kept.setdefault(name, []).append((one.lineno, place))
            if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
                self._bound.setdefault(one.targets[0].id, []).append(one)
            for key, value in _named_values(one):
                if isinstance(value, ast.Name):
                    self.keys.setdefault(value.id, set()).add(key)

    def keep_again(self, target: ast.Name, made: ast.AST) -> bool:
        """Whether a factor was read from an attribute into a variable, and the new sum is put into that attribute."""
        bound = self._bound.get(target.id, [])
        if len(bound) != 1:
            return False
        (new,) = bound
        kept = {place for row, place in self._kept.get(target.id, ()) if row > new.lineno and place}
        before = (one for name in _names(made) for one in self._bound.get(name, ()) if one.lineno < new.lineno)
        return bool(kept) and any(_part_of(one.value, self._own) in kept for one in before)


def _is_carried(statements: _Statements, statement: ast.Assign, slot: ast.expr, own: str) -> bool:
    """Whether what is assigned takes the place of a factor: the attribute itself, or the same key of a new state."""
    target = statement.targets[0]
    if not isinstance(target, ast.Name):
        return _root(slot) == own and unparsed(target) == unparsed(slot)
    return _key(slot) in statements.keys.get(target.id, ())


def _kept(statement: ast.Assign | ast.Call, own: str) -> Iterator[tuple[str, str]]:
    """Which variable what of `own` takes: `self.g[rows] = after`, `self.g.scatter_(0, rows, after)`."""
    if isinstance(statement, ast.Assign):
        if isinstance(statement.value, ast.Name):
            yield statement.value.id, _part_of(statement.targets[0], own)
    elif isinstance(statement.func, ast.Attribute) and statement.func.attr in _WRITING:
        *where, value = statement.args or [statement.func]
        if isinstance(value, ast.Name):
            yield value.id, _rows_of(statement.func.value, where, own)


def _part_of(e: ast.expr, own: str) -> str:
    """Which attribute is read, and which rows of it: of a next state's value they are others than those written."""
    if isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute) and e.func.attr in _READING:
        return _rows_of(e.func.value, e.args, own)
    return _rows_of(e.value, [e.slice], own) if isinstance(e, ast.Subscript) else _rows_of(e, [], own)


def _rows_of(e: ast.expr, where: list[ast.expr], own: str) -> str:
    """The text of an attribute and its rows; empty for what is no attribute of `own`."""
    if not isinstance(e, ast.Attribute) or not _is_name(e.value, own):
        return ""
    return ", ".join((e.attr, *map(unparsed, where)))


def _names(e: ast.AST) -> Iterator[str]:
    """The variables among the factors of a product."""
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Mult):
        yield from _names(e.left)
        yield from _names(e.right)
    elif isinstance(e, ast.Name):
        yield e.id


def _named_values(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What is put under a key: `{"g": g}`, `state.replace(g=g)`, `State(g=g)`."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value
    elif isinstance(node, ast.keyword) and node.arg is not None:
        yield node.arg, node.value


def _factors(e: ast.AST) -> list[ast.expr]:
    """The attributes and items of a constant key in a product."""
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Mult):
        return [*_factors(e.left), *_factors(e.right)]
    return [e] if isinstance(e, ast.expr) and _key(e) else []


def _key(slot: ast.expr) -> str:
    """The name of what an attribute or a constant key reads; empty for anything else."""
    if isinstance(slot, ast.Subscript):
        return slot.slice.value if isinstance(slot.slice, ast.Constant) and isinstance(slot.slice.value, str) else ""
    return last_name(slot) if isinstance(slot, ast.Attribute) else ""


def _root(e: ast.expr) -> str:
    """`state` of `state["g"]` and `state.g`."""
    while isinstance(e, (ast.Attribute, ast.Subscript)):
        e = e.value
    return e.id if isinstance(e, ast.Name) else ""


def _is_name(e: ast.expr, name: str) -> bool:
    return isinstance(e, ast.Name) and e.id == name
