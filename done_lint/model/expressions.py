"""Expressions of one file as nodes and operations."""

from __future__ import annotations

import ast
from collections.abc import Callable

from done_lint.findings import Span
from done_lint.model import libraries, names, outside
from done_lint.model.columns import columns_of
from done_lint.model.comparisons import Comparisons, constant
from done_lint.model.scopes import Scope, last_name
from done_lint.model.survey import Branch, Factor, Function, Node, Placed, Product

#: No id, key or name of an attribute is longer.
LONGEST_TEXT = 80
_UNIONS = {"logical_or", "maximum", "bitwise_or", "max"}
_INTERSECTIONS = {"logical_and", "bitwise_and", "minimum", "min"}
_NEGATIONS = {"logical_not", "invert", "bitwise_not"}
_SEQUENCES = {"List", "list", "Sequence", "Iterable"}
_PRODUCTS = {"mul", "multiply", "mul_", "prod"}
_DIFFERENCES = {"subtract", "sub", "rsub"}
_EXTREMES = {"any", "max", "all", "min"}
_FILLS = {"masked_fill", "masked_fill_"}
_CHOICES = {"where", "select", "cond"}
_MANY = {"any", "all"}
_APPENDING = {"append", "insert", "appendleft"}
#: Operators in the form of calls.
_OPERATORS = frozenset().union(
    _UNIONS, _INTERSECTIONS, _NEGATIONS, _PRODUCTS, _DIFFERENCES, _EXTREMES, _FILLS, _CHOICES
)


def subscripts(key: ast.expr) -> list[ast.expr]:
    """`i, j` of `x[i, j]`; never empty."""
    return list(key.elts) if isinstance(key, ast.Tuple) and key.elts else [key]


def unparsed(e: ast.expr) -> str:
    """`ast.unparse`, which is dear, with a short way for names, their attributes and plain numbers."""
    if isinstance(e, ast.Name):
        return e.id
    if isinstance(e, ast.Constant) and type(e.value) is int:
        return str(e.value)
    if isinstance(e, ast.Attribute) and isinstance(e.value, (ast.Name, ast.Attribute)):
        return f"{unparsed(e.value)}.{e.attr}"
    return ast.unparse(e)


def _passes(element: ast.expr, name: str) -> bool:
    """`x`, `torch.tensor(x)`, `x.to(device)`: a flag passes through unchanged."""
    if isinstance(element, ast.Call):
        func = element.func
        if isinstance(func, ast.Attribute) and func.attr in libraries.PASSING_METHODS and _passes(func.value, name):
            return True
        return last_name(func) in libraries.PASSING and bool(element.args) and _passes(element.args[0], name)
    return isinstance(element, ast.Name) and element.id == name


