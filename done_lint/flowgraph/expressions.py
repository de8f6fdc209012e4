"""Expressions of one file as nodes and operations."""

from __future__ import annotations

import ast

from done_lint.core.findings import Span
from done_lint.flowgraph import external_names
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name, subscripts, unparsed
from done_lint.flowgraph.builder import Builder, ExpressionVisitors, expression
from done_lint.flowgraph.comparisons import visit_compare
from done_lint.flowgraph.constants import visit_constant
from done_lint.flowgraph.definitions import super_call, visit_lambda
from done_lint.flowgraph.keys import ANY_NAME, Key
from done_lint.flowgraph.loops.attribute_dicts import attributes_of
from done_lint.flowgraph.loops.comprehension_columns import columns_of, goes_once
from done_lint.flowgraph.names import (
    bind,
    external,
    external_name,
    function_scope,
    imported_name,
    lookup,
    note_assigned,
)
from done_lint.flowgraph.operations import Node, Placed
from done_lint.flowgraph.operators import (
    OPERATORS,
    operator_call,
    visit_bin_op,
    visit_bool_op,
    visit_if_exp,
    visit_unary_op,
)
from done_lint.flowgraph.passing import looked_up, makes_empty, passes, passes_through
from done_lint.flowgraph.schema import Ending
from done_lint.flowgraph.scopes import Scope
from done_lint.flowgraph.settled_attributes import settled, unsettle
from done_lint.flowgraph.targets import appended, assign, key, note_taken_apart, put_into_copy, read_key
from done_lint.flowgraph.templates import put_text, written_text
from done_lint.flowgraph.text_beginnings import note_beginning
from done_lint.knowledge import array_functions, made_layers
from done_lint.knowledge.env_apis import STEP_WIDTHS

_MANY = {"any", "all"}
_GREATEST = {"max", "amax"}
_APPENDING = {"append", "insert", "appendleft"}


def other(b: Builder, e: ast.AST | None) -> Node:
    """What has no value that a rule could care about, or is not there at all."""
    for child in ast.iter_child_nodes(e) if e is not None else ():
        if isinstance(child, ast.expr):
            b.expr(child)
    return b.nothing


def placed_at(b: Builder, e: ast.expr) -> Placed:
    """The expression's node together with its place."""
    return Placed(b.expr(e), b.span(e))


def visit_name(b: Builder, e: ast.Name) -> Node:
    b.names.read.add(e.id)
    value = b.names.scope.versions.get(e.id) if e.id not in b.outline.shared else None
    return b.use(e, lookup(b, e.id) if value is None else value)


def visit_attribute(b: Builder, e: ast.Attribute) -> Node:
    if dotted := external_name(b, e):
        return external(b, dotted)
    return _attribute(b, e, b.expr(e.value))


def _attribute(b: Builder, e: ast.Attribute, base: Node) -> Node:
    at, name = b.span(e), e.attr
    if known := settled(b, base, name):
        return b.used(at, known)
    if b.here.narrowed and (known := b.here.narrowed.get((base, name), b.nothing)):
        return b.used(at, known)
    if name == "__dict__":
        note_assigned(b, "*")
    node = b.node(at, name)
    operation = ops.Attribute(base, b.tagged_attributes.get(e, name), node)
    if b.here.loops:
        b.trail.attributes[node] = e
    b.ask(base, operation)
    if external_names.is_telling(name):
        b.result.telling.append(operation)
    return b.used(at, node)


def visit_named_expr(b: Builder, e: ast.NamedExpr) -> Node:
    value = b.expr(e.value)
    bind(b, e.target.id, value)
    return b.use(e, value)


def visit_await(b: Builder, e: ast.Await) -> Node:
    return b.use(e, b.expr(e.value))


def visit_starred(b: Builder, e: ast.Starred) -> Node:
    value = b.expr(e.value)
    if not value:
        return value
    node = b.node(b.span(e))
    b.copy(value, node)
    b.wait(value, ops.Spread(value, node))
    return node


