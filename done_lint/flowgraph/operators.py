"""Operators of one file as nodes: unions, intersections, negations, products, choices, and calls that are the same."""

from __future__ import annotations

import ast
from math import isclose

from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name, unparsed
from done_lint.flowgraph.comparisons import Comparisons, constant, is_none, truth
from done_lint.flowgraph.operations import Constant, Node
from done_lint.flowgraph.schema import Branch, Factor, Product
from done_lint.flowgraph.scopes import Scope
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


class Operators(Comparisons):
    """Turns operators into nodes."""

    #: Names bound by imports anywhere in the file.
    imported: frozenset[str] = frozenset()

    def _join(self, kind: type[ops.Or | ops.And], e: ast.expr, operands: list[ast.expr]) -> Node:
        return self._joint(kind, e, tuple([self.expr(x) for x in operands]))

    def _joint(self, kind: type[ops.Or | ops.And], e: ast.expr, inputs: tuple[Node, ...]) -> Node:
        node = self.node(self.span(e))
        self.combine(inputs, kind(inputs, node, self.span(e)))
        self.derive(node, *inputs)
        return self.use(e, node)

    def e_BoolOp(self, e: ast.BoolOp) -> Node:
        self.is_guard(e)
        inputs = tuple([self.expr(x) for x in e.values])
        node = self._joint(ops.Or if isinstance(e.op, ast.Or) else ops.And, e, inputs)
        if isinstance(e.op, ast.And):
            self._held_back(e, inputs, node)
        return node

    def _held_back(self, e: ast.BoolOp, inputs: tuple[Node, ...], node: Node) -> None:
        """`n >= limit and not done` is decided by the count."""
        deciding = [x for x in e.values if not (isinstance(x, ast.UnaryOp) and isinstance(x.op, ast.Not))]
        if len(deciding) == 1:
            self.op(ops.Decides(inputs[e.values.index(deciding[0])], node, True))

    def e_UnaryOp(self, e: ast.UnaryOp) -> Node:
        operand = self.expr(e.operand)
        if isinstance(e.op, (ast.Not, ast.Invert)):
            return self._negation(e, operand)
        if isinstance(e.op, ast.USub):
            return self.nothing if operand in self.constants else self._sum(e, [operand])
        return operand

    def _negation(self, e: ast.expr, operand: Node) -> Node:
        node = self.node(self.span(e))
        self.combine((operand,), ops.Not(operand, node, self.span(e)))
        self.derive(node, operand)
        return self.use(e, node)

    def _sum(self, e: ast.expr, inputs: list[Node], kind: type[ops.Sum | ops.Longer] = ops.Sum) -> Node:
        node = self.node(self.span(e))
        self.combine(inputs, kind(tuple(inputs), node))
        if len(inputs) > 1:
            self.sums.add(node)
        self.derive(node, *inputs)
        return self.use(e, node)

    def e_BinOp(self, e: ast.BinOp) -> Node:
        if isinstance(e.op, ast.Mult):
            return self._product(e, self._factors(e))
        if isinstance(e.op, ast.Sub) and constant(e.left) == "one":
            return self._negation(e, self.expr(e.right))
        if isinstance(e.op, ast.BitOr):
            return self._join(ops.Or, e, [e.left, e.right])
        if isinstance(e.op, ast.BitAnd):
            return self._join(ops.And, e, [e.left, e.right])
        if isinstance(e.op, (ast.Add, ast.Sub)):
            inputs = [self.operand(e.left), self.operand(e.right)]
            if self._averages(e):
                self._weighted(inputs)
            written_out = isinstance(e.op, ast.Add) and isinstance(e.right, (ast.List, ast.Tuple)) and all(inputs)
            node = self._sum(e, inputs, ops.Longer if written_out else ops.Sum)
            if products := (*self.parts(inputs[0]), *self.parts(inputs[1])):
                self.targets[node] = products
            return node
        left, right = self.operand(e.left), self.operand(e.right)
        if isinstance(e.op, (ast.Div, ast.Pow)):
            return self._sum(e, [left]) if left else right and self.nothing
        return self.nothing

    def parts(self, node: Node) -> tuple[int, ...]:
        """The discounted values that a sum, or one of its terms, is made of."""
        product = self.discounted.get(node)
        return self.targets.get(node, ()) if product is None else (product,)

    def _factors(self, e: ast.expr) -> list[ast.expr]:
        if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Mult):
            return self._factors(e.left) + self._factors(e.right)
        return [e]

    def _averages(self, e: ast.BinOp) -> bool:
        """`0.9 * a + 0.1 * b`: weights that add up to one."""
        if not (_multiplies(e.left) and _multiplies(e.right)):
            return False
        return any(_add_up(one, other) for one in self._factors(e.left) for other in self._factors(e.right))

    def _weighted(self, inputs: list[Node]) -> None:
        """The products are parts of an average: their weights discount nothing."""
        for product in self.result.products:
            if product.node in inputs:
                for factor in product.factors:
                    factor.role = "constant" if factor.role == "discount" else factor.role

    def _product(self, e: ast.expr, factors: list[ast.expr]) -> Node:
        made = [Factor(self.expr(f), self.span(f), "") for f in factors]
        for factor, syntax in zip(made, factors):
            factor.role = self.role(syntax, factor.node)
            factor.steady = bool(self.loops) and self._steady(syntax, self.loops[-1].first)
            factor.discounted = factor.node in self.discounted
        node = self.node(self.span(e))
        if _is_discounted(made):
            self.discounted[node] = len(self.result.products)
        loop = self.loops[-1].index if self.loops else -1
        self.result.products.append(Product(made, self.span(e), node, loop, self.function_scope().function))
        nodes = [f.node for f in made]
        self.combine(nodes, ops.Times(len(self.result.products) - 1, node))
        self.derive(node, *nodes)
        return self.use(e, node)

    def _steady(self, e: ast.expr, first: Node) -> bool:
        """Whether a name, or an attribute of one, was bound before a loop whose first node this is."""
        while isinstance(e, ast.Attribute):
            e = e.value
        if not isinstance(e, ast.Name):
            return False
        scope: Scope | None = self.scope
        while scope is not None and scope.kind == "comprehension" and e.id not in scope.versions:
            scope = scope.parent
        return scope is not None and scope.versions.get(e.id, 0) < first

    def role(self, e: ast.expr, node: Node) -> str:
        """What a factor is by its own text: a discount, a λ, a plain number."""
        if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Pow):
            return self.role(e.left, node)
        if isinstance(e, ast.Call) and len(e.args) >= 1 and last_name(e.func) in ("pow", "power", "tensor", "float"):
            return self.role(e.args[0], node)
        value = e.value if isinstance(e, ast.Constant) else self.constants.get(node)
        if _discounts(value):
            return "discount"
        key = e.slice.value if isinstance(e, ast.Subscript) and isinstance(e.slice, ast.Constant) else None
        name = key if isinstance(key, str) else last_name(e)
        if naming_conventions.trace(name):
            return "trace"
        if naming_conventions.discount(name):
            return "discount"
        return "constant" if isinstance(e, ast.Constant) else ""

    def e_IfExp(self, e: ast.IfExp) -> Node:
        test = self.expr(e.test)
        guard = self.is_guard(e.test)
        self.guard += guard
        first = len(self.result.products)
        a = self.expr(e.body)
        middle = len(self.result.products)
        b = self.expr(e.orelse)
        self.guard -= guard
        self._branch(test, e, first, middle)
        return self.conditional(e, test, e.body, a, e.orelse, b)

    def _branch(self, test: Node, e: ast.expr, first: int, middle: int) -> None:
        last = len(self.result.products)
        if last > first and test:
            self.result.branches.append(
                Branch(test, self.span(e), tuple(range(first, middle)), tuple(range(middle, last)))
            )

    def conditional(self, e: ast.expr, test: Node, body: ast.expr, a: Node, orelse: ast.expr, b: Node) -> Node:
        """`a if test else b`."""
        node = self.node(self.span(e))
        self.in_loop(node)
        a, b = (self.none() if is_none(side) else value for side, value in ((body, a), (orelse, b)))
        self.choose(test, a, self.kind(body, a), b, self.kind(orelse, b), node, self.span(e))
        return self.use(e, node)

    def choose(self, test: Node, a: Node, ca: Constant, b: Node, cb: Constant, node: Node, at: Span) -> None:
        """`node` is a choice between `a` and `b`."""
        if "zero" in (ca, cb):
            ca, cb = ca or self._discounting(a), cb or self._discounting(b)
        if test and (a in self.nones) != (b in self.nones):
            self.wait(test, ops.NoneWhere(test, node, a in self.nones, at))
        operation = ops.Choice(test, a, ca, b, cb, node, at)
        self.result.choices.append(operation)
        self.combine((test, a, b), operation)
        self.derive(node, a, b)
        one, other = self.parts(a), self.parts(b)
        branches = self.result.branches
        if test and bool(one) != bool(other) and not (ca or cb) and not (branches and branches[-1].span == at):
            # `y = r + gamma * v`, then `if done: y = r`: a branch around the target, which was made before
            branches.append(Branch(test, at, one, other))

    def _discounting(self, node: Node) -> Constant:
        """`discount` if the value is one."""
        known = _discounts(self.constants.get(node)) or naming_conventions.discount(self._names.get(node, ""))
        return "discount" if known else ""

    def kind(self, e: ast.expr, node: Node) -> Constant:
        """`zero`, `one` or empty, by text or by the constant a variable holds."""
        return constant(e) or truth(self.constants.get(node))

    # --- in the form of calls ----------------------------------------------------------------------

    def operator_call(self, e: ast.Call, name: str) -> Node | None:
        """`np.logical_or(a, b)`, `torch.where(...)`, `x.mul_(mask)`: operators in the form of calls."""
        method = isinstance(e.func, ast.Attribute) and not self._is_module(e.func.value)
        operands = [*([e.func.value] if method and isinstance(e.func, ast.Attribute) else []), *e.args]
        if any(isinstance(a, ast.Starred) for a in operands):
            return None
        if name in _UNIONS and len(operands) == 2 and (name != "max" or not method):
            return self._join(ops.Or, e, operands)
        if name in _INTERSECTIONS and len(operands) == 2 and (name != "min" or not method):
            return self._join(ops.And, e, operands)
        if name in _NEGATIONS and len(operands) == 1:
            return self._negation(e, self.expr(operands[0]))
        if name in _DIFFERENCES and len(operands) == 2 and constant(operands[0]) == "one":
            return self._negation(e, self.expr(operands[1]))
        if name in _EXTREMES and len(e.args) == 1 and isinstance(e.args[0], (ast.List, ast.Tuple)):
            return self._join(ops.Or if name in ("any", "max") else ops.And, e, e.args[0].elts)
        if name in _FILLS and len(operands) == 3 and constant(operands[2]) == "zero":
            node = self.node(self.span(e))
            base = self.expr(operands[0])
            self.op(ops.Masked(base, self.expr(operands[1]), node, self.span(e)))
            self.derive(node, base)
            if name.endswith("_") and isinstance(operands[0], ast.Name):
                self.bind(operands[0].id, node)
            return self.use(e, node)
        if name in _PRODUCTS and len(operands) == 2 and name != "prod":
            node = self._product(e, [f for x in operands for f in self._factors(x)])
            if name == "mul_" and isinstance(operands[0], ast.Name):
                self.bind(operands[0].id, node)
            return node
        if name in _CHOICES and len(e.args) == 3 and not method:
            test = self.expr(e.args[0])
            first = len(self.result.products)
            a = self.expr(e.args[1])
            middle = len(self.result.products)
            b = self.expr(e.args[2])
            self._branch(test, e, first, middle)
            return self.conditional(e, test, e.args[1], a, e.args[2], b)
        return None

    def _is_module(self, e: ast.expr) -> bool:
        """`np`, `torch`, `tf.math`: an imported name, not a value."""
        while isinstance(e, ast.Attribute):
            e = e.value
        return isinstance(e, ast.Name) and e.id in self.imported


def _discounts(value: object) -> bool:
    """Whether a number is one that futures are discounted by."""
    return isinstance(value, float) and 0.8 <= value < 1


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
