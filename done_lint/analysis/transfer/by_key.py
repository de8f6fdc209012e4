"""Mappings that have a container of its own under each key, though the keys are not known where it is made."""

from __future__ import annotations

from functools import partial

from done_lint.analysis.context import Analysis
from done_lint.analysis.solver import ALL
from done_lint.analysis.transfer.items import set_item
from done_lint.analysis.transfer.sequences import make_under
from done_lint.analysis.values import Object, Passage, Place, Shape
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY, Key
from done_lint.flowgraph.schema import Survey


def make_by_key(at: Analysis, survey: Survey, base: int, number: int, op: ops.MadeByKey) -> None:
    """`{k: [] for k in keys}`, or `rows[k] = []`, by which a mapping gets a container for each key."""
    if not _is_mapping(at, number):
        set_item(at, survey, base, number, ops.SetItem(op.owner, (ANY,), op.element, op.at))
        return

    def make(field: int) -> None:
        at.solver.watch(base + op.element, partial(_like, at, field))

    make_under(at, number, make)


def _like(at: Analysis, field: int, number: int) -> None:
    value = at.solver.value(number)
    if isinstance(value, Object):
        at.put(field, Object(field, value.shape))


def append_by_key(at: Analysis, survey: Survey, base: int, number: int, op: ops.AppendByKey) -> None:
    """`for k, v in row.items(): rows[k].append(v)`: what stands under a key goes to the list under the same key."""
    passage = Passage(Place.of(survey.path, op.at), base + op.value)

    def put(source: int, one: int) -> None:
        if isinstance(at.solver.value(one), Object):
            at.solver.edge(source, at.objects.field(one, ANY), ALL, "store", passage)

    def each(mapped: int) -> None:
        if _is_mapping(at, mapped):
            at.objects.each_field(mapped, under)
        else:
            anywhere()

    def under(key: Key, source: int) -> None:
        rows = at.solver.add_node()
        at.load_item(number, (key,), rows, base + op.owner)
        at.solver.watch(rows, partial(put, source))

    def anywhere() -> None:
        under(ANY, base + op.value)

    if _is_mapping(at, number):
        at.solver.watch(base + op.mapping, each)
    else:
        anywhere()


def _is_mapping(at: Analysis, number: int) -> bool:
    value = at.solver.value(number)
    return isinstance(value, Object) and value.shape is Shape.DICT