def visit_subscript(b: Builder, e: ast.Subscript) -> Node:
    base = b.expr(e.value)
    node = b.node(b.span(e), last_name(e))
    keys = subscripts(e.slice)
    b.trail.elements[node], b.trail.wholes[node] = e, base
    if b.trail.written and (bases := b.trail.written.get(unparsed(keys[0]))):
        # what this iteration put there comes back: `adv[i] = ...; previous = adv[i]`
        b.trail.derive(node, bases.get(unparsed(e.value), 0))
    b.at_home(node)
    b.wait(base, ops.Item(base, tuple([read_key(b, k) for k in keys]), node))
    return b.use(e, node)


def _alloc(b: Builder, e: ast.expr, kind: str, elements: list[ast.expr], keys: tuple[Key | None, ...] = ()) -> Node:
    # numbers are no flags, and no one asks where they stand
    numbers = [isinstance(x, ast.Constant) and type(x.value) in (int, float) for x in elements]
    placed = tuple([Placed(0, b.span(x)) if number else placed_at(b, x) for x, number in zip(elements, numbers)])
    stars = tuple([i for i, x in enumerate(elements) if isinstance(x, ast.Starred)])
    node = b.node(b.span(e))
    b.op(ops.Allocate(node, kind, placed, keys, () if keys else stars))
    return node


def visit_tuple(b: Builder, e: ast.Tuple) -> Node:
    node = _alloc(b, e, "tuple", e.elts)
    if len(e.elts) == 4 and not any(isinstance(x, ast.Starred) for x in e.elts):
        first: ast.expr = e.elts[0]
        while isinstance(first, ast.Tuple) and first.elts:
            first = first.elts[0]
        b.result.fours[node] = b.span(first)
    if len(e.elts) in STEP_WIDTHS:
        b.at_home(node)
    return node


def visit_list(b: Builder, e: ast.List | ast.Set) -> Node:
    return _alloc(b, e, "list", e.elts)


def visit_dict(b: Builder, e: ast.Dict) -> Node:
    keys = tuple(key(b, k) if k is not None else None for k in e.keys)
    return _alloc(b, e, "dict", e.values, keys)


def visit_joined_str(b: Builder, e: ast.JoinedStr) -> Node:
    b.here.shown += 1
    for value in e.values:
        if isinstance(value, ast.FormattedValue):
            b.expr(value.value)
    b.here.shown -= 1
    return note_beginning(b, e, written_text(b, e))


# --- calls -------------------------------------------------------------------------------------


def _set_by_name(b: Builder, e: ast.Call, args: tuple[Placed, ...]) -> None:
    """`setattr(owner, "name", value)`; by a name that is computed it is an attribute of any name."""
    if len(args) == 3:
        owner, _, value = args
        known = e.args[1].value if isinstance(e.args[1], ast.Constant) else None
        name = known if isinstance(known, str) else ANY_NAME
        b.result.attributes.add(name)
        b.wait(owner.node, ops.SetAttribute(owner.node, name, value.node, b.span(e)))


def visit_call(b: Builder, e: ast.Call) -> Node:
    func = e.func
    method = isinstance(func, ast.Attribute)
    name = last_name(func)
    if special := _in_another_form(b, e, name):
        return special
    if name in ("setattr", "vars"):
        note_assigned(b, "*")
    dotted, base = external_name(b, func), b.nothing
    if dotted:
        called = external(b, dotted)
    elif isinstance(func, ast.Attribute):
        base = b.expr(func.value)
        called = _attribute(b, func, base)
    else:
        called = b.expr(func)
    at = b.span(e)
    b.here.given += 1
    args = tuple([placed_at(b, a) for a in e.args])
    stars = tuple([i for i, a in enumerate(e.args) if type(a) is ast.Starred]) if args else ()
    keywords = tuple([ops.Keyword(k.arg, *placed_at(b, k.value)) for k in e.keywords]) if e.keywords else ()
    b.here.given -= 1
    if e.keywords and (options := {k.arg: _literal(k.value) for k in e.keywords if k.arg in made_layers.OPTIONS}):
        b.result.options[at] = options
    unsettle(b, [base, *(arg.node for arg in args), *(keyword.node for keyword in keywords)])
    node = b.node(at)
    if name == "setattr" and not method:
        _set_by_name(b, e, args)
    if dotted:
        b.op(ops.LibraryCall(called, args, stars, keywords, node, at))
    else:
        b.wait(called, ops.Call(called, args, stars, keywords, node, at))
        if base:
            _of_method(b, e, name, base, node)
    note_beginning(b, e, node)
    _note_ending(b, name, called, at)
    b.at_home(node)
    b.callees[node] = name
    _note_make(b, func, base, node)
    _leave_trail(b, func, base, args, node)
    return b.used(at, node)


