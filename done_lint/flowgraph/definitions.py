"""Functions, classes and imports of one file: what has a scope or a name of its own, and what annotations say."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from done_lint.flowgraph import method_signs
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name, subscripts
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.defined_again import without_defined_again
from done_lint.flowgraph.given import click_options, dispatched, parametrized
from done_lint.flowgraph.given.converters import converted_parameter
from done_lint.flowgraph.keeping_classes import keeps_values
from done_lint.flowgraph.libraries.asked_infos import returns_for_info
from done_lint.flowgraph.loops.scanned import visit_body
from done_lint.flowgraph.loops.step_counters import counted, restarted, spent, timed_step
from done_lint.flowgraph.names import bind, external_name, function_scope
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.passing import makes_array
from done_lint.flowgraph.schema import Class, Function
from done_lint.flowgraph.scopes import Scope
from done_lint.flowgraph.settled_attributes import unsettle
from done_lint.flowgraph.space_readers import space_parameters
from done_lint.flowgraph.task_truncations import task_truncation
from done_lint.knowledge import naming_conventions
from done_lint.knowledge.env_apis import STEP_WIDTHS

_SEQUENCES = {"List", "list", "Sequence", "Iterable"}
_MAPPINGS = {"Dict", "dict", "Mapping", "MutableMapping", "OrderedDict", "DefaultDict", "defaultdict"}
#: What is kept in most of them: no class that could be an environment's.
_NO_OBJECTS = {"Any", "Callable", "Optional", "Path", "Tensor", "Union"}
#: What an environment is never one of.
_NO_ENVIRONMENTS = _NO_OBJECTS | {"bool", "bytes", "dict", "float", "int", "list", "ndarray", "set", "str", "tuple"}


def super_call(b: Builder, e: ast.Call) -> Node:
    scope: Scope | None = function_scope(b)
    node = b.node(b.span(e))
    while scope is not None and scope.owner < 0:
        scope = scope.parent
    if scope is not None and scope.function >= 0:
        params = b.function_at(scope.function).params
        own = params[0][1] if params else b.nothing
        b.op(ops.Super(node, scope.owner, own))
        unsettle(b, [own])
    return b.use(e, node)


def visit_lambda(b: Builder, e: ast.Lambda) -> Node:
    index = begin_function(b, "<lambda>", e.args, frozenset(), -1)
    first_made = b.node() if makes_array(e.body) else b.nothing
    result = b.expr(e.body)
    b.copy(result, b.function_at(index).result)
    if first_made:
        b.function_at(index).makes.append((first_made, result))
    b.function_at(index).converts = converted_parameter(e.args, e.body)
    if isinstance(e.body, ast.Call):
        b.result.returned.add(b.span(e.body))
    b.close_body()
    node = b.node(b.span(e))
    b.op(ops.BindFunction(node, index))
    return node


def begin_function(b: Builder, name: str, args: ast.arguments, assigned: frozenset[str], owner: int) -> int:
    """Open a function's scope; its parameters are nodes of their own."""
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    positional = len(args.posonlyargs) + len(args.args)
    required = positional - len(args.defaults)
    defaults = [None] * required + [*args.defaults]
    values = [b.expr(d) if d is not None else b.nothing for d in [*defaults, *args.kw_defaults]]
    function = Function(name, [], b.node(), owner=owner, required=required, positional=positional)
    index = len(b.result.functions)
    b.result.functions.append(function)
    extra = [a for a in (args.vararg, args.kwarg) if a is not None]
    bound = frozenset(a.arg for a in [*every, *extra])
    b.names.scope = Scope("function", b.names.scope, assigned | bound, function=index, owner=owner)
    b.open_body()
    given = list(zip(every, [*defaults, *args.kw_defaults]))
    function.has_mode = any(a.arg == "render_mode" and _is_text(default) for a, default in given)
    ones = (a.arg for a, default in given if _is_one(default) and naming_conventions.environment_count(a.arg))
    function.one_env = next(ones, "")
    for argument, value in zip(every, values):
        node = b.node(b.span(argument), argument.arg)
        b.result.parameters.add(node)
        function.params.append((argument.arg, node))
        b.copy(value, node)
        if b.known.numbers.get(value) is True:
            b.known.switched_on.add(node)
        b.names.scope.versions[argument.arg] = node
        annotate(b, argument.annotation, node)
    if args.vararg is not None:
        function.vararg = b.node(b.span(args.vararg), args.vararg.arg)
        b.names.scope.versions[args.vararg.arg] = function.vararg
    if args.kwarg is not None:
        function.kwarg = b.node(b.span(args.kwarg), args.kwarg.arg)
        b.names.scope.versions[args.kwarg.arg] = function.kwarg
    return index


def _is_text(e: ast.expr | None) -> bool:
    return isinstance(e, ast.Constant) and isinstance(e.value, str)


