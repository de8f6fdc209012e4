"""Operators of one file as nodes: unions, intersections, negations, products, choices, and calls that are the same."""

from __future__ import annotations

import ast
from math import isclose
from typing import NamedTuple

from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name, unparsed
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.comparisons import asks_no_more, constant, is_guard, is_none
from done_lint.flowgraph.loops.factor_roles import discounts, is_log_likelihood, powered, role, steady, weighs_from_one
from done_lint.flowgraph.loops.step_counters import is_setting
from done_lint.flowgraph.names import bind, function_scope, is_module
from done_lint.flowgraph.narrowing import read_side
from done_lint.flowgraph.operations import Constant, Node
from done_lint.flowgraph.schema import Branch, Factor, Product
from done_lint.flowgraph.scopes import truth
from done_lint.flowgraph.templates import written_text
from done_lint.flowgraph.text_beginnings import note_beginning
from done_lint.knowledge import naming_conventions

_UNIONS = {"logical_or", "maximum", "bitwise_or", "max"}
_INTERSECTIONS = {"logical_and", "bitwise_and", "minimum", "min"}
_NEGATIONS = {"logical_not", "invert", "bitwise_not"}
_PRODUCTS = {"mul", "multiply", "mul_", "prod"}
_DIFFERENCES = {"subtract", "sub", "rsub"}
_EXTREMES = {"any", "max", "all", "min"}
_FILLS = {"masked_fill", "masked_fill_"}
_CHOICES = {"where", "select", "cond"}
#: Operators in the form of calls.
OPERATORS = frozenset().union(_UNIONS, _INTERSECTIONS, _NEGATIONS, _PRODUCTS, _DIFFERENCES, _EXTREMES, _FILLS, _CHOICES)


def _join(b: Builder, kind: type[ops.Or | ops.And], e: ast.expr, operands: list[ast.expr]) -> Node:
    return _joint(b, kind, e, tuple([b.expr(x) for x in operands]))


def _joint(b: Builder, kind: type[ops.Or | ops.And], e: ast.expr, inputs: tuple[Node, ...]) -> Node:
    node = b.node(b.span(e))
    b.combine(inputs, kind(inputs, node, b.span(e)))
    b.trail.derive(node, *inputs)
    return b.use(e, node)


def visit_bool_op(b: Builder, e: ast.BoolOp) -> Node:
    is_guard(b, e)
    inputs = tuple([b.expr(x) for x in e.values])
    node = _joint(b, ops.Or if isinstance(e.op, ast.Or) else ops.And, e, inputs)
    if isinstance(e.op, ast.And):
        _held_back(b, e, inputs, node)
    elif node and not any(isinstance(x, (ast.Compare, ast.UnaryOp, ast.BoolOp)) for x in e.values):
        for value in inputs:
            b.wait(value, ops.Fallback(value, node))
    return node


def _held_back(b: Builder, e: ast.BoolOp, inputs: tuple[Node, ...], node: Node) -> None:
    """`n >= limit and not done` is decided by the count, and so is `self.kind == "timed" and n >= limit`."""
    scope = function_scope(b)
    params = b.function_at(scope.function).params if scope.owner >= 0 and scope.function >= 0 else ()
    deciding = [
        x
        for x in e.values
        if not (isinstance(x, ast.UnaryOp) and isinstance(x.op, ast.Not))
        and not (params and is_setting(x, params[0][0], b.class_bodies[scope.owner]))
    ]
    if len(deciding) == 1:
        b.op(ops.Decides(inputs[e.values.index(deciding[0])], node, True))


def visit_unary_op(b: Builder, e: ast.UnaryOp) -> Node:
    operand = b.expr(e.operand)
    if isinstance(e.op, (ast.Not, ast.Invert)):
        node = _negation(b, e, operand)
        if isinstance(e.op, ast.Invert):
            b.result.inverted.append((operand, node))
        return node
    if isinstance(e.op, ast.USub):
        return b.nothing if operand in b.known.numbers else _sum(b, e, [operand])
    return operand


def _is_one(b: Builder, e: ast.expr) -> bool:
    """Whether an expression is one, or an array of ones: `np.ones(n)`, or a name that was given it just now."""
    return constant(e) == "one" or (isinstance(e, ast.Name) and b.expr(e) in b.known.ones)