def _in_another_form(b: Builder, e: ast.Call, name: str) -> Node:
    """Calls that say what an operator says, or an item that is set, and `super()`; 0: it is another call."""
    if name in OPERATORS and (special := operator_call(b, e, name)):
        return special
    if name == "set" and (copied := _updated_copy(b, e)):
        return b.used(b.span(e), copied)
    if name == "super" and not isinstance(e.func, ast.Attribute) and "super" not in b.names.scope.versions:
        return super_call(b, e)
    return b.nothing


def _updated_copy(b: Builder, e: ast.Call) -> Node:
    """`rows.at[t].set(value)`: the array with a value in that place; 0: it is another call."""
    item = e.func.value if isinstance(e.func, ast.Attribute) else None
    at = item.value if isinstance(item, ast.Subscript) else None
    if not (isinstance(at, ast.Attribute) and at.attr == "at" and isinstance(item, ast.Subscript) and len(e.args) == 1):
        return b.nothing
    if isinstance(e.args[0], ast.Starred):
        return b.nothing
    target = ast.copy_location(ast.Subscript(at.value, item.slice, ast.Store()), item)
    return put_into_copy(b, target, e.args[0])


def _note_ending(b: Builder, name: str, called: Node, at: Span) -> None:
    """Remember by which test an episode is said to have terminated."""
    test, holds = b.here.branch
    if test and name == "termination":
        tested = next(place for node, place in reversed(b.result.tests) if node == test)
        b.result.endings.append(Ending(called, test, tested, holds, at))


def _note_make(b: Builder, func: ast.expr, base: Node, node: Node) -> None:
    """Remember what `gymnasium.make` gives, and the results of its methods."""
    if base in b.makes:
        b.makers[node] = base
    elif last_name(func) == "make" and imported_name(b, func) == "gymnasium.make":
        b.makes.add(node)


def _literal(e: ast.expr) -> str:
    """A constant, as it is written in full; empty for anything else."""
    try:
        return repr(ast.literal_eval(e))
    except ValueError:
        return ""


def _of_method(b: Builder, e: ast.Call, name: str, base: Node, node: Node) -> None:
    """What methods of arrays give of the array, and `format` of a text."""
    if name == "format" and put_text(b, e, node):
        return
    if name in _MANY:
        b.op(ops.Elements(base, node))
    elif name in _GREATEST:
        b.op(ops.Scaled(base, node))
    elif name in array_functions.PASSING_METHODS:
        b.op(ops.Values(base, node))
        if base in b.trail.discounted:
            b.trail.discounted[node] = b.trail.discounted[base]
    elif array_functions.maps_each(name) and name not in OPERATORS:
        b.op(ops.Scaled(base, node))


def _leave_trail(b: Builder, func: ast.expr, base: Node, args: tuple[Placed, ...], node: Node) -> None:
    """A cast or a method of the value: what a loop carries is still carried."""
    if isinstance(func, ast.Attribute):
        if args and func.attr in _APPENDING:
            appended(b, unparsed(func.value), args[-1].node)
        receiver = base if isinstance(func.value, ast.Name) else b.nothing
        b.trail.flow[node] = [one for one in (args[0].node if args else b.nothing, receiver) if one]
    elif len(args) == 1:
        b.trail.derive(node, args[0].node)


