"""Containers: how they are made, and what their attributes and methods do."""

from __future__ import annotations

from done_lint.analysis import flag_lattice
from done_lint.analysis.calls import Call
from done_lint.analysis.context import Analysis, AttributeRule, CallRule
from done_lint.analysis.solver import ALL, VALUES
from done_lint.analysis.transfer.sequences import extend, rows, spread, transpose
from done_lint.analysis.values import (
    ClassRef,
    ContainerMethod,
    Flag,
    Info,
    Instance,
    Object,
    Passage,
    Place,
    Shape,
    Text,
    Value,
    Way,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY, AttributeKey, IndexKey, Key, TextKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import array_functions


def allocate(at: Analysis, survey: Survey, base: int, op: ops.Allocate) -> None:
    number = at.put(base + op.target, Object(base + op.target, Shape(op.kind)))
    if op.kind in ("tuple", "returned") and not op.stars:
        at.objects.widths[number] = at.objects.lengths[number] = len(op.elements)
    elif op.kind == "list" and not op.stars:
        at.objects.lengths[number] = len(op.elements)
    for position, (element, span) in enumerate(op.elements):
        if not element:
            continue
        passage = Passage(Place.of(survey.path, span), base + element)
        store: Way = "hand" if op.kind == "returned" else "store"
        if op.kind == "dict":
            key = op.keys[position]
            if key is None:
                spread(at, base + element, number)
            else:
                at.solver.edge(base + element, at.objects.field(number, key), ALL, store, passage)
        elif op.kind == "many":
            # the elements of a comprehension keep what they are: it is no store of its own
            at.solver.edge(base + element, at.objects.field(number, ANY), ALL, "hand", passage)
        elif position in op.stars:
            spread(at, base + element, number, position if position == op.stars[0] else None)
        elif op.stars and position > op.stars[0]:
            at.solver.edge(base + element, at.objects.field(number, ANY), ALL, store, passage)
        else:
            at.solver.edge(base + element, at.objects.field(number, IndexKey(position)), ALL, store, passage)


def load_attribute(at: Analysis, survey: Survey, base: int, number: int, op: ops.Attribute) -> None:
    if at.unread is not None and isinstance(at.solver.value(number), (ClassRef, Instance)):
        at.unread.append((number, op.name, base + op.target, base + op.source))
    else:
        at.attribute(number, op.name, base + op.target, base + op.source)


def set_attribute(at: Analysis, survey: Survey, base: int, number: int, op: ops.SetAttribute) -> None:
    value = at.solver.value(number)
    passage = Passage(Place.of(survey.path, op.at), base + op.value)
    if isinstance(value, (Instance, ClassRef)):
        field = at.objects.field(at.solver.intern(Instance(value.path, value.index)), AttributeKey(op.name))
        at.solver.edge(base + op.value, field, ALL, "set", passage)
    elif isinstance(value, Object):
        at.solver.edge(
            base + op.value,
            at.objects.field(number, TextKey(op.name)),
            ALL,
            "store",
            Passage(Place.of(survey.path, op.at), base + op.value),
        )


def attribute_of_flag(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    if name in ("T", "mT", "data", "values"):
        at.solver.add(target, number, source, number)


def attribute_of_object(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    if at.solver.get(number, Object).shape is Shape.RECORD:
        at.solver.edge(at.objects.field(number, TextKey(name)), target, ALL, "load")
        if name == "_fields":
            return
    if name in ("T", "mT", "data"):
        at.solver.add(target, number, source, number)
    if name == "T":
        transpose(at, number, target)
    at.put(target, ContainerMethod(number, name))


def attribute_of_info(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    at.put(target, ContainerMethod(number, name))


def call_container_method(at: Analysis, number: int, call: Call) -> None:
    method = at.solver.get(number, ContainerMethod)
    owner, name = method.owner, method.name
    if isinstance(at.solver.value(owner), Info):
        if name == "get" and call.args:
            for text in at.solver.values(call.args[0].node, Text):
                at.load_item(owner, (TextKey(text.text),), call.result, call.result)
        return
    if name == "setdefault" and len(call.args) == 2:
        _set_default(at, owner, call)
    elif name in array_functions.PUTTING and call.args:
        node, span = call.args[-1]
        owner = at.objects.peers.get(owner, owner)
        passage = call.passage(node, span)
        if name.startswith("extend"):
            extend(at, node, owner)
        elif node:
            at.solver.edge(node, at.objects.field(owner, ANY), ALL, "store", passage)
    elif name == "items":
        _, row = rows(at, call)
        at.objects.each_field(
            owner, lambda key, field: at.solver.edge(field, at.objects.field(row, IndexKey(1)), ALL, "load")
        )
    elif name in array_functions.TAKING or name == "values":
        at.load_fields(owner, call.result)
    elif name in array_functions.PASSING_METHODS or name in array_functions.DRAWING:
        at.solver.add(call.result, owner)
        if name == "transpose":
            transpose(at, owner, call.result)
    elif name == "_replace" or name == "update":
        for key, node, span in call.named:
            if key and node:
                at.solver.edge(node, at.objects.field(owner, TextKey(key)), ALL, "store", call.passage(node, span))


def _set_default(at: Analysis, owner: int, call: Call) -> None:
    """`rows.setdefault(key, default)` stores the default and returns what stands there."""
    (key, _), (node, span) = call.args
    texts = at.solver.values(key, Text)
    known: Key = TextKey(texts[0].text) if len(texts) == 1 else ANY
    if node:
        field = at.objects.field(owner, known)
        at.solver.edge(node, field, ALL, "store", call.passage(node, span))
    at.load_item(owner, (known,), call.result, call.result)


def remap(at: Analysis, survey: Survey, base: int, op: ops.Remap) -> None:
    """`{k: f(v) for k, v in a.items()}`, `[f(x) for x in a]`: the same keys, and what may pass through f."""
    number = at.put(base + op.target, Object(base + op.target, Shape(op.kind)))

    def react(source: int) -> None:
        value = at.solver.value(source)
        if isinstance(value, Object):
            at.objects.each_field(
                source, lambda key, field: at.solver.edge(field, at.objects.field(number, key), VALUES, "load")
            )
            if value.shape is Shape.ARRAY:
                at.solver.add(at.objects.field(number, ANY), source, base + op.source, source)
        elif isinstance(value, Flag):
            at.solver.add(at.objects.field(number, ANY), source & ~flag_lattice.ARRAY, base + op.source, source)

    at.solver.watch(base + op.source, react)


ATTRIBUTES: dict[type[Value], AttributeRule] = {
    Flag: attribute_of_flag,
    Object: attribute_of_object,
    Info: attribute_of_info,
}
CALLS: dict[type[Value], CallRule] = {ContainerMethod: call_container_method}