class Expressions(Comparisons):
    """Turns expressions into nodes."""

    def expr(self, e: ast.expr | None) -> Node:
        """The node that holds the expression's value."""
        return _VISITS[type(e)](self, e)

    def other(self, e: ast.AST | None) -> Node:
        """What has no value that a rule could care about, or is not there at all."""
        for child in ast.iter_child_nodes(e) if e is not None else ():
            if isinstance(child, ast.expr):
                self.expr(child)
        return self.nothing

    def placed(self, e: ast.expr) -> Placed:
        """The expression's node together with its place."""
        return _VISITS[type(e)](self, e), self.span(e)

    def e_Constant(self, e: ast.Constant) -> Node:
        if isinstance(e.value, str):
            node = self.node(self.span(e) if "-v" in e.value and names.environment_id(e.value) else None)
            if len(e.value) < LONGEST_TEXT:
                self.op("text", node, e.value)
            return node
        if isinstance(e.value, (bool, int, float)):
            node = self.node()
            self.constants[node] = e.value
            if e.value is True and self.branch[0]:
                self.op("decides", self.branch[0], node, self.branch[1])
            return node
        return self.nothing

    def e_Name(self, e: ast.Name) -> Node:
        value = self.scope.versions.get(e.id)
        return self.use(e, self.lookup(e.id) if value is None else value)

    def e_Attribute(self, e: ast.Attribute) -> Node:
        if dotted := self.outside(e):
            return self.external(dotted)
        return self._attribute(e, self.expr(e.value))

    def _attribute(self, e: ast.Attribute, base: Node) -> Node:
        at, name = self.span(e), e.attr
        node = self.node(at, name)
        operation = ("attr", base, name, node)
        self.ask(base, operation)
        if outside.is_telling(name):
            self.result.telling.append(operation)
        return self.used(at, node)

    def e_NamedExpr(self, e: ast.NamedExpr) -> Node:
        value = self.expr(e.value)
        self.bind(e.target.id, value)
        return self.use(e, value)

    def e_Await(self, e: ast.Await) -> Node:
        return self.expr(e.value)

    def e_Starred(self, e: ast.Starred) -> Node:
        return self.expr(e.value)

    def e_Subscript(self, e: ast.Subscript) -> Node:
        base = self.expr(e.value)
        node = self.node(self.span(e), last_name(e))
        keys = subscripts(e.slice)
        base_text, index = unparsed(e.value), unparsed(keys[0])
        self.elements[node] = (base_text, index)
        # what this iteration put there comes back: `adv[i] = ...; previous = adv[i]`
        self.derive(node, self.written.get((base_text, index), 0))
        self.at_home(node)
        self.wait(base, ("item", base, tuple([self.key(k) for k in keys]), node))
        return self.use(e, node)

    def key(self, e: ast.expr) -> int | str | None:
        """A constant key, `":"` for a slice, None where the key is not known."""
        if isinstance(e, ast.Constant) and isinstance(e.value, (int, str)):
            return e.value if not isinstance(e.value, str) else "'" + e.value
        if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub) and isinstance(e.operand, ast.Constant):
            return -e.operand.value if isinstance(e.operand.value, int) else None
        if isinstance(e, ast.Slice):
            for part in (e.lower, e.upper, e.step):
                self.expr(part)
            return ":"
        self.expr(e)
        return None

    def _alloc(self, e: ast.expr, kind: str, elements: list[ast.expr], keys: tuple[object, ...] = ()) -> Node:
        # numbers are no flags, and no one asks where they stand
        numbers = [isinstance(x, ast.Constant) and type(x.value) in (int, float) for x in elements]
        placed = tuple([(0, self.span(x)) if number else self.placed(x) for x, number in zip(elements, numbers)])
        stars = tuple([i for i, x in enumerate(elements) if isinstance(x, ast.Starred)])
        node = self.node(self.span(e))
        self.op("alloc", node, kind, placed, keys or stars)
        return node

    def e_Tuple(self, e: ast.Tuple) -> Node:
        node = self._alloc(e, "tuple", e.elts)
        if len(e.elts) == 4 and not any(isinstance(x, ast.Starred) for x in e.elts):
            first: ast.expr = e.elts[0]
            while isinstance(first, ast.Tuple) and first.elts:
                first = first.elts[0]
            self.result.fours[node] = self.span(first)
            self.at_home(node)
        return node

    def e_List(self, e: ast.List) -> Node:
        return self._alloc(e, "list", e.elts)

    def e_Set(self, e: ast.Set) -> Node:
        return self._alloc(e, "list", e.elts)

    def e_Dict(self, e: ast.Dict) -> Node:
        keys = tuple(self.key(k) if k is not None else "**" for k in e.keys)
        return self._alloc(e, "dict", e.values, keys)

    def e_JoinedStr(self, e: ast.JoinedStr) -> Node:
        for value in e.values:
            if isinstance(value, ast.FormattedValue):
                self.expr(value.value)
        return self.nothing

    # --- operators ---------------------------------------------------------------------------------

    def _join(self, kind: str, e: ast.expr, operands: list[ast.expr]) -> Node:
        return self._joint(kind, e, tuple([self.expr(x) for x in operands]))

    def _joint(self, kind: str, e: ast.expr, inputs: tuple[Node, ...]) -> Node:
        node = self.node(self.span(e))
        self.combine(inputs, (kind, inputs, node, self.span(e)))
        self.derive(node, *inputs)
        return self.use(e, node)

    def e_BoolOp(self, e: ast.BoolOp) -> Node:
        self.is_guard(e)
        inputs = tuple([self.expr(x) for x in e.values])
        node = self._joint("or" if isinstance(e.op, ast.Or) else "and", e, inputs)
        if isinstance(e.op, ast.And):
            self._held_back(e, inputs, node)
        return node

    def _held_back(self, e: ast.BoolOp, inputs: tuple[Node, ...], node: Node) -> None:
        """`n >= limit and not done` is decided by the count."""
        deciding = [x for x in e.values if not (isinstance(x, ast.UnaryOp) and isinstance(x.op, ast.Not))]
        if len(deciding) == 1:
            self.op("decides", inputs[e.values.index(deciding[0])], node, True)

    def e_UnaryOp(self, e: ast.UnaryOp) -> Node:
        operand = self.expr(e.operand)
        if isinstance(e.op, (ast.Not, ast.Invert)):
            return self._negation(e, operand)
        if isinstance(e.op, ast.USub):
            return self.nothing if operand in self.constants else self._sum(e, [operand])
        return operand

    def _negation(self, e: ast.expr, operand: Node) -> Node:
        node = self.node(self.span(e))
        self.combine((operand,), ("not", operand, node, self.span(e)))
        self.derive(node, operand)
        return self.use(e, node)

    def _sum(self, e: ast.expr, inputs: list[Node]) -> Node:
        node = self.node(self.span(e))
        self.combine(inputs, ("sum", tuple(inputs), node))
        self.derive(node, *inputs)
        return self.use(e, node)

    def e_BinOp(self, e: ast.BinOp) -> Node:
        if isinstance(e.op, ast.Mult):
            return self._product(e, self._factors(e))
        if isinstance(e.op, ast.Sub) and constant(e.left) == "one":
            return self._negation(e, self.expr(e.right))
        if isinstance(e.op, ast.BitOr):
            return self._join("or", e, [e.left, e.right])
        if isinstance(e.op, ast.BitAnd):
            return self._join("and", e, [e.left, e.right])
        if isinstance(e.op, (ast.Add, ast.Sub)):
            return self._sum(e, [self.operand(e.left), self.operand(e.right)])
        left, right = self.operand(e.left), self.operand(e.right)
        if isinstance(e.op, (ast.Div, ast.Pow)):
            return self._sum(e, [left]) if left else right and self.nothing
        return self.nothing

    def _factors(self, e: ast.expr) -> list[ast.expr]:
        if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Mult):
            return self._factors(e.left) + self._factors(e.right)
        return [e]

    def _product(self, e: ast.expr, factors: list[ast.expr]) -> Node:
        made = [Factor(self.expr(f), self.span(f), "") for f in factors]
        for factor, syntax in zip(made, factors):
            factor.role = self.role(syntax, factor.node)
        node = self.node(self.span(e))
        loop = self.loops[-1].index if self.loops else -1
        self.result.products.append(Product(made, self.span(e), node, loop, self.function_scope().function))
        nodes = [f.node for f in made]
        self.combine(nodes, ("product", len(self.result.products) - 1, node))
        self.derive(node, *nodes)
        return self.use(e, node)

    def role(self, e: ast.expr, node: Node) -> str:
        """What a factor is by its own text: a discount, a λ, a plain number."""
        if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Pow):
            return self.role(e.left, node)
        if isinstance(e, ast.Call) and len(e.args) >= 1 and last_name(e.func) in ("pow", "power", "tensor", "float"):
            return self.role(e.args[0], node)
        value = e.value if isinstance(e, ast.Constant) else self.constants.get(node)
        if isinstance(value, float) and 0.8 <= value < 1:
            return "discount"
        key = e.slice.value if isinstance(e, ast.Subscript) and isinstance(e.slice, ast.Constant) else None
        name = key if isinstance(key, str) else last_name(e)
        if names.trace(name):
            return "trace"
        if names.discount(name):
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
        self.choose(test, a, self.kind(body, a), b, self.kind(orelse, b), node, self.span(e))
        return self.use(e, node)

    def choose(self, test: Node, a: Node, ca: str, b: Node, cb: str, node: Node, at: Span) -> None:
        """`node` is a choice between `a` and `b`."""
        operation = ("cond", test, a, ca, b, cb, node, at)
        self.result.choices.append(operation)
        self.combine((test, a, b), operation)
        self.derive(node, a, b)

    def kind(self, e: ast.expr, node: Node) -> str:
        """`zero`, `one` or empty, by text or by the constant a variable holds."""
        if found := constant(e):
            return found
        value = self.constants.get(node)
        if isinstance(value, (bool, int, float)) and value in (0, 1):
            return "one" if value else "zero"
        return ""

    # --- calls -------------------------------------------------------------------------------------

    def e_Call(self, e: ast.Call) -> Node:
        func = e.func
        method = isinstance(func, ast.Attribute)
        name = last_name(func)
        if name in _OPERATORS and (special := self._operator_call(e, name)):
            return special
        if name == "super" and not method and "super" not in self.scope.versions:
            return self._super(e)
        dotted, base = self.outside(func), self.nothing
        if dotted:
            called = self.external(dotted)
        elif isinstance(func, ast.Attribute):
            base = self.expr(func.value)
            called = self._attribute(func, base)
        else:
            called = self.expr(func)
        at = self.span(e)
        args = tuple([self.placed(a) for a in e.args])
        stars = tuple([i for i, a in enumerate(e.args) if type(a) is ast.Starred]) if args else ()
        keywords = tuple([(k.arg, *self.placed(k.value)) for k in e.keywords]) if e.keywords else ()
        node = self.node(at)
        if dotted:
            self._operations.append(("library", called, args, stars, keywords, node, at))
        else:
            self.wait(called, ("call", called, args, stars, keywords, node, at))
            if base and name in _MANY:
                self.op("elements", base, node)
            elif base and name in libraries.PASSING_METHODS:
                self.op("values", base, node)
        self.at_home(node)
        if isinstance(func, ast.Attribute):
            if args and name in _APPENDING:
                self.appended(unparsed(func.value), args[-1][0])
            # a cast or a method of the value: what a loop carries is still carried
            receiver = base if isinstance(func.value, ast.Name) else self.nothing
            self.flow[node] = [one for one in (args[0][0] if args else self.nothing, receiver) if one]
        elif len(args) == 1:
            self.derive(node, args[0][0])
        return self.used(at, node)

    def appended(self, base: str, value: Node) -> None:
        """A list grew by `value` (the statements' part remembers it for recursions)."""

    def _operator_call(self, e: ast.Call, name: str) -> Node | None:
        """`np.logical_or(a, b)`, `torch.where(...)`, `x.mul_(mask)`: operators in the form of calls."""
        method = isinstance(e.func, ast.Attribute) and not self._is_module(e.func.value)
        operands = [*([e.func.value] if method and isinstance(e.func, ast.Attribute) else []), *e.args]
        if any(isinstance(a, ast.Starred) for a in operands):
            return None
        if name in _UNIONS and len(operands) == 2 and (name != "max" or not method):
            return self._join("or", e, operands)
        if name in _INTERSECTIONS and len(operands) == 2 and (name != "min" or not method):
            return self._join("and", e, operands)
        if name in _NEGATIONS and len(operands) == 1:
            return self._negation(e, self.expr(operands[0]))
        if name in _DIFFERENCES and len(operands) == 2 and constant(operands[0]) == "one":
            return self._negation(e, self.expr(operands[1]))
        if name in _EXTREMES and len(e.args) == 1 and isinstance(e.args[0], (ast.List, ast.Tuple)):
            return self._join("or" if name in ("any", "max") else "and", e, e.args[0].elts)
        if name in _FILLS and len(operands) == 3 and constant(operands[2]) == "zero":
            node = self.node(self.span(e))
            base = self.expr(operands[0])
            self.op("masked", base, self.expr(operands[1]), node, self.span(e))
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

    #: Names bound by imports anywhere in the file.
    imported: frozenset[str] = frozenset()

    def _super(self, e: ast.Call) -> Node:
        scope: Scope | None = self.function_scope()
        node = self.node(self.span(e))
        while scope is not None and scope.owner < 0:
            scope = scope.parent
        if scope is not None and scope.function >= 0:
            params = self.function_at(scope.function).params
            self.op("super", node, scope.owner, params[0][1] if params else self.nothing)
        return self.use(e, node)

    def e_Lambda(self, e: ast.Lambda) -> Node:
        index = self.begin_function("<lambda>", e.args, frozenset(), -1)
        result = self.expr(e.body)
        self.copy(result, self.function_at(index).result)
        if isinstance(e.body, ast.Call):
            self.result.returned.add(self.span(e.body))
        self.end_function()
        node = self.node(self.span(e))
        self.op("function", node, index)
        return node

    def begin_function(self, name: str, args: ast.arguments, assigned: frozenset[str], owner: int) -> int:
        """Open a function's scope; its parameters are nodes of their own."""
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        defaults = [None] * (len(args.posonlyargs) + len(args.args) - len(args.defaults)) + [*args.defaults]
        values = [self.expr(d) if d is not None else self.nothing for d in [*defaults, *args.kw_defaults]]
        function = Function(name, [], self.node(), owner=owner)
        index = len(self.result.functions)
        self.result.functions.append(function)
        extra = [a for a in (args.vararg, args.kwarg) if a is not None]
        bound = frozenset(a.arg for a in [*every, *extra])
        self.scope = Scope("function", self.scope, assigned | bound, function=index, owner=owner)
        self.open_body()
        for argument, value in zip(every, values):
            node = self.node(self.span(argument), argument.arg)
            self.result.parameters.add(node)
            function.params.append((argument.arg, node))
            self.copy(value, node)
            self.scope.versions[argument.arg] = node
            self.annotate(argument.annotation, node)
        if args.vararg is not None:
            function.vararg = self.node(self.span(args.vararg), args.vararg.arg)
            self.scope.versions[args.vararg.arg] = function.vararg
        if args.kwarg is not None:
            function.kwarg = self.node(self.span(args.kwarg), args.kwarg.arg)
            self.scope.versions[args.kwarg.arg] = function.kwarg
        return index

    _stack: list[tuple[list, int, dict[str, Node], bool, tuple[Node, bool]]]  # type: ignore[type-arg]

    def open_body(self) -> None:
        """Put aside what holds of the statements around a function or class."""
        self._stack.append((self.loops, self.guard, self.slots, self.stepping, self.branch))
        self.loops, self.guard, self.slots, self.stepping, self.branch = [], 0, {}, False, (0, True)

    def end_function(self) -> None:
        """Close the scope that `begin_function` opened."""
        assert self.scope.parent is not None
        self.scope = self.scope.parent
        self.loops, self.guard, self.slots, self.stepping, self.branch = self._stack.pop()

    def annotate(self, annotation: ast.expr | None, node: Node) -> None:
        """An annotation is evidence: the value is an instance of what it names."""
        if annotation is None:
            return
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            try:
                annotation = ast.parse(annotation.value, mode="eval").body
            except SyntaxError:
                return
        if isinstance(annotation, ast.BinOp):
            annotation = annotation.left
        if isinstance(annotation, (ast.Name, ast.Attribute)):
            kind = self.expr(annotation)
            self.ask(kind, ("annotated", kind, node))
        elif isinstance(annotation, ast.Subscript):
            self._annotate_generic(last_name(annotation.value), annotation.slice, node)

    def _annotate_generic(self, name: str, inner: ast.expr, node: Node) -> None:
        """`Optional[X]`; `Callable[..., X]` gives an X when it is called, and so do the elements of a list of them."""
        if name == "Optional":
            self.annotate(inner, node)
        elif name == "Callable" and isinstance(inner, ast.Tuple) and len(inner.elts) == 2:
            made = self.node()
            self.annotate(inner.elts[1], made)
            self.result.functions.append(Function("", [], made))
            self.op("function", node, len(self.result.functions) - 1)
        elif name in _SEQUENCES and isinstance(inner, ast.Subscript) and last_name(inner.value) == "Callable":
            element = self.node()
            self.annotate(inner, element)
            self.op("alloc", node, "many", ((element, None),), ())

    # --- comprehensions ----------------------------------------------------------------------------

    def _comprehension(self, e: ast.expr, generators: list[ast.comprehension], element: ast.expr) -> Node:
        first = generators[0]
        if len(generators) == 1 and isinstance(first.target, ast.Name) and _passes(element, first.target.id):
            # `[x.to(device) for x in (a, b)]`: each element stays at its place
            node = self.node(self.span(e))
            self.op("remap", self.expr(first.iter), node, "list")
            return node
        self.scope = Scope("comprehension", self.scope, function=self.scope.function, owner=self.scope.owner)
        for generator in generators:
            item = self.node()
            iterated = self.expr(generator.iter)
            self.wait(iterated, ("iterate", iterated, item))
            self.assign(generator.target, item)
            for condition in generator.ifs:
                self.expr(condition)
        placed = self.placed(element)
        assert self.scope.parent is not None
        self.scope = self.scope.parent
        node = self.node(self.span(e))
        self.op("alloc", node, "many", (placed,), ())
        return node

    def assign(self, target: ast.expr, value: Node) -> None:
        """Bind a target (the statements' part)."""
        raise NotImplementedError

    def e_ListComp(self, e: ast.ListComp) -> Node:
        if (elements := columns_of(e)) is not None:
            return self.expr(ast.copy_location(ast.List(elements, ast.Load()), e))
        return self._comprehension(e, e.generators, e.elt)

    def e_SetComp(self, e: ast.SetComp) -> Node:
        return self._comprehension(e, e.generators, e.elt)

    def e_GeneratorExp(self, e: ast.GeneratorExp) -> Node:
        return self._comprehension(e, e.generators, e.elt)

    def e_DictComp(self, e: ast.DictComp) -> Node:
        first = e.generators[0]
        if (
            len(e.generators) == 1
            and isinstance(first.target, ast.Tuple)
            and isinstance(first.iter, ast.Call)
            and isinstance(first.iter.func, ast.Attribute)
            and first.iter.func.attr == "items"
            and isinstance(e.key, ast.Name)
            and ast.unparse(first.target.elts[0]) == e.key.id
        ):
            node = self.node(self.span(e))
            self.op("remap", self.expr(first.iter.func.value), node, "dict")
            return node
        return self._comprehension(e, e.generators, e.value)

    def e_Yield(self, e: ast.Yield) -> Node:
        if e.value is not None:
            placed = self.placed(e.value)
            node = self.node(self.span(e))
            self.op("alloc", node, "many", (placed,), ())
            index = self.function_scope().function
            if index >= 0:
                self.copy(node, self.function_at(index).result)
        return self.nothing


#: How expressions are read, by type.
_VISITS: dict[type, Callable[..., Node]] = {
    kind: getattr(Expressions, "e_" + kind.__name__, Expressions.other) for kind in ast.expr.__subclasses__()
}
_VISITS[type(None)] = Expressions.other