def _negation(b: Builder, e: ast.expr, operand: Node) -> Node:
    node = b.node(b.span(e))
    b.combine((operand,), ops.Not(operand, node, b.span(e)))
    b.trail.derive(node, operand)
    return b.use(e, node)


def _sum(b: Builder, e: ast.expr, inputs: list[Node], kind: type[ops.Sum | ops.Longer] = ops.Sum) -> Node:
    node = b.node(b.span(e))
    b.combine(inputs, kind(tuple(inputs), node))
    if len(inputs) > 1:
        b.trail.sums.add(node)
    b.trail.derive(node, *inputs)
    return b.use(e, node)


def visit_bin_op(b: Builder, e: ast.BinOp) -> Node:
    if isinstance(e.op, ast.Mult):
        return _product(b, e, _factors(b, e))
    if isinstance(e.op, ast.Sub) and _is_one(b, e.left):
        return _negation(b, e, b.expr(e.right))
    if isinstance(e.op, ast.BitOr):
        return _join(b, ops.Or, e, [e.left, e.right])
    if isinstance(e.op, ast.BitAnd):
        return _join(b, ops.And, e, [e.left, e.right])
    if isinstance(e.op, (ast.Add, ast.Sub)):
        inputs = [b.operand(e.left), b.operand(e.right)]
        if _averages(b, e):
            _weighted(b, inputs)
        written_out = isinstance(e.op, ast.Add) and isinstance(e.right, (ast.List, ast.Tuple)) and all(inputs)
        node = _sum(b, e, inputs, ops.Longer if written_out else ops.Sum)
        if products := (*b.trail.parts(inputs[0]), *b.trail.parts(inputs[1])):
            b.trail.targets[node] = products
        return note_beginning(b, e, written_text(b, e) or node, inputs[0])
    return _quotient(b, e)


def _quotient(b: Builder, e: ast.BinOp) -> Node:
    """Division, powers, and what else has two sides of which the left one gives the value."""
    left, right = b.operand(e.left), b.operand(e.right)
    if isinstance(e.op, ast.Div) and right:
        # `/ (mask.sum() + 1e-8)` is the mean of the rows of the mask as well
        parts = b.trail.flow.get(right, ()) if right in b.trail.sums else ()
        b.result.picks += ((node, b.span(e.right)) for node in (right, *parts) if node)
    if isinstance(e.op, (ast.Div, ast.Pow)) and not _adds_up_all(e.left):
        return _sum(b, e, [left]) if left else right and b.nothing
    if node := note_beginning(b, e, written_text(b, e)):
        return node
    return _rounded(b, e, left) if isinstance(e.op, (ast.FloorDiv, ast.Mod)) and left else b.nothing


def _rounded(b: Builder, e: ast.BinOp, source: Node) -> Node:
    node = b.node(b.span(e))
    b.wait(source, ops.Rounded(source, node))
    return b.use(e, node)


def _adds_up_all(e: ast.expr) -> bool:
    """`x.sum()`: divided, it is an average of all elements, which is neither a flag nor a target."""
    return isinstance(e, ast.Call) and last_name(e.func) == "sum" and not e.args and not e.keywords


def _factors(b: Builder, e: ast.expr) -> list[ast.expr]:
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Mult):
        return _factors(b, e.left) + _factors(b, e.right)
    return [e]


def _averages(b: Builder, e: ast.BinOp) -> bool:
    """`0.9 * a + 0.1 * b`: weights that add up to one."""
    if not (_multiplies(e.left) and _multiplies(e.right)):
        return False
    return any(_add_up(one, other) for one in _factors(b, e.left) for other in _factors(b, e.right))


def _weighted(b: Builder, inputs: list[Node]) -> None:
    """The products are parts of an average: their weights discount nothing."""
    for product in b.result.products:
        if product.node in inputs:
            for factor in product.factors:
                factor.role = "constant" if factor.role == "discount" else factor.role


