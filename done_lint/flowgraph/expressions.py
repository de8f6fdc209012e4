"""Expressions of one file as nodes and operations."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from done_lint.flowgraph import external_names
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name, subscripts, unparsed
from done_lint.flowgraph.comprehension_columns import columns_of
from done_lint.flowgraph.definitions import Definitions
from done_lint.flowgraph.operations import Node, Placed
from done_lint.flowgraph.operators import OPERATORS
from done_lint.flowgraph.scopes import Scope
from done_lint.knowledge import array_functions, naming_conventions

#: No id, key or name of an attribute is longer.
LONGEST_TEXT = 80
_MANY = {"any", "all"}
_APPENDING = {"append", "insert", "appendleft"}


def passed(value: ast.expr) -> Iterator[ast.expr]:
    """What a value is once more before its conversions: of `torch.tensor(x).to(device)` also `torch.tensor(x)`, `x`."""
    yield value
    if isinstance(value, ast.Call):
        func = value.func
        if isinstance(func, ast.Attribute) and func.attr in array_functions.PASSING_METHODS:
            yield from passed(func.value)
        if value.args and last_name(func) in array_functions.PASSING:
            yield from passed(value.args[0])


def _passes(element: ast.expr, name: str) -> bool:
    """`x`, `torch.tensor(x)`, `x.to(device)`: a flag passes through unchanged."""
    return any(isinstance(one, ast.Name) and one.id == name for one in passed(element))


class Expressions(Definitions):
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
        return Placed(_VISITS[type(e)](self, e), self.span(e))

    def e_Constant(self, e: ast.Constant) -> Node:
        if isinstance(e.value, str):
            node = self.node(self.span(e) if "-v" in e.value and naming_conventions.environment_id(e.value) else None)
            if len(e.value) < LONGEST_TEXT:
                self.op(ops.Text(node, e.value))
            return node
        if isinstance(e.value, (bool, int, float)):
            node = self.node()
            self.constants[node] = e.value
            if e.value is True and self.branch[0]:
                self.op(ops.Decides(self.branch[0], node, self.branch[1]))
            return node
        return self.nothing

    def e_Name(self, e: ast.Name) -> Node:
        value = self.scope.versions.get(e.id)
        return self.use(e, self.lookup(e.id) if value is None else value)

    def e_Attribute(self, e: ast.Attribute) -> Node:
        if dotted := self.from_outside(e):
            return self.external(dotted)
        return self._attribute(e, self.expr(e.value))

    def _attribute(self, e: ast.Attribute, base: Node) -> Node:
        at, name = self.span(e), e.attr
        node = self.node(at, name)
        operation = ops.Attribute(base, name, node)
        self.ask(base, operation)
        if external_names.is_telling(name):
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
        self.elements[node] = e
        if self.written and (bases := self.written.get(unparsed(keys[0]))):
            # what this iteration put there comes back: `adv[i] = ...; previous = adv[i]`
            self.derive(node, bases.get(unparsed(e.value), 0))
        self.at_home(node)
        self.wait(base, ops.Item(base, tuple([self.key(k) for k in keys]), node))
        return self.use(e, node)

    def key(self, e: ast.expr) -> int | str | None:
        """A constant key, `":"` for a slice (`":2"` from the third on), None where the key is not known."""
        if isinstance(e, ast.Constant) and isinstance(e.value, (int, str)):
            return e.value if not isinstance(e.value, str) else "'" + e.value
        if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub) and isinstance(e.operand, ast.Constant):
            return -e.operand.value if isinstance(e.operand.value, int) else None
        if isinstance(e, ast.Slice):
            start = None if e.lower is None else self.key(e.lower)
            for part in (e.upper, e.step):
                self.expr(part)
            return f":{start}" if start and isinstance(start, int) and e.step is None else ":"
        self.expr(e)
        return None

    def _alloc(self, e: ast.expr, kind: str, elements: list[ast.expr], keys: tuple[int | str | None, ...] = ()) -> Node:
        # numbers are no flags, and no one asks where they stand
        numbers = [isinstance(x, ast.Constant) and type(x.value) in (int, float) for x in elements]
        placed = tuple([Placed(0, self.span(x)) if number else self.placed(x) for x, number in zip(elements, numbers)])
        stars = tuple([i for i, x in enumerate(elements) if isinstance(x, ast.Starred)])
        node = self.node(self.span(e))
        self.op(ops.Allocate(node, kind, placed, keys, () if keys else stars))
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

    # --- calls -------------------------------------------------------------------------------------

    def e_Call(self, e: ast.Call) -> Node:
        func = e.func
        method = isinstance(func, ast.Attribute)
        name = last_name(func)
        if name in OPERATORS and (special := self.operator_call(e, name)):
            return special
        if name == "super" and not method and "super" not in self.scope.versions:
            return self._super(e)
        dotted, base = self.from_outside(func), self.nothing
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
        keywords = tuple([ops.Keyword(k.arg, *self.placed(k.value)) for k in e.keywords]) if e.keywords else ()
        node = self.node(at)
        if dotted:
            self._operations.append(ops.LibraryCall(called, args, stars, keywords, node, at))
        else:
            self.wait(called, ops.Call(called, args, stars, keywords, node, at))
            if base and name in _MANY:
                self.op(ops.Elements(base, node))
            elif base and name in array_functions.PASSING_METHODS:
                self.op(ops.Values(base, node))
                if base in self.discounted:
                    self.discounted[node] = self.discounted[base]
        self.at_home(node)
        if isinstance(func, ast.Attribute):
            if args and name in _APPENDING:
                self.appended(unparsed(func.value), args[-1].node)
            # a cast or a method of the value: what a loop carries is still carried
            receiver = base if isinstance(func.value, ast.Name) else self.nothing
            self.flow[node] = [one for one in (args[0].node if args else self.nothing, receiver) if one]
        elif len(args) == 1:
            self.derive(node, args[0].node)
        return self.used(at, node)

    def appended(self, base: str, value: Node) -> None:
        """A list grew by `value` (the statements' part remembers it for recursions)."""

    # --- comprehensions ----------------------------------------------------------------------------

    def _comprehension(self, e: ast.expr, generators: list[ast.comprehension], element: ast.expr) -> Node:
        first = generators[0]
        if len(generators) == 1 and isinstance(first.target, ast.Name) and _passes(element, first.target.id):
            # `[x.to(device) for x in (a, b)]`: each element stays at its place
            node = self.node(self.span(e))
            self.op(ops.Remap(self.expr(first.iter), node, "list"))
            return node
        self.scope = Scope("comprehension", self.scope, function=self.scope.function, owner=self.scope.owner)
        for generator in generators:
            item = self.node()
            iterated = self.expr(generator.iter)
            self.wait(iterated, ops.Iterate(iterated, item))
            self.assign(generator.target, item)
            for condition in generator.ifs:
                self.expr(condition)
        placed = self.placed(element)
        assert self.scope.parent is not None
        self.scope = self.scope.parent
        node = self.node(self.span(e))
        self.op(ops.Allocate(node, "many", (placed,)))
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
            self.op(ops.Remap(self.expr(first.iter.func.value), node, "dict"))
            return node
        return self._comprehension(e, e.generators, e.value)

    def e_Yield(self, e: ast.Yield) -> Node:
        if e.value is not None:
            placed = self.placed(e.value)
            node = self.node(self.span(e))
            self.op(ops.Allocate(node, "many", (placed,)))
            index = self.function_scope().function
            if index >= 0:
                self.copy(node, self.function_at(index).result)
        return self.nothing


#: How expressions are read, by type.
_VISITS: dict[type, Callable[..., Node]] = {
    kind: getattr(Expressions, "e_" + kind.__name__, Expressions.other) for kind in ast.expr.__subclasses__()
}
_VISITS[type(None)] = Expressions.other
