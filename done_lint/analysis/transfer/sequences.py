"""Rows that come from others: spread, made longer, cut off, turned into columns; elements keep their places."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from done_lint.analysis.calls import Call
from done_lint.analysis.context import Analysis
from done_lint.analysis.solver import ALL, ELEMENTS, MARKS
from done_lint.analysis.values import (
    Environment,
    Flag,
    Info,
    Mark,
    Object,
    OwnStepResult,
    ResetColumns,
    ResetResult,
    Shape,
    StepColumns,
    StepResult,
    StepValue,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY, OTHER, IndexKey, Key
from done_lint.flowgraph.schema import Survey

#: From this position on, what is spread into an object has no place of its own: `return (x, *rest())` has no end.
_WIDEST = 32


def spread(at: Analysis, node: int, owner: int, start: int | None = 0) -> None:
    """`[*x]`, `{**x}`: the elements of x become elements of the owner, from position `start` on."""

    def react(number: int) -> None:
        if isinstance(at.solver.value(number), Object):
            join_elements(at, number, owner, start)

    at.solver.watch(node, react)


def join_elements(at: Analysis, number: int, owner: int, start: int | None) -> None:
    """The elements of one object become elements of another, from position `start` on."""

    def place(key: Key) -> Key:
        if not isinstance(key, IndexKey):
            return key
        known = start is not None and 0 <= key.position < _WIDEST - start
        return IndexKey(key.position + start) if start is not None and known else ANY

    at.objects.each_field(
        number, lambda key, field: at.solver.edge(field, at.objects.field(owner, place(key)), ALL, "load")
    )


def copy_infos(at: Analysis, node: int, target: int) -> None:
    """`{**infos}`, `dict(infos)`: the infos once more, which the copy says nothing else of."""

    def react(number: int) -> None:
        if isinstance(at.solver.value(number), Info):
            at.solver.add(target, number, node, number)

    at.solver.watch(node, react)


def take_over(at: Analysis, node: int, owner: int) -> None:
    """`dict(x)`, `d.update(x)`: what a mapping holds, or the second value of each pair, becomes the owner's."""

    def pair(number: int) -> None:
        if isinstance(at.solver.value(number), Object):
            second = at.objects.field(number, IndexKey(1))
            at.solver.edge(second, at.objects.field(owner, ANY), ALL, "load")

    def react(number: int) -> None:
        value = at.solver.value(number)
        if not isinstance(value, Object) or number == owner:
            return
        if value.shape in (Shape.DICT, Shape.RECORD):
            join_elements(at, number, owner, None)
        else:
            at.objects.each_field(number, lambda _, field: at.solver.watch(field, pair))

    at.solver.watch(node, react)


def update(at: Analysis, survey: Survey, base: int, number: int, op: ops.Update) -> None:
    value = at.solver.value(number)
    if isinstance(value, Object) and value.shape in (Shape.DICT, Shape.RECORD):
        spread(at, base + op.source, number)


def cut_off(at: Analysis, number: int, start: int, target: int, source: int) -> None:
    """`source[start:]`: the elements of a tuple move; of anything else it is the same once more."""
    length = at.objects.widths.get(number)
    if not start or length is None:
        at.solver.add(target, number, source, number)
        return
    first = max(start + length, 0) if start < 0 else start
    rest = at.put(target, Object(target, Shape.TUPLE))

    def move(key: Key, field: int) -> None:
        if not isinstance(key, IndexKey):
            at.solver.edge(field, at.objects.field(rest, key), ALL, "load")
        elif key.position >= first:
            at.solver.edge(field, at.objects.field(rest, IndexKey(key.position - first)), ALL, "load")

    at.objects.each_field(number, move)


def longer(at: Analysis, survey: Survey, base: int, op: ops.Longer) -> None:
    """`row + [reward, done]`: behind a row whose length is known, each element has its own place.

    Any other list goes on as it is, and so does what is put behind it.
    """
    before, more = (base + a for a in op.inputs)
    at.solver.edge(before, base + op.result, MARKS)

    def react(number: int) -> None:
        value = at.solver.value(number)
        if not isinstance(value, Object) or _lengthen(at, number, more, base + op.result):
            return
        if value.shape in (Shape.LIST, Shape.MANY):
            at.solver.add(base + op.result, number, before, number)

    def evaluate() -> None:
        if not any(at.objects.lengths.get(number) for number in at.solver.held[before]):
            for number in at.solver.all(more, Object):
                at.solver.add(base + op.result, number, more, number)

    at.solver.watch(before, react)
    at.solver.narrowing(base + op.result, (before, more), evaluate)