def _is_one(e: ast.expr | None) -> bool:
    return isinstance(e, ast.Constant) and type(e.value) is int and e.value == 1


def annotate(b: Builder, annotation: ast.expr | None, node: Node, *, chosen: bool = False) -> None:
    """An annotation is evidence: the value is an instance of what it names; `chosen`: the one that is assigned."""
    if annotation is None:
        return
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return
    named, *others = _alternatives(annotation) or [annotation]
    if isinstance(named, (ast.Name, ast.Attribute)):
        kind = b.expr(named)
        classes = [one for one in others if isinstance(one, (ast.Name, ast.Attribute))]
        alone = all(last_name(one) in _NO_ENVIRONMENTS for one in classes)
        b.ask(kind, ops.Annotated(kind, node, chosen=chosen, alone=alone))
    elif isinstance(named, ast.Subscript):
        _annotate_generic(b, last_name(named.value), named.slice, node)


def _alternatives(annotation: ast.expr) -> list[ast.expr]:
    """`A`, `B` of `A | B | None`."""
    if isinstance(annotation, ast.BinOp):
        return [*_alternatives(annotation.left), *_alternatives(annotation.right)]
    return [] if isinstance(annotation, ast.Constant) and annotation.value is None else [annotation]


def _annotate_generic(b: Builder, name: str, inner: ast.expr, node: Node) -> None:
    """`Optional[X]`; `type[X]`, the class itself.

    `Callable[..., X]` gives an X when it is called, and so do the elements of a list of them.
    """
    if name == "Optional":
        annotate(b, inner, node)
    elif name in ("type", "Type") and isinstance(inner, (ast.Name, ast.Attribute)):
        kind = b.expr(inner)
        b.ask(kind, ops.Annotated(kind, node, instance=False))
    elif name == "Callable" and isinstance(inner, ast.Tuple) and len(inner.elts) == 2:
        made = b.node()
        annotate(b, inner.elts[1], made)
        b.result.functions.append(Function("", [], made))
        b.op(ops.BindFunction(node, len(b.result.functions) - 1))
    elif (kept := _kept_in(name, inner)) is not None:
        element = b.node()
        annotate(b, kept, element)
        b.op(ops.Allocate(node, "many", (ops.Placed(element),)))


def _does_nothing(s: ast.stmt) -> bool:
    """A docstring, `...`, `pass` or `raise`."""
    return isinstance(s, (ast.Pass, ast.Raise)) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))


def _promises(returns: ast.expr | None) -> int:
    """How many values an annotation says that a function returns (see `Function.promises`)."""
    if not isinstance(returns, ast.Subscript) or last_name(returns) not in ("Tuple", "tuple"):
        return 0
    kinds = subscripts(returns.slice)
    many = any(isinstance(kind, ast.Constant) and kind.value is Ellipsis for kind in kinds)
    return 0 if many else len(kinds)


def _kept_in(name: str, inner: ast.expr) -> ast.expr | None:
    """What a sequence or a mapping has, by its annotation, where that is a class or a function that makes something."""
    if isinstance(inner, ast.Tuple) and len(inner.elts) == 2:
        first, second = inner.elts
        many = isinstance(second, ast.Constant) and second.value is Ellipsis
        inner = first if name in ("Tuple", "tuple") and many else second
        if not (many or name in _MAPPINGS):
            return None
    elif name not in _SEQUENCES:
        return None
    if isinstance(inner, ast.Subscript):
        return inner if last_name(inner.value) == "Callable" else None
    return inner if last_name(inner)[:1].isupper() and last_name(inner) not in _NO_OBJECTS else None