# --- comprehensions ----------------------------------------------------------------------------


def _comprehension(b: Builder, e: ast.expr, generators: list[ast.comprehension], element: ast.expr) -> Node:
    first = generators[0]
    if len(generators) == 1 and isinstance(first.target, ast.Name) and passes(element, first.target.id):
        # `[x.to(device) for x in (a, b)]`: each element stays at its place
        _ask_conditions(b, generators, element)
        node = b.node(b.span(e))
        b.op(ops.Remap(b.expr(first.iter), node, "list"))
        return node
    sources = _gone_through(b, first) if len(generators) == 1 and not first.ifs else ()
    _enter_comprehension(b, generators)
    placed = placed_at(b, element)
    _leave_comprehension(b)
    node = b.node(b.span(e))
    b.op(ops.Allocate(node, "many", (placed,)))
    if goes_once(generators):
        b.result.made_once.add(node)
    if sources:
        b.wait(placed.node, ops.Rebuilt(sources, placed.node, node))
    return node


def _gone_through(b: Builder, generator: ast.comprehension) -> tuple[Node, ...]:
    """The variables that a comprehension goes through: `x` in `for a in x`, both in `for a, b in zip(x, y)`."""
    rows = generator.iter
    side_by_side = isinstance(rows, ast.Call) and last_name(rows.func) in ("zip", "enumerate")
    parts = rows.args if isinstance(rows, ast.Call) and side_by_side else [rows]
    names = [one.id for one in parts if isinstance(one, ast.Name)]
    return tuple(filter(None, (b.names.scope.versions.get(name, b.nothing) for name in names)))


def _enter_comprehension(b: Builder, generators: list[ast.comprehension]) -> None:
    """A scope in which the targets hold the elements of what they run over."""
    b.names.scope = Scope("comprehension", b.names.scope, function=b.names.scope.function, owner=b.names.scope.owner)
    for generator in generators:
        item = b.node()
        iterated = b.expr(generator.iter)
        b.wait(iterated, ops.Iterate(iterated, item))
        note_taken_apart(b, generator.target, item)
        assign(b, generator.target, item)
        for condition in generator.ifs:
            b.expr(condition)


def _ask_conditions(b: Builder, generators: list[ast.comprehension], element: ast.expr) -> None:
    """Read what elements are asked for, `if score(env, x) > 0`, and picked by, `x[~over]`, where they are not read."""
    items = (part for part in ast.walk(element) if isinstance(part, ast.Subscript))
    masks = [one for item in items for one in subscripts(item.slice) if not isinstance(one, (ast.Constant, ast.Slice))]
    if masks or any(generator.ifs for generator in generators):
        _enter_comprehension(b, generators)
        for mask in masks:
            read_key(b, mask)
        _leave_comprehension(b)


def _leave_comprehension(b: Builder) -> None:
    assert b.names.scope.parent is not None
    b.names.scope = b.names.scope.parent


def visit_list_comp(b: Builder, e: ast.ListComp) -> Node:
    if (elements := columns_of(e)) is not None:
        return b.expr(ast.copy_location(ast.List(elements, ast.Load()), e))
    return _comprehension(b, e, e.generators, e.elt)


def visit_comprehension(b: Builder, e: ast.SetComp | ast.GeneratorExp) -> Node:
    return _comprehension(b, e, e.generators, e.elt)


def _written_out(b: Builder, e: ast.DictComp) -> ast.Dict | None:
    """The dictionary of attributes that a comprehension makes."""
    scope = function_scope(b)
    if scope.owner < 0 or scope.function < 0:
        return attributes_of(e, "", ())
    params = b.function_at(scope.function).params
    return attributes_of(e, params[0][0] if params else "", b.class_bodies[scope.owner])


