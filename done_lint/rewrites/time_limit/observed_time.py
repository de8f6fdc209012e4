"""Ways in which an observation has the time of an episode: two parts of the count, a clock, a text."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

import libcst as cst

from done_lint.rewrites.time_limit.bound_values import assigned, closure
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree


def is_split(tree: Tree, seen: Sequence[cst.CSTNode], counter: str) -> bool:
    """Whether the whole count is observed in two parts, which have the same unit.

    `self.steps // 60` and `self.steps % 60`, or `step // (rate * 24) % 7` and `step // rate % 24` of a copy.
    """
    large: set[tuple[str, ...]] = set()
    small: set[tuple[str, ...]] = set()
    for node in (one for one in seen if isinstance(one, cst.BinaryOperation)):
        unit = _factors(tree, node.right)
        if isinstance(node.operator, cst.FloorDivide) and _is_count(tree, node.left, counter):
            large.add(unit)
        elif isinstance(node.operator, cst.Modulo):
            inner = node.left
            if _is_count(tree, inner, counter):
                small.add(unit)
            elif isinstance(inner, cst.BinaryOperation) and isinstance(inner.operator, cst.FloorDivide):
                whole = tuple(sorted((*_factors(tree, inner.right), *unit)))
                small |= {whole} if _is_count(tree, inner.left, counter) else set()
    return not large.isdisjoint(small)


def is_clock(tree: Tree, seen: Sequence[cst.CSTNode], counter: str, bound: str) -> bool:
    """Whether the count is observed as sine and cosine of an angle that goes round once an episode."""
    turned = {
        last_name(node.func)
        for node in seen
        if isinstance(node, cst.Call) and last_name(node.func) in ("sin", "cos") and len(node.args) == 1
        if _goes_round(tree, node.args[0].value, counter, bound)
    }
    return len(turned) == 2


def is_record(tree: Tree, owner: cst.ClassDef, read: Container[str], count: str) -> bool:
    """Whether what is observed is written at the place of the count: `self.rows[self.tries] = word`."""
    for statement in tree.inside(cst.Assign, owner):
        for place in (one.target for one in statement.targets if isinstance(one.target, cst.Subscript)):
            indices = [tree.source(one.slice.value) for one in place.slice if isinstance(one.slice, cst.Index)]
            if count in indices and tree.source(place.value) in read:
                return True
    return False


def is_growing(tree: Tree, owner: cst.ClassDef, observed: Sequence[cst.CSTNode], own: str, counter: str) -> bool:
    """Whether a list is observed to which each step adds one, beside the count: `self.words.append(word)`.

    A part of it, or a list that forgets its first values, does not tell the time.
    """
    whole = {
        tree.source(one)
        for one in observed
        if isinstance(one, cst.Attribute)
        and is_name(one.value, own)
        and not isinstance(tree.parents[one], cst.Subscript)
    }
    whole -= {tree.source(one.value) for one in observed if isinstance(one, cst.Subscript)}
    lists = whole & {tree.source(target) for target, value in assigned(tree, owner) if isinstance(value, cst.List)}
    methods = (one for one in owner.body.body if isinstance(one, cst.FunctionDef))
    return any(
        not lists.isdisjoint(_added_to(tree, method))
        for method in methods
        if any(tree.source(one) == f"{own}.{counter}" for one in _raised(method))
    )


def _rows(method: cst.FunctionDef) -> Iterator[cst.BaseSmallStatement]:
    """The statements of a method that no branch skips."""
    for row in method.body.body:
        yield from row.body if isinstance(row, cst.SimpleStatementLine) else ()


def _raised(method: cst.FunctionDef) -> Iterator[cst.BaseExpression]:
    """What `self.steps += 1` and `self.steps = self.steps + 1` set."""
    for row in _rows(method):
        if isinstance(row, cst.AugAssign):
            yield row.target
        elif isinstance(row, cst.Assign):
            yield from (one.target for one in row.targets)


def _added_to(tree: Tree, method: cst.FunctionDef) -> set[str]:
    """The lists of `self.words.append(word)`."""
    calls = (row.value for row in _rows(method) if isinstance(row, cst.Expr))
    functions = (one.func for one in calls if isinstance(one, cst.Call))
    return {
        tree.source(one.value) for one in functions if isinstance(one, cst.Attribute) and one.attr.value == "append"
    }


def is_said(tree: Tree, node: cst.CSTNode, counter: str) -> bool:
    """Whether a text is made with the count, other than to print or raise it: `f"Step {self.steps}"`."""
    if not isinstance(node, cst.FormattedStringExpression) or not _is_count(tree, node.expression, counter):
        return False
    around = [
        one for one in tree.ancestors(node) if isinstance(one, (cst.Call, cst.Raise, cst.Assert, cst.FunctionDef))
    ]
    first = next(iter(around), None)
    if isinstance(first, cst.Call) and is_name(first.func, "print"):
        return False
    return not any(isinstance(one, (cst.Raise, cst.Assert)) for one in around)


def _goes_round(tree: Tree, angle: cst.BaseExpression, counter: str, bound: str) -> bool:
    every = list(closure(tree, angle))
    if not bound or not any(isinstance(one, cst.Attribute) and one.attr.value == counter for one in every):
        return False
    shares = (one for one in every if isinstance(one, cst.BinaryOperation) and isinstance(one.operator, cst.Divide))
    return any(_is_same_length(tree, one.right, bound) for one in shares)


def _is_same_length(tree: Tree, period: cst.BaseExpression, bound: str) -> bool:
    """Whether a period is the limit, or the number that the class or the file gives to what the limit is called."""
    if tree.source(period) == bound:
        return True
    owner = next((one for one in tree.ancestors(period) if isinstance(one, cst.ClassDef)), tree.module)
    name = bound.rpartition(".")[2]
    numbers = list(_numbers_of(tree, name, owner)) or list(_numbers_of(tree, name, tree.module))
    return _number(period) in numbers


def _numbers_of(tree: Tree, name: str, where: cst.CSTNode) -> Iterator[float]:
    """The numbers that are bound to a name: `self.length = 24`, `def __init__(self, length=24)`."""
    given: list[tuple[cst.BaseExpression, cst.BaseExpression | None]] = []
    given += ((target.target, one.value) for one in tree.inside(cst.Assign, where) for target in one.targets)
    given += ((one.target, one.value) for one in tree.inside(cst.AnnAssign, where))
    given += ((one.name, one.default) for one in tree.inside(cst.Param, where))
    for target, value in given:
        number = _number(value) if last_name(target) == name else None
        if number is not None:
            yield number


def _number(value: cst.BaseExpression | None) -> float | None:
    return float(value.evaluated_value) if isinstance(value, (cst.Integer, cst.Float)) else None


def _is_count(tree: Tree, node: cst.BaseExpression, counter: str) -> bool:
    """The count, or a variable that is a copy of it and of nothing else."""
    if isinstance(node, cst.Attribute):
        return node.attr.value == counter
    if not isinstance(node, cst.Name):
        return False
    bindings = tree.scopes.bindings(tree.scope(node), node.value)
    statement = tree.parents.get(tree.parents[bindings[0]]) if len(bindings) == 1 else None
    copied = statement.value if isinstance(statement, cst.Assign) else None
    return isinstance(copied, cst.Attribute) and copied.attr.value == counter


def _factors(tree: Tree, value: cst.BaseExpression) -> tuple[str, ...]:
    """`("24", "rate")` of `rate * 24`."""
    if isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Multiply):
        return tuple(sorted((*_factors(tree, value.left), *_factors(tree, value.right))))
    return (tree.source(value),)