def visit_function_def(b: Builder, s: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    owner = b.names.scope.owner if b.names.scope.kind == "class" else -1
    decorators = [b.expr(one) for one in s.decorator_list if not external_name(b, one)]
    defaults = click_options.defaults(b, s.decorator_list)
    tried = parametrized.values(b, s.decorator_list)
    region = b.outline.regions[s]
    index = begin_function(b, s.name, s.args, region.bound, owner)
    function = b.function_at(index)
    click_options.hand_over(b, function, defaults)
    parametrized.hand_over(b, function, tried)
    dispatched.register(b, s.decorator_list, function)
    decorations = {last_name(d.func if isinstance(d, ast.Call) else d) for d in s.decorator_list}
    # `@abstractmethod` leaves a method as it is
    function.row, function.decorated = s.lineno, bool(decorations - {"abstractmethod"})
    function.abstract = all(map(_does_nothing, s.body))
    function.promises = _promises(s.returns)
    function.converts = converted_parameter(s.args, s.body)
    if owner >= 0:
        b.result.classes[owner].old_signs |= method_signs.old_signs(s)
        b.result.classes[owner].delegate += method_signs.delegate(s)
        function.spaces_of = space_parameters(s) if b.names_spaces else ()
    if owner >= 0 and s.name in ("reset", "seed"):
        function.refuses, function.seeds_more = method_signs.refuses(s), method_signs.seeds_more(s)
        function.uses_seed = method_signs.uses_seed(s)
    b.here.for_info = returns_for_info(s)
    if owner >= 0 and s.name == "step":
        function.order = method_signs.wrong_order(s)
        function.own_order = method_signs.returns_reward_late(s)
    b.here.abstract = "abstractmethod" in decorations
    function.draws_anyhow = owner >= 0 and s.name == "render" and method_signs.draws_anyhow(s)
    for kind, words in (
        ("static", {"staticmethod"}),
        ("class", {"classmethod"}),
        ("property", {"property", "cached_property"}),
    ):
        if decorations & words:
            function.kind = kind
    if owner >= 0:
        if "setter" in decorations:
            b.result.classes[owner].setters[s.name] = index
        else:
            b.result.classes[owner].methods.setdefault(s.name, index)
        if function.params and function.kind in ("function", "property"):
            b.op(ops.BindInstance(function.params[0][1], owner))
    annotate(b, s.returns, function.result)
    b.here.stepping = region.steps
    visit_body(b, s, function)
    function.own_five = max(STEP_WIDTHS) in function.arities and method_signs.returns_own_five(s)
    b.close_body()
    node = b.node(name=s.name)
    b.op(ops.BindFunction(node, index))
    bind(b, s.name, node)
    for decorator in decorators:
        # the name goes on standing for the function itself: a decorator hands arguments and results on
        given = ops.Placed(node)
        function.replacements.append(b.node())
        b.wait(decorator, ops.Call(decorator, (given,), (), (), function.replacements[-1], b.span(s)))


def visit_class_def(b: Builder, s: ast.ClassDef) -> None:
    bases = [_base(b, base) for base in s.bases]
    decorators = [(b.expr(one), bool(external_name(b, one))) for one in s.decorator_list]
    index = len(b.result.classes)
    made = Class(
        s.name,
        bases,
        s.lineno,
        counted=counted(s.body),
        restarted=restarted(s.body),
        spent=spent(s.body),
        timed=timed_step(s.body),
        task_truncation=task_truncation(s.body),
    )
    b.result.classes.append(made)
    b.class_bodies.append(s.body)
    if word := naming_conventions.says_old_class(s.name):
        b.result.old_classes += ((b.span(s), word),)
    node = b.node(name=s.name)
    b.declare(ops.BindClass(node, index))
    bind(b, s.name, node)
    b.names.scope = Scope("class", b.names.scope, b.outline.regions[s].bound, owner=index, function=-1)
    b.open_body()
    b.block(without_defined_again(s.body, runs=False))
    methods = set(made.methods)
    made.attrs = {name: v for name, v in b.names.scope.versions.items() if name not in methods}
    made.unset = tuple(name for one in s.body for name in _unset(one))
    made.fields = tuple(x.target.id for x in s.body if isinstance(x, ast.AnnAssign) and isinstance(x.target, ast.Name))
    made.keeps = keeps_values(s.body)
    b.close_body()
    for decorator, external in decorators:
        if not external:  # the project's own registry: `@register("maze")`
            b.wait(decorator, ops.Call(decorator, (ops.Placed(node),), (), (), b.node(), b.span(s)))


def _unset(s: ast.stmt) -> Iterator[str]:
    """The names that a statement sets to None: `make = None`, `make: type | None = None`."""
    if isinstance(s, (ast.Assign, ast.AnnAssign)) and isinstance(s.value, ast.Constant) and s.value.value is None:
        targets = s.targets if isinstance(s, ast.Assign) else [s.target]
        yield from (one.id for one in targets if isinstance(one, ast.Name))


def _base(b: Builder, base: ast.expr) -> Node:
    """A base has a node, and with it a place, of its own: it is the evidence for what the class inherits.

    `gym.Env[Obs, Act]` is a base of the class before the brackets.
    """
    node = b.node(b.span(base))
    generic = base
    while isinstance(generic, ast.Subscript):
        b.expr(generic.slice)
        generic = generic.value
    b.copy(b.expr(generic), node)
    return node


def visit_import(b: Builder, s: ast.Import) -> None:
    for alias in s.names:
        module = alias.name if alias.asname else alias.name.partition(".")[0]
        node = b.node(name=alias.asname or module)
        b.declare(ops.Import(node, module, None, 0))
        bind(b, alias.asname or module, node)


def visit_import_from(b: Builder, s: ast.ImportFrom) -> None:
    for alias in s.names:
        if alias.name == "*":
            b.names.stars.append((s.module or "", s.level))
            b.result.stars = tuple(b.names.stars)
            continue
        node = b.node(name=alias.asname or alias.name)
        b.declare(ops.Import(node, s.module or "", alias.name, s.level))
        bind(b, alias.asname or alias.name, node)