def _product(b: Builder, e: ast.expr, factors: list[ast.expr]) -> Node:
    made = [Factor(b.expr(f), b.span(f), "") for f in factors]
    for factor, syntax in zip(made, factors):
        factor.role = role(b, syntax, factor.node)
        factor.steady = bool(b.here.loops) and steady(b, syntax, b.here.loops[-1].first)
        factor.discounted = factor.node in b.trail.discounted and not b.here.shown
        factor.log_likelihood = is_log_likelihood(syntax)
        factor.powered = factor.role == "discount" and powered(b, syntax)
        of_no_value = weighs_from_one(b, syntax) or any(_is_simulated(b, one) for one in factors)
        if factor.role == "discount" and (of_no_value or b.here.shown):
            factor.role = "constant"
    node = b.node(b.span(e))
    if _is_discounted(made):
        b.trail.discounted[node] = len(b.result.products)
    loop = b.here.loops[-1].index if b.here.loops else -1
    b.result.products.append(Product(made, b.span(e), node, loop, function_scope(b).function))
    nodes = [f.node for f in made]
    b.combine(nodes, ops.Times(len(b.result.products) - 1, node))
    b.trail.derive(node, *nodes)
    return b.use(e, node)


def _is_simulated(b: Builder, factor: ast.expr) -> bool:
    """`reward + gamma * self.simulate(child)` in `simulate` itself: a search that steps on, and no value to learn."""
    number = function_scope(b).function
    if number < 0 or not isinstance(factor, ast.Call):
        return False
    function = b.result.functions[number]
    own = function.params[0][0] if function.owner >= 0 and function.params else ""
    return unparsed(factor.func) in (function.name, f"{own}.{function.name}")


def visit_if_exp(b: Builder, e: ast.IfExp) -> Node:
    return _choice(b, e, b.expr(e.test), e.body, e.orelse, e.test)


def _choice(
    b: Builder,
    e: ast.expr,
    test: Node,
    body: ast.expr,
    orelse: ast.expr,
    asked: ast.expr | None = None,
) -> Node:
    """`body if test else orelse`, whose sides are read now; a guard ends behind them."""
    guard = asked is not None and is_guard(b, asked)
    b.here.guard += guard
    first = len(b.result.products)
    chosen = read_side(b, asked, body, True)
    middle = len(b.result.products)
    other = read_side(b, asked, orelse, False)
    b.here.guard -= guard
    _branch(b, test, e, first, middle)
    node = b.node(b.span(e))
    b.in_loop(node)
    one, two = (_side(b, one, value) for one, value in ((body, chosen), (orelse, other)))
    _left_out(b, test, e, (one, two), first)
    choose(b, Asked(test, b.span(e), asked is not None and asks_no_more(asked)), one, two, node)
    return b.use(e, node)


def _branch(b: Builder, test: Node, e: ast.expr, first: int, middle: int) -> None:
    last = len(b.result.products)
    if last > first and test:
        b.result.branches.append(Branch(test, b.span(e), tuple(range(first, middle)), tuple(range(middle, last))))


def _left_out(b: Builder, test: Node, e: ast.expr, sides: tuple[Side, Side], first: int) -> None:
    """`future = gamma * v`, then `where(done, 0, future)`: the choice cuts a value that was discounted before."""
    one, two = sides
    body, orelse = (
        _made_before(b, mine.node, first) if other.constant == "zero" else ()
        for mine, other in ((one, two), (two, one))
    )
    if test and (body or orelse) and not b.here.shown:
        b.result.branches.append(Branch(test, b.span(e), body, orelse))


def _made_before(b: Builder, node: Node, first: int) -> tuple[int, ...]:
    """The product that a node is, if it discounts a value, and stands before others and outside of a recursion."""
    parts = ((index, b.result.products[index]) for index in b.trail.parts(node) if index < first)
    return tuple(index for index, one in parts if one.node == node and not one.carried)


class Side(NamedTuple):
    """One side of a choice: its value, and what that is as a constant."""

    node: Node
    constant: Constant


def _side(b: Builder, e: ast.expr, value: Node) -> Side:
    node = b.none() if is_none(e) else value
    return Side(node, constant(e) or truth(b.known.numbers.get(node)))


class Asked(NamedTuple):
    """What a choice asks: the test, the place of the choice, and whether each part of the test makes it true."""

    test: Node
    at: Span
    no_more: bool


