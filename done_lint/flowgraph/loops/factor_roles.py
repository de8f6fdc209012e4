"""What the factors of a product are by their own text: discounts, a λ, numbers, and what a loop does not change."""

from __future__ import annotations

import ast

from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.scopes import Scope
from done_lint.knowledge import array_functions, naming_conventions

#: Functions of numbers that schedules are made with, of `math`, `numpy` or Python itself.
_OF_NUMBERS = frozenset({"min", "max", "minimum", "maximum", "exp", "log", "sqrt", "cos", "abs", "float", "int"})


def role(b: Builder, e: ast.expr, node: Node) -> str:
    """What a factor is by its own text: a discount, a λ, a plain number."""
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Pow):
        return role(b, e.left, node)
    if isinstance(e, ast.Call) and len(e.args) >= 1 and last_name(e.func) in ("pow", "power", "tensor", "float"):
        return role(b, e.args[0], node)
    value = e.value if isinstance(e, ast.Constant) else b.known.numbers.get(node)
    if discounts(value):
        return "discount"
    key = e.slice.value if isinstance(e, ast.Subscript) and isinstance(e.slice, ast.Constant) else None
    name = key if isinstance(key, str) else last_name(e)
    if naming_conventions.trace(name):
        return "trace"
    if naming_conventions.discount(name):
        return "discount"
    return "constant" if isinstance(e, ast.Constant) or _is_schedule(b, e) else ""


def discounts(value: object) -> bool:
    """Whether a number is one that futures are discounted by."""
    return isinstance(value, float) and 0.8 <= value < 1


def steady(b: Builder, e: ast.expr, first: Node) -> bool:
    """Whether this is a number, or a name or an attribute of one that was bound before a loop's `first` node."""
    if isinstance(e, ast.Constant):
        return True
    while isinstance(e, ast.Attribute):
        e = e.value
    if not isinstance(e, ast.Name):
        return False
    scope: Scope | None = b.names.scope
    while scope is not None and scope.kind == "comprehension" and e.id not in scope.versions:
        scope = scope.parent
    return scope is not None and scope.versions.get(e.id, 0) < first


def is_log_likelihood(e: ast.expr) -> bool:
    """`log_softmax(logits)`, `-F.logsigmoid(logits)`: logarithms of how likely each class is, no value of a state."""
    if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub):
        e = e.operand
    return isinstance(e, ast.Call) and last_name(e.func) in array_functions.LOG_LIKELIHOODS


def powered(b: Builder, e: ast.expr) -> bool:
    """Whether a discount is raised to a power that is not read anew for every row: `gamma ** N`, `gamma ** self.n`."""
    exponent = _exponent(e)
    if exponent is None:
        return False
    if isinstance(exponent, ast.Constant):
        return exponent.value != 1
    own = isinstance(exponent, ast.Attribute) and isinstance(exponent.value, ast.Name) and exponent.value.id == "self"
    # outside of loops, only what the function does not bind itself
    return own or steady(b, exponent, b.here.loops[-1].first if b.here.loops else 1)


def weighs_from_one(b: Builder, e: ast.expr) -> bool:
    """Whether a discount is raised to the number of a row, from 0 on: the first has its whole weight, as rewards have.

    `for i, row in enumerate(rows): total += gamma ** i * row.reward`. The value of a next state is always discounted.
    """
    loop = b.here.loops[-1].syntax if b.here.loops else None
    exponent = _exponent(e)
    if not isinstance(exponent, ast.Name) or not isinstance(loop, ast.For):
        return False
    counted = loop.iter
    if not isinstance(counted, ast.Call) or len(counted.args) != 1 or counted.keywords:
        return False
    target = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else loop.target
    function = "enumerate" if isinstance(loop.target, ast.Tuple) else "range"
    named = isinstance(target, ast.Name) and target.id == exponent.id
    return named and isinstance(counted.func, ast.Name) and counted.func.id == function


def _exponent(e: ast.expr) -> ast.expr | None:
    """`n` of `gamma ** n`, `pow(gamma, n)`."""
    if isinstance(e, ast.Call) and len(e.args) == 2 and last_name(e.func) in ("pow", "power"):
        return e.args[1]
    return e.right if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Pow) else None


def _is_schedule(b: Builder, e: ast.expr) -> bool:
    """`t / (0.1 * limit)`: a number that the count of the steps alone changes is the value of no state."""
    first = b.here.loops[-1].first if b.here.loops else 0
    counts = False
    parts: list[ast.expr] = [e] if b.step_counters and isinstance(e, (ast.BinOp, ast.UnaryOp, ast.Call)) else []
    for part in parts:  # grows on the way
        if isinstance(part, ast.BinOp):
            parts += (part.left, part.right)
        elif isinstance(part, ast.UnaryOp):
            parts.append(part.operand)
        elif isinstance(part, ast.Call) and last_name(part.func) in _OF_NUMBERS and not part.keywords:
            parts += part.args
        elif isinstance(part, (ast.Name, ast.Attribute)) and last_name(part) in b.step_counters:
            counts = True
        elif not steady(b, part, first):
            return False
    return counts
