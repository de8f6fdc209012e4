"""Targets of assignments: names get versions, attributes and items get values, tuples are taken apart."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name, subscripts, unparsed
from done_lint.flowgraph.builder import Builder, Unpacked
from done_lint.flowgraph.constant_keys import constant_key
from done_lint.flowgraph.keys import ANY, IndexKey, Key, SliceKey
from done_lint.flowgraph.loops.masked_rows import masks_row
from done_lint.flowgraph.loops.scanned import take_apart
from done_lint.flowgraph.names import bind, function_scope, is_module, named_key, note_assigned
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Branch
from done_lint.flowgraph.settled_attributes import settle
from done_lint.knowledge.array_functions import TRUE_PLACES
from done_lint.knowledge.env_apis import FOUR


def key(b: Builder, e: ast.expr) -> Key:
    """A constant key, by a name of the module or not, or a slice, else any key."""
    if (known := constant_key(e)) is not None:
        return known
    if isinstance(e, ast.Slice):
        start = ANY if e.lower is None else key(b, e.lower)
        for part in (e.upper, e.step):
            b.expr(part)
        return SliceKey(start.position if isinstance(start, IndexKey) and e.step is None else 0)
    b.expr(e)
    return named_key(b, e) or ANY


def read_key(b: Builder, e: ast.expr) -> Key:
    """The same, of an element that is read: what is no constant may be a mask, which picks rows."""
    if isinstance(e, (ast.Constant, ast.Slice)) or (isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub)):
        return key(b, e)
    node = b.expr(e)
    if (known := named_key(b, e)) is not None:
        return known
    if node:
        b.result.picks.append((node, b.span(e)))
    return ANY


def assign(b: Builder, target: ast.expr, value: Node) -> None:
    if isinstance(target, ast.Name):
        bind(b, target.id, value, passing=target in b.names.passing)
        b.result.names.setdefault(value, target.id)
        if value:
            b.result.uses.add(value, b.span(target))
    elif isinstance(target, ast.Attribute):
        owner = b.expr(target.value)
        note_assigned(b, target.attr, value)
        settle(b, owner, target, value)
        if value:
            b.result.attributes.add(target.attr)
            if b.here.loops:
                appended(b, unparsed(target), value)
            b.wait(owner, ops.SetAttribute(owner, target.attr, value, b.span(target)))
            if tagged := b.tagged_attributes.get(target):
                b.result.attributes.add(tagged)
                b.wait(owner, ops.SetAttribute(owner, tagged, value, b.span(target)))
            b.result.uses.add(value, b.span(target))
    elif isinstance(target, ast.Subscript):
        _assign_item(b, target, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(b, target, value)
    elif isinstance(target, ast.Starred):
        assign(b, target.value, value)


def _assign_item(b: Builder, target: ast.Subscript, value: Node) -> None:
    base = b.expr(target.value)
    keys = [true_in(b, one) for one in subscripts(target.slice)]
    if target in b.overwritten:
        return
    _note_put(b, base, target, keys, value)
    if masks_row(b, target, keys, value):
        return
    after = put(b, base, target.value, keys, value, b.span(target))
    if after and isinstance(target.value, ast.Name):
        bind(b, target.value.id, after)


def put_into_copy(b: Builder, target: ast.Subscript, given: ast.expr) -> Node:
    """The array that `rows.at[t].set(value)` gives, by JAX: what `rows` is behind `rows[t] = value`."""
    base = b.expr(target.value)
    keys = [true_in(b, one) for one in subscripts(target.slice)]
    value = b.expr(given)
    _note_put(b, base, target, keys, value)
    if after := put(b, base, target.value, keys, value, b.span(given)):
        return after
    node = b.node(b.span(target), last_name(target.value))
    b.copy(base, node)
    return node


def _note_put(b: Builder, base: Node, target: ast.Subscript, keys: list[ast.expr], value: Node) -> None:
    """Leave a trail of what is put into an array."""
    base_text = unparsed(target.value)
    appended(b, base_text, value)
    written = b.trail.written.setdefault(unparsed(keys[0]), {})
    _rewrite(b, written.get(base_text, b.nothing), value)
    written[base_text] = value
    if b.known.kind(value) in ("zero", "one") and (index := picking(keys)) is not None:
        b.result.rows_set.append((base, b.expr(index)))


def put(b: Builder, base: Node, written: ast.expr, keys: list[ast.expr], value: Node, at: Span) -> Node:
    """Put a value into an array, which is `written` so; the node of the array behind that, where it is another one."""
    if value not in b.known.zeros and b.known.kind(value) == "zero" and picking(keys) is not None:
        # `q_next[done] = 0`: the array is another one from here on
        node, index_node = b.node(at, last_name(written)), b.expr(keys[0])
        b.op(ops.Masked(base, index_node, node, at))
        if products := b.trail.parts(base):
            # `y = r + gamma * v`, then `y[done] = 0`: the target itself, reward and all
            b.result.branches.append(Branch(index_node, at, (), products, rows=True))
        b.trail.derive(node, base)
        return node
    if (index := picking(keys)) is not None and (products := b.trail.parts(base)) and not b.trail.parts(value):
        # `y = r + gamma * v`, then `y[done] = r[done]`
        b.result.branches.append(Branch(b.expr(index), at, (), products, rows=True))
    operation = ops.SetItem(base, tuple([key(b, k) for k in keys]), value, at)
    if value:
        b.wait(base, operation)
    if base in b.known.zeros and isinstance(written, ast.Name) and picking(keys) is not None:
        # `q = zeros(n); q[~done] = values`: zero stays where the episode ended
        node, index_node = b.node(at, written.id), b.expr(keys[0])
        b.op(ops.Filled(base, b.known.places.get(index_node, index_node), value, node, at))
        b.trail.derive(node, base, value)
        return node
    return b.nothing


def _rewrite(b: Builder, before: Node, value: Node) -> None:
    """`y[i] = r + gamma * v`, then `if done: y[i] = r`: the branch cuts a target that was made before."""
    (test, holds), products = b.here.branch, b.trail.parts(before)
    if not (test and products) or b.trail.parts(value) or b.known.kind(value):
        return
    place = b.here.loops[-1].index if b.here.loops else -1, function_scope(b).function
    if all((b.result.products[i].loop, b.result.products[i].function) == place for i in products):
        at = next(at for node, at in reversed(b.result.tests) if node == test)
        b.result.branches.append(Branch(test, at, *(((), products) if holds else (products, ()))))


def _unpack(b: Builder, target: ast.Tuple | ast.List, value: Node) -> None:
    nodes = [b.node(b.span(x), last_name(x)) for x in target.elts]
    star = next((i for i, x in enumerate(target.elts) if isinstance(x, ast.Starred)), -1)
    b.at_home(nodes[0] if nodes else 0, value)
    for sides in b.unpacks:
        sides[0].add(Unpacked(len(nodes), b.callees.get(value, ""), b.makers.get(value, b.nothing)))
    take_apart(b, value, nodes)
    if value in b.here.old:
        b.here.old |= {*nodes}
    b.wait(value, ops.Unpack(value, len(nodes), star, tuple(nodes), b.span(target), target in b.superseded))
    for x, node in zip(target.elts, nodes):
        if len(getattr(x, "elts", ())) == len(FOUR):
            # a row of results with a number: `for t, (obs, reward, done, info) in enumerate(rows)`
            note_taken_apart(b, x, node)
        assign(b, x, node)
    if len(nodes) == 5 and star < 0 and isinstance(target.elts[2], ast.Name) and target.elts[2].id != "_":
        b.here.slots = {**b.here.slots, target.elts[2].id: nodes[2]}


def note_taken_apart(b: Builder, target: ast.expr, value: Node) -> None:
    """A rule may ask what is taken apart: a tuple is where its values are, with or without parentheses."""
    if isinstance(target, ast.Tuple) and target.elts and value:
        b.used(Span(*b.span(target.elts[0])[:2], *b.span(target.elts[-1])[2:]), value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        b.use(target, value)


def appended(b: Builder, base: str, value: Node) -> None:
    b.trail.added.append((base, value, tuple(loop.index for loop in b.here.loops)))


def true_in(b: Builder, e: ast.expr) -> ast.expr:
    """The mask, where rows are picked by the places in which it is true: `np.where(done)`, `done.nonzero()[0]`."""
    places = e
    while isinstance(places, ast.Subscript) and isinstance(places.slice, ast.Constant) and places.slice.value == 0:
        places = places.value
    if isinstance(places, ast.Call) and isinstance(places.func, ast.Attribute) and places.func.attr in TRUE_PLACES:
        operands = [*([] if is_module(b, places.func.value) else [places.func.value]), *places.args]
        return operands[0] if len(operands) == 1 and not places.keywords else e
    return e


def picking(keys: Sequence[ast.expr]) -> ast.expr | None:
    """The index that may pick rows: one, and no constant or slice."""
    return keys[0] if len(keys) == 1 and not isinstance(keys[0], (ast.Slice, ast.Constant)) else None
