"""Assignments: what is given to targets, and the branches that an assignment to some rows is."""

from __future__ import annotations

import ast

from done_lint.flowgraph.ast_text import last_name, subscripts
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.comparisons import constant, is_none
from done_lint.flowgraph.definitions import annotate
from done_lint.flowgraph.loops.comprehension_columns import repeated
from done_lint.flowgraph.loops.put_by_key import convert_by_key, put_by_key
from done_lint.flowgraph.names import external_name
from done_lint.flowgraph.schema import Branch
from done_lint.flowgraph.targets import assign, picking, true_in
from done_lint.knowledge import array_functions

#: So many dimensions has an array whose rows are arrays.
_PLANE = 2


def visit_assign(b: Builder, s: ast.Assign) -> None:
    if len(s.targets) == 1 and isinstance(s.targets[0], (ast.Tuple, ast.List)):
        targets, elements = s.targets[0].elts, _elements(s.value, len(s.targets[0].elts))
        if len(targets) == len(elements) and not any(isinstance(x, ast.Starred) for x in [*targets, *elements]):
            values = [b.expr(v) for v in elements]
            for target, value in zip(targets, values):
                assign(b, target, value)
            return
    first = len(b.result.products)
    # what an object or an array keeps may be set otherwise elsewhere
    named = all(isinstance(one, ast.Name) for one in s.targets)
    b.here.given += named
    value = b.none() if is_none(s.value) and isinstance(s.targets[0], ast.Name) else b.expr(s.value)
    b.here.given -= named
    if isinstance(s.value, ast.Call) and (made := constant(s.value)) in ("zero", "one"):
        (b.known.zeros if made == "zero" else b.known.ones).add(value)
    if value and (mask := true_in(b, s.value)) is not s.value:
        b.known.places[value] = b.expr(mask)
    for target in s.targets:
        if put_by_key(b, target, s.value, value):
            continue
        assign(b, target, value)
        if len(b.result.products) > first:
            _picked(b, target, first, s.value)
        else:
            convert_by_key(b, target, s.value)


def _elements(value: ast.expr, wanted: int) -> list[ast.expr]:
    """What is written one by one, or made anew so many times: `(np.zeros(n) for _ in range(3))` are three arrays."""
    if isinstance(value, (ast.Tuple, ast.List)):
        return value.elts
    if isinstance(value, ast.Call):
        return [value] * wanted if _makes_rows(value, wanted) else []
    return repeated(value) if isinstance(value, (ast.ListComp, ast.GeneratorExp)) else []


def _makes_rows(call: ast.Call, wanted: int) -> bool:
    """Whether a new array has so many rows, of which `rewards, dones = np.zeros((2, n))` fills each by itself."""
    shape = call.args[0] if call.args and last_name(call.func) in array_functions.TO_BE_FILLED else None
    if not isinstance(shape, (ast.Tuple, ast.List)) or len(shape.elts) < _PLANE:
        return False
    return isinstance(shape.elts[0], ast.Constant) and shape.elts[0].value == wanted


def visit_ann_assign(b: Builder, s: ast.AnnAssign) -> None:
    value = b.expr(s.value) if s.value is not None else b.node()
    if s.value is not None and external_name(b, s.value):
        # all that names it in this file shares its node: the annotation is of this variable alone
        name, value = value, b.node(b.span(s.value))
        b.copy(name, value)
    if s.value is None or isinstance(s.target, ast.Name):
        annotate(b, s.annotation, value, chosen=s.value is not None)
    if s.value is not None or b.names.scope.kind == "class":
        assign(b, s.target, value)


def visit_aug_assign(b: Builder, s: ast.AugAssign) -> None:
    load = ast.copy_location(_load(s.target), s.target)
    first = len(b.result.products)
    assign(b, s.target, b.expr(ast.copy_location(ast.BinOp(load, s.op, s.value), s)))
    if isinstance(s.op, ast.Mult) and isinstance(s.target, ast.Attribute):
        for product in b.result.products[first:]:
            product.running = True  # `self.epsilon *= 0.99`: what is kept fades, and nothing is bootstrapped
    _picked(b, s.target, first, s.value)


def _picked(b: Builder, target: ast.expr, first: int, value: ast.expr) -> None:
    """`y[~done] += gamma * q[~done]` is a branch for every row.

    `b.total[~done] = gamma * b.total[~done] + r` is a sum that the object carries on, and no target.
    """
    last = len(b.result.products)
    if last > first and isinstance(target, ast.Subscript) and (index := picking(subscripts(target.slice))) is not None:
        if isinstance(target.value, ast.Attribute) and _multiplies(value, ast.dump(_load(target))):
            return
        test = b.expr(true_in(b, index))
        if test:
            b.result.branches.append(Branch(test, b.span(target), tuple(range(first, last)), (), rows=True))


# --- targets -----------------------------------------------------------------------------------


def _multiplies(value: ast.expr, factor: str) -> bool:
    """Whether an expression, as it is dumped, is a factor of a product inside."""
    return any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mult)
        and factor in (ast.dump(node.left), ast.dump(node.right))
        for node in ast.walk(value)
    )


def _load(target: ast.expr) -> ast.expr:
    made: ast.expr
    if isinstance(target, ast.Name):
        made = ast.Name(target.id, ast.Load())
    elif isinstance(target, ast.Attribute):
        made = ast.Attribute(target.value, target.attr, ast.Load())
    elif isinstance(target, ast.Subscript):
        made = ast.Subscript(target.value, target.slice, ast.Load())
    else:
        made = target
    return made