def _lengthen(at: Analysis, row: int, more: int, target: int) -> bool:
    """A new row of the elements of one and of what a node holds, if it is known how long the first one is."""
    if not (length := at.objects.lengths.get(row, 0)):
        return False
    whole = at.solver.intern(Object(target, at.solver.get(row, Object).shape))
    parts = {row} | at.objects.shorter.get(row, set())
    if whole not in parts:  # it may come back, through an attribute: `self.row += [...]`
        at.objects.shorter.setdefault(whole, set()).update(parts)
        join_elements(at, row, whole, 0)
        spread(at, more, whole, length)
        for number in at.solver.all(more, Object):
            at.objects.lengths.setdefault(whole, length + at.objects.lengths.get(number, 0))
        at.solver.add(target, whole)
    return True


def rows(at: Analysis, call: Call) -> tuple[int, int]:
    """The call gives a list of rows: the numbers of the list and of a row."""
    rows = at.solver.intern(Object(call.result, Shape.LIST))
    row = at.solver.intern(Object(at.solver.add_node(), Shape.ZIPPED))
    at.solver.add(call.result, rows)
    at.solver.add(at.objects.field(rows, ANY), row)
    return rows, row


def elements_into(at: Analysis, node: int, target: int) -> Callable[[int], None]:
    def react(number: int) -> None:
        value = at.solver.value(number)
        if isinstance(value, Object):
            if value.shape is Shape.ARRAY:
                at.solver.add(target, number, node, number)
            at.load_fields(number, target)
        elif isinstance(value, Flag):
            at.solver.edge(node, target, ELEMENTS)
        elif isinstance(value, (Mark, Info, Environment, StepValue)):
            at.solver.add(target, number, node, number)

    return react


def transpose(at: Analysis, table: int, target: int) -> None:
    """`np.array(batch).T`: the table itself, which may be no table of rows, and its columns."""
    if isinstance(at.solver.value(table), Object):
        columns = at.put(target, Object(target, Shape.TRANSPOSED))
        columns_into(at, columns, target)(table)


def columns_into(at: Analysis, columns: int, target: int) -> Callable[[int], None]:
    """Reacts to a table of rows: column i, an element of `columns`, holds element i of every row.

    Where the rows are what several environments returned, `target` holds the columns of a step or a reset.
    """
    made: dict[IndexKey, int] = {}

    def cell(key: Key, value: int) -> None:
        if isinstance(key, IndexKey) and key.position >= 0:
            column = made.get(key)
            if column is None:
                column = made[key] = at.solver.intern(Object(at.solver.add_node(), Shape.MANY))
                at.solver.add(at.objects.field(columns, key), column)
            at.solver.edge(value, at.objects.field(column, ANY), ALL, "load")

    def row(number: int) -> None:
        value = at.solver.value(number)
        if isinstance(value, Object):
            at.objects.each_field(number, cell)
        elif isinstance(value, (StepResult, OwnStepResult)):
            at.put(target, StepColumns(value.env, value.node))
        elif isinstance(value, ResetResult):
            at.put(target, ResetColumns(value.env, value.node))

    def table(number: int) -> None:
        if isinstance(at.solver.value(number), Object):
            at.objects.each_field(number, lambda _, field: at.solver.watch(field, row))

    return table


def make_under(at: Analysis, owner: int, make: Callable[[int], None]) -> None:
    """Let a mapping have an element under each key; it may be one that is filled under a key that is not known."""
    others = at.objects.field(owner, OTHER)

    def made(field: int) -> None:
        make(field)
        if field != others:
            at.solver.watch(field, partial(_fill, at, others))

    at.objects.make_by_key(owner, made)


def _fill(at: Analysis, others: int, number: int) -> None:
    if isinstance(at.solver.value(number), Object):
        extend(at, others, number)


def extend(at: Analysis, node: int, owner: int) -> None:
    def react(number: int) -> None:
        if isinstance(at.solver.value(number), Object):
            at.objects.each_field(
                number, lambda key, field: at.solver.edge(field, at.objects.field(owner, ANY), ALL, "load")
            )

    if node:
        at.solver.watch(node, react)