def choose(b: Builder, asked: Asked, body: Side, orelse: Side, node: Node) -> None:
    """`node` is a choice between two values."""
    test, at, no_more = asked
    if "zero" in (body.constant, orelse.constant):
        body, orelse = (side._replace(constant=side.constant or _discounting(b, side.node)) for side in (body, orelse))
    absent = body.node in b.known.nones
    if test and absent != (orelse.node in b.known.nones):
        b.wait(test, ops.NoneWhere(test, node, absent, at))
    words = [side for side in (body, orelse) if type(b.known.numbers.get(side.node)) is bool]
    operation = ops.Choice(test, *body, *orelse, node, at, no_more and len(words) == 1)
    b.result.choices.append(operation)
    b.combine((test, body.node, orelse.node), operation)
    b.trail.derive(node, body.node, orelse.node)
    one, other = b.trail.parts(body.node), b.trail.parts(orelse.node)
    branches = b.result.branches
    constant = body.constant or orelse.constant
    if test and bool(one) != bool(other) and not (constant or b.here.shown or (branches and branches[-1].span == at)):
        # `y = r + gamma * v`, then `if done: y = r`: a branch around the target, which was made before
        branches.append(Branch(test, at, one, other))


def _discounting(b: Builder, node: Node) -> Constant:
    """`discount` if the value is one."""
    known = discounts(b.known.numbers.get(node)) or naming_conventions.discount(b.result.names.get(node, ""))
    return "discount" if known else ""


# --- in the form of calls -------------------------------------------------------------------------


def operator_call(b: Builder, e: ast.Call, name: str) -> Node | None:
    """`np.logical_or(a, b)`, `torch.where(...)`, `x.mul_(mask)`: operators in the form of calls."""
    method = isinstance(e.func, ast.Attribute) and not is_module(b, e.func.value)
    operands = [*([e.func.value] if method and isinstance(e.func, ast.Attribute) else []), *e.args]
    if any(isinstance(a, ast.Starred) for a in operands):
        return None
    if name in _UNIONS and len(operands) == 2 and (name != "max" or not method):
        return _join(b, ops.Or, e, operands)
    if name in _INTERSECTIONS and len(operands) == 2 and (name != "min" or not method):
        return _join(b, ops.And, e, operands)
    if name in _NEGATIONS and len(operands) == 1:
        return _negation(b, e, b.expr(operands[0]))
    if name in _DIFFERENCES and len(operands) == 2 and constant(operands[0]) == "one":
        return _negation(b, e, b.expr(operands[1]))
    if name in _EXTREMES and len(e.args) == 1 and isinstance(e.args[0], (ast.List, ast.Tuple)):
        return _join(b, ops.Or if name in ("any", "max") else ops.And, e, e.args[0].elts)
    if name in _FILLS and len(operands) == 3 and constant(operands[2]) == "zero":
        return b.use(e, _in_place(b, operands[0], _filled(b, e, operands), name))
    if name in _PRODUCTS and len(operands) == 2 and name != "prod":
        return _in_place(b, operands[0], _product(b, e, [f for x in operands for f in _factors(b, x)]), name)
    if name in _CHOICES and len(e.args) == 3 and not method:
        return _choice(b, e, b.expr(e.args[0]), e.args[1], e.args[2])
    return None


def _filled(b: Builder, e: ast.Call, operands: list[ast.expr]) -> Node:
    """`x.masked_fill(done, 0)`."""
    node = b.node(b.span(e))
    base = b.expr(operands[0])
    b.op(ops.Masked(base, b.expr(operands[1]), node, b.span(e)))
    b.trail.derive(node, base)
    return node


def _in_place(b: Builder, changed: ast.expr, node: Node, method: str) -> Node:
    """`x.mul_(y)`, as PyTorch spells it, gives x the result too."""
    if method.endswith("_") and isinstance(changed, ast.Name):
        bind(b, changed.id, node)
    return node


def _is_discounted(factors: list[Factor]) -> bool:
    """`gamma * v` is a value that was discounted; `gamma * lam * z`, whatever the λ is called, a trace that decays."""
    roles = {factor.role for factor in factors}
    values = [factor for factor in factors if not factor.role]
    weighted = len(values) > 1 and any(value.steady for value in values)
    return "discount" in roles and "trace" not in roles and bool(values) and not weighted


def _multiplies(e: ast.expr) -> bool:
    return isinstance(e, ast.BinOp) and isinstance(e.op, ast.Mult)


def _add_up(one: ast.expr, other: ast.expr) -> bool:
    """`0.9` and `0.1`, `a` and `1 - a`: two weights whose sum is one."""
    if isinstance(one, ast.Constant) and isinstance(other, ast.Constant):
        return isinstance(one.value, float) and isinstance(other.value, float) and isclose(one.value + other.value, 1)
    for weight, rest in ((one, other), (other, one)):
        if isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Sub) and constant(rest.left) == "one":
            return unparsed(rest.right) == unparsed(weight)
    return False
