"""Functions, classes and imports of one file: what has a scope or a name of its own, and what annotations say."""

from __future__ import annotations

import ast

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.binding_scan import Outline
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.operators import Operators
from done_lint.flowgraph.schema import Class, Function
from done_lint.flowgraph.scopes import Loop, Scope
from done_lint.flowgraph.step_counters import counted, restarted

_SEQUENCES = {"List", "list", "Sequence", "Iterable"}


class Definitions(Operators):
    """Opens scopes, and binds what is defined in them."""

    outline: Outline
    #: Behind a `return`, `raise` and the like nothing runs.
    _dead = False

    def __init__(self, path: str, text: str) -> None:
        """Begin the survey of one file's decoded text."""
        super().__init__(path, text)
        #: What holds of the statements around the functions and classes at hand (see `open_body`).
        self._around: list[tuple[list[Loop], int, dict[str, Node], bool, tuple[Node, bool], bool]] = []

    def block(self, body: list[ast.stmt]) -> None:
        """Statements in order (the statements' part)."""
        raise NotImplementedError

    def _super(self, e: ast.Call) -> Node:
        scope: Scope | None = self.function_scope()
        node = self.node(self.span(e))
        while scope is not None and scope.owner < 0:
            scope = scope.parent
        if scope is not None and scope.function >= 0:
            params = self.function_at(scope.function).params
            self.op(ops.Super(node, scope.owner, params[0][1] if params else self.nothing))
        return self.use(e, node)

    def e_Lambda(self, e: ast.Lambda) -> Node:
        index = self.begin_function("<lambda>", e.args, frozenset(), -1)
        result = self.expr(e.body)
        self.copy(result, self.function_at(index).result)
        if isinstance(e.body, ast.Call):
            self.result.returned.add(self.span(e.body))
        self.end_function()
        node = self.node(self.span(e))
        self.op(ops.BindFunction(node, index))
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

    def open_body(self) -> None:
        """Put aside what holds of the statements around a function or class."""
        self._around.append((self.loops, self.guard, self.slots, self.stepping, self.branch, self._dead))
        self.loops, self.guard, self.slots, self.stepping, self.branch, self._dead = [], 0, {}, False, (0, True), False

    def end_function(self) -> None:
        """Close the scope that `begin_function` opened."""
        assert self.scope.parent is not None
        self.scope = self.scope.parent
        self.loops, self.guard, self.slots, self.stepping, self.branch, self._dead = self._around.pop()

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
            self.ask(kind, ops.Annotated(kind, node))
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
            self.op(ops.BindFunction(node, len(self.result.functions) - 1))
        elif name in _SEQUENCES and isinstance(inner, ast.Subscript) and last_name(inner.value) == "Callable":
            element = self.node()
            self.annotate(inner, element)
            self.op(ops.Allocate(node, "many", (ops.Placed(element),)))

    def s_FunctionDef(self, s: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        owner = self.scope.owner if self.scope.kind == "class" else -1
        for decorator in s.decorator_list:
            self.expr(decorator)
        region = self.outline.regions[s]
        index = self.begin_function(s.name, s.args, region.bound, owner)
        function = self.function_at(index)
        function.row = s.lineno
        decorations = {last_name(d.func if isinstance(d, ast.Call) else d) for d in s.decorator_list}
        for kind, words in (
            ("static", {"staticmethod"}),
            ("class", {"classmethod"}),
            ("property", {"property", "cached_property"}),
        ):
            if decorations & words:
                function.kind = kind
        if owner >= 0:
            self.result.classes[owner].methods.setdefault(s.name, index)
            if function.params and function.kind in ("function", "property"):
                self.op(ops.BindInstance(function.params[0][1], owner))
        self.annotate(s.returns, function.result)
        self.stepping = region.steps
        self.block(s.body)
        self.end_function()
        node = self.node(name=s.name)
        self.op(ops.BindFunction(node, index))
        self.bind(s.name, node)

    s_AsyncFunctionDef = s_FunctionDef

    def s_ClassDef(self, s: ast.ClassDef) -> None:
        bases = [self._base(b) for b in s.bases]
        for decorator in s.decorator_list:
            self.expr(decorator)
        index = len(self.result.classes)
        made = Class(s.name, bases, s.lineno, counted=counted(s.body), restarted=restarted(s.body))
        self.result.classes.append(made)
        node = self.node(name=s.name)
        self._bindings.append(ops.BindClass(node, index))
        self.bind(s.name, node)
        self.scope = Scope("class", self.scope, self.outline.regions[s].bound, owner=index, function=-1)
        self.open_body()
        self.block(s.body)
        methods = set(made.methods)
        made.attrs = {name: v for name, v in self.scope.versions.items() if name not in methods}
        made.fields = tuple(
            x.target.id for x in s.body if isinstance(x, ast.AnnAssign) and isinstance(x.target, ast.Name)
        )
        self.end_function()

    def _base(self, base: ast.expr) -> Node:
        """A base has a node, and with it a place, of its own: it is the evidence for what the class inherits."""
        node = self.node(self.span(base))
        self.copy(self.expr(base), node)
        return node

    def s_Import(self, s: ast.Import) -> None:
        for alias in s.names:
            module = alias.name if alias.asname else alias.name.partition(".")[0]
            node = self.node(name=alias.asname or module)
            self._bindings.append(ops.Import(node, module, None, 0))
            self.bind(alias.asname or module, node)

    def s_ImportFrom(self, s: ast.ImportFrom) -> None:
        for alias in s.names:
            if alias.name == "*":
                self.stars.append((s.module or "", s.level))
                self.result.stars = tuple(self.stars)
                continue
            node = self.node(name=alias.asname or alias.name)
            self._bindings.append(ops.Import(node, s.module or "", alias.name, s.level))
            self.bind(alias.asname or alias.name, node)