def visit_dict_comp(b: Builder, e: ast.DictComp) -> Node:
    if (written := _written_out(b, e)) is not None:
        return b.expr(written)
    first = e.generators[0]
    if (
        len(e.generators) == 1
        and isinstance(first.target, ast.Tuple)
        and isinstance(first.iter, ast.Call)
        and isinstance(first.iter.func, ast.Attribute)
        and first.iter.func.attr == "items"
        and isinstance(e.key, ast.Name)
        and ast.unparse(first.target.elts[0]) == e.key.id
        and passes_through(b, e.value, last_name(first.target.elts[-1]))
    ):
        _ask_conditions(b, e.generators, e.value)
        node = b.node(b.span(e))
        b.op(ops.Remap(b.expr(first.iter.func.value), node, "dict"))
        return node
    if len(e.generators) == 1 and isinstance(e.key, ast.Name) and last_name(first.target) == e.key.id:
        found = looked_up(b, e.value, e.key.id)
        if found is not None:
            return _by_keys(b, e, *found)
    if makes_empty(e.value):
        _enter_comprehension(b, e.generators)
        element = b.expr(e.value)
        _leave_comprehension(b)
        node = b.node(b.span(e))
        b.op(ops.Allocate(node, "dict", ()))
        b.wait(node, ops.MadeByKey(node, element, b.span(e.value)))
        return node
    return _comprehension(b, e, e.generators, e.value)


def _by_keys(b: Builder, e: ast.DictComp, source: ast.expr, generators: list[ast.comprehension]) -> Node:
    """`{k: cat([d[k] for d in batch]) for k in keys}`: under each key what the dictionaries in the batch have there."""
    _enter_comprehension(b, [*e.generators, *generators])
    node = b.node(b.span(e))
    b.op(ops.Remap(b.expr(source), node, "dict"))
    _leave_comprehension(b)
    return node


def visit_yield(b: Builder, e: ast.Yield) -> Node:
    b.here.settled = {}  # others run meanwhile
    if e.value is not None:
        placed = placed_at(b, e.value)
        node = b.node(b.span(e))
        b.op(ops.Allocate(node, "many", (placed,)))
        index = function_scope(b).function
        if index >= 0:
            b.copy(node, b.function_at(index).result)
    return b.nothing


def visit_yield_from(b: Builder, e: ast.YieldFrom) -> Node:
    """`yield from rows`: what these give, one after the other."""
    b.here.settled = {}
    value, index = b.expr(e.value), function_scope(b).function
    if index >= 0:
        b.copy(value, b.function_at(index).result)
    return b.nothing


#: How expressions are read, by type.
EXPRESSIONS: ExpressionVisitors = {
    **dict.fromkeys(ast.expr.__subclasses__(), other),
    **expression(ast.Attribute, visit_attribute),
    **expression(ast.Await, visit_await),
    **expression(ast.BinOp, visit_bin_op),
    **expression(ast.BoolOp, visit_bool_op),
    **expression(ast.Call, visit_call),
    **expression(ast.Compare, visit_compare),
    **expression(ast.Constant, visit_constant),
    **expression(ast.Dict, visit_dict),
    **expression(ast.DictComp, visit_dict_comp),
    **expression(ast.GeneratorExp, visit_comprehension),
    **expression(ast.IfExp, visit_if_exp),
    **expression(ast.JoinedStr, visit_joined_str),
    **expression(ast.Lambda, visit_lambda),
    **expression(ast.List, visit_list),
    **expression(ast.ListComp, visit_list_comp),
    **expression(ast.Name, visit_name),
    **expression(ast.NamedExpr, visit_named_expr),
    **expression(ast.Set, visit_list),
    **expression(ast.SetComp, visit_comprehension),
    **expression(ast.Starred, visit_starred),
    **expression(ast.Subscript, visit_subscript),
    **expression(ast.Tuple, visit_tuple),
    **expression(ast.UnaryOp, visit_unary_op),
    **expression(ast.Yield, visit_yield),
    **expression(ast.YieldFrom, visit_yield_from),
}
