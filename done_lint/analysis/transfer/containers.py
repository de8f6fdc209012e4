"""Containers: how they are made, and what their attributes and methods do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from done_lint.analysis import flag_lattice
from done_lint.analysis.calls import Call
from done_lint.analysis.context import Analysis, AttributeRule, CallRule
from done_lint.analysis.program import FunctionId
from done_lint.analysis.solver import ALL, VALUES
from done_lint.analysis.transfer.sequences import copy_infos, extend, rows, spread, take_over, transpose
from done_lint.analysis.values import (
    ChoiceMark,
    ClassRef,
    ContainerMethod,
    Environment,
    External,
    Flag,
    Info,
    Instance,
    MaskedMark,
    Object,
    Passage,
    Place,
    ProductMark,
    Shape,
    StepValue,
    Text,
    Value,
    Way,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY, ANY_NAME, AttributeKey, IndexKey, Key, TextKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import array_functions
from done_lint.knowledge.wrapper_attributes import WITH_HEIRS

#: The shapes by their names, which surveys write.
_SHAPES = {shape.value: shape for shape in Shape}


def allocate(at: Analysis, survey: Survey, base: int, op: ops.Allocate) -> None:
    number = at.put(base + op.target, Object(base + op.target, _SHAPES[op.kind]))
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
                _spread_mapping(at, base, op, element, number)
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


def _spread_mapping(at: Analysis, base: int, op: ops.Allocate, element: int, number: int) -> None:
    """`{**x, key: value}`; `{**infos}` alone is a copy."""
    spread(at, base + element, number)
    if len(op.elements) == 1:
        copy_infos(at, base + element, base + op.target)


def load_attribute(at: Analysis, survey: Survey, base: int, number: int, op: ops.Attribute) -> None:
    # most are read when all classes are known
    if at.unclassed is not None and isinstance(at.solver.value(number), (ClassRef, Instance)):
        at.once_classed(partial(at.attribute, number, op.name, base + op.target, base + op.source))
    else:
        at.attribute(number, op.name, base + op.target, base + op.source)


def set_attribute(at: Analysis, survey: Survey, base: int, number: int, op: ops.SetAttribute) -> None:
    value = at.solver.value(number)
    passage = Passage(Place.of(survey.path, op.at), base + op.value)
    if op.name == ANY_NAME:
        if isinstance(value, Instance):
            _set_column(at, value, base + op.value, passage)
    elif isinstance(value, (Instance, ClassRef)):
        if (target := _setter(at, value, op.name)) is None:
            at.fields.set_on(value, op, base + op.value, passage)
        else:
            at.solver.edge(base + op.value, target, ALL, "set", passage)
    elif isinstance(value, Object):
        at.solver.edge(
            base + op.value,
            at.objects.field(number, TextKey(op.name)),
            ALL,
            "store",
            Passage(Place.of(survey.path, op.at), base + op.value),
        )
    elif isinstance(value, Environment):
        at.envs.replaced.add((value.node, op.name))
    elif isinstance(value, External) and value.dotted in WITH_HEIRS:
        at.envs.given_to_all.add(op.name)


def _set_column(at: Analysis, owner: Instance, source: int, passage: Passage) -> None:
    """`setattr(self, name, zeros(shape))` for names that are computed: arrays only, all of them under one name."""
    field = at.objects.field(at.solver.intern(Instance(owner.path, owner.index)), AttributeKey(ANY_NAME))
    at.solver.precede(field, source, "set", passage)
    at.solver.watch(source, lambda one: at.solver.add(field, one, source, one) if at.objects.is_array(one) else None)


def _setter(at: Analysis, owner: Instance | ClassRef, name: str) -> int | None:
    """The parameter of the method that takes what is assigned to an attribute, `@env.setter`."""
    for ancestor in at.classes.lineage(owner.path, owner.index):
        if not isinstance(ancestor, str) and name in (setters := at.program.class_at(*ancestor).setters):
            params = at.program.function_at(FunctionId(ancestor.path, setters[name])).params
            return at.program.bases[ancestor.path] + params[1][1] if len(params) > 1 else None
    return None


def attribute_of_flag(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    if name in ("T", "mT", "data", "values"):
        at.solver.add(target, number, source, number)


def attribute_of_mark(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    """`q.max(1).values`; what else is read of a result is followed too far where losses are kept and shown."""
    if name == "values":
        at.solver.add(target, number, source, number)


def attribute_of_object(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    if name in at.objects.methods.get(number, ()):
        return
    if at.solver.get(number, Object).shape is Shape.RECORD:
        at.solver.edge(at.objects.field(number, TextKey(name)), target, ALL, "load")
        if name == "_fields":
            return
    if name in ("T", "mT", "data"):
        at.solver.add(target, number, source, number)
    if name == "T":
        transpose(at, number, target)
    _bind(at, number, name, target)


def attribute_of_info(at: Analysis, number: int, name: str, target: int, source: int) -> None:
    _bind(at, number, name, target)


def _bind(at: Analysis, owner: int, name: str, target: int) -> None:
    """Put a method into a node; those that do nothing here are one, or each of them would flow through the program."""
    at.put(target, ContainerMethod(owner, name) if name in _DOING else _IDLE)


def call_container_method(at: Analysis, number: int, call: Call) -> None:
    """`rows.append(x)`, `info.get(key)`."""
    method = at.solver.get(number, ContainerMethod)
    if not isinstance(at.solver.value(method.owner), Info):
        if (rule := _METHODS.get(method.name)) is not None:
            rule(at, method, call)
    elif method.name == "copy":
        at.solver.add(call.result, method.owner)
    elif method.name in ("get", "pop") and call.args:
        for text in at.solver.values(call.args[0].node, Text):
            at.load_item(method.owner, (TextKey(text.text),), call.result, call.result)


def _put(at: Analysis, method: ContainerMethod, call: Call) -> None:
    """`rows.append(x)`: into a pipe, it comes out at the other end."""
    if not call.args:
        return
    node, span = call.args[-1]
    owner = at.objects.peers.get(method.owner, method.owner)
    if method.name.startswith("extend"):
        extend(at, node, owner)
    elif node:
        at.solver.edge(node, at.objects.field(owner, ANY), ALL, "store", call.passage(node, span))


def _overwrite(at: Analysis, method: ContainerMethod, call: Call) -> None:
    """`dones[t].fill_(done)`: a row of an array is the array itself here."""
    if call.args and (node := call.args[0].node):
        at.solver.edge(node, at.objects.field(method.owner, ANY), ALL, "store", call.passage(node, call.args[0].span))


def _copy(at: Analysis, method: ContainerMethod, call: Call) -> None:
    """`terminations[t].copy_(terminated)`: of the flags that the environments give, those with one cause.

    Not those with both: rollouts that keep these often have a second mask beside them, of a key of the infos that the
    model does not know, and cut their targets rightly with both.
    """
    if not call.args or not (node := call.args[0].node):
        return
    field = at.objects.field(method.owner, ANY)

    def react(number: int) -> None:
        value = at.solver.value(number)
        if isinstance(value, Flag):
            passed = number & flag_lattice.CAUSES in (flag_lattice.TERMINATED, flag_lattice.TRUNCATED)
        else:
            passed = isinstance(value, StepValue) and value.part == "flag"
        if passed:
            at.solver.add(field, number, node, number)

    at.solver.precede(field, node, "store", call.passage(node, call.args[0].span))
    at.solver.watch(node, react)


def _items(at: Analysis, method: ContainerMethod, call: Call) -> None:
    _, row = rows(at, call)
    at.objects.each_field(
        method.owner, lambda _, field: at.solver.edge(field, at.objects.field(row, IndexKey(1)), ALL, "load")
    )


def _take(at: Analysis, method: ContainerMethod, call: Call) -> None:
    """`rows.pop()` is any element; `batch.get("done")` of a mapping is what stands under that key."""
    if at.solver.get(method.owner, Object).shape is not Shape.DICT or not call.args:
        at.load_fields(method.owner, call.result)
        return

    def under(number: int) -> None:
        if isinstance(value := at.solver.value(number), Text):
            at.load_item(method.owner, (TextKey(value.text),), call.result, call.result)

    if key := call.args[0].node:
        at.solver.watch(key, under)
    at.load_item(method.owner, (ANY,), call.result, call.result)


def _pass(at: Analysis, method: ContainerMethod, call: Call) -> None:
    at.solver.add(call.result, method.owner)
    if method.name == "transpose":
        transpose(at, method.owner, call.result)


def _replace(at: Analysis, method: ContainerMethod, call: Call) -> None:
    """`row._replace(done=x)`, `rows.update(done=x)`, `rows.update(others)`."""
    if method.name == "update" and call.args and call.args[0].node:
        take_over(at, call.args[0].node, method.owner)
    for key, node, span in call.named:
        if key and node:
            field = at.objects.field(method.owner, TextKey(key))
            at.solver.edge(node, field, ALL, "store", call.passage(node, span))


def _set_default(at: Analysis, method: ContainerMethod, call: Call) -> None:
    """`rows.setdefault(key, default)` stores the default and returns what stands there."""
    if len(call.args) != 2:
        return
    (key, _), (node, span) = call.args
    texts = at.solver.values(key, Text)
    known: Key = TextKey(texts[0].text) if len(texts) == 1 else ANY
    if node:
        field = at.objects.field(method.owner, known)
        at.solver.edge(node, field, ALL, "store", call.passage(node, span))
    at.load_item(method.owner, (known,), call.result, call.result)


def remap(at: Analysis, survey: Survey, base: int, op: ops.Remap) -> None:
    """`{k: f(v) for k, v in a.items()}`, `[f(x) for x in a]`: the same keys, and what may pass through f."""
    number = at.put(base + op.target, Object(base + op.target, _SHAPES[op.kind]))

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
        elif isinstance(value, StepValue):
            at.solver.add(at.objects.field(number, ANY), source, base + op.source, source)
            _rebuilt(at, source, base + op.source, base + op.target)

    at.solver.watch(base + op.source, react)


def rebuild(at: Analysis, survey: Survey, base: int, number: int, op: ops.Rebuilt) -> None:
    """What a step returned of all environments, put together again from what it returned of each."""
    if isinstance(at.solver.value(number), StepValue):
        for source in (base + one for one in op.sources):
            if number in at.solver.held[source]:
                _rebuilt(at, number, source, base + op.target)


def _rebuilt(at: Analysis, number: int, source: int, target: int) -> None:
    at.solver.add(target, number, source, number)
    at.solver.precede(target, source, "flow")


ATTRIBUTES: dict[type[Value], AttributeRule] = {
    **dict.fromkeys((Flag, StepValue), attribute_of_flag),
    **dict.fromkeys((ChoiceMark, MaskedMark, ProductMark), attribute_of_mark),
    Object: attribute_of_object,
    Info: attribute_of_info,
}
CALLS: dict[type[Value], CallRule] = {ContainerMethod: call_container_method}

#: What the methods of containers do, by name; where several rows have a name, the last counts.
_METHODS: dict[str, Callable[[Analysis, ContainerMethod, Call], None]] = {
    **dict.fromkeys(("_replace", "update"), _replace),
    **dict.fromkeys((*array_functions.PASSING_METHODS, *array_functions.DRAWING), _pass),
    **dict.fromkeys((*array_functions.TAKING, "values"), _take),
    "items": _items,
    **dict.fromkeys(array_functions.PUTTING, _put),
    "fill_": _overwrite,
    "copy_": _copy,
    "setdefault": _set_default,
}
#: The methods of which somebody asks what they are of.
_DOING = _METHODS.keys() | array_functions.OVERWRITING
_IDLE = ContainerMethod(0, "")
