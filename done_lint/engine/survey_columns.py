"""Surveys as columns of numbers and texts, as JSON holds them, and back.

A survey has tens of thousands of small records. Read back one by one, they cost as much as surveying again; column by
column, a third of it. What is read is checked: a text that somebody else has written can be a wrong survey, and
nothing worse.
"""

from __future__ import annotations

import json
import types
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import chain, repeat
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from done_lint.core.findings import Span
from done_lint.flowgraph import keys, operations
from done_lint.flowgraph.keys import Key
from done_lint.flowgraph.operations import Keyword, Operation, Placed
from done_lint.flowgraph.schema import Survey

Column = list[Any]
Columns = Iterable[Any]

#: Shapes of values: numbers of records in a table, records by themselves, rows of values of several types, numbers and
#: texts. The other shapes are those of the collections.
Numbers, Record, Row, Plain = "numbers", "record", "row", "plain"
#: Stands for None in a column of numbers of records: the last element of each table is None.
_NONE = -1
_INT = frozenset({int})


def _concrete(table: type, module: types.ModuleType) -> tuple[type, ...]:
    """The records of a kind, in an order of their own."""
    found = (one for one in vars(module).values() if isinstance(one, type) and issubclass(one, table))
    return tuple(sorted(filter(is_dataclass, found), key=lambda one: one.__name__))


#: The records that a survey has in thousands. Each is kept once, in the table of its kind, and is a number elsewhere;
#: those of a table need no later table.
_TABLES: Mapping[Any, tuple[Any, ...]] = {
    Span: (Span,),
    Key: _concrete(Key, keys),
    Placed: (Placed,),
    Keyword: (Keyword,),
    Operation: _concrete(Operation, operations),
}


def written(survey: Survey) -> bytes:
    """A survey as text."""
    writer = _Writer()
    whole = writer.record(Survey, [survey])
    tables = [writer.table(kind) for kind in reversed(_TABLES)]
    return json.dumps([whole, *reversed(tables)], separators=(",", ":")).encode()


def read(text: bytes) -> Survey:
    """The survey that a text stands for.

    Raises:
        ValueError, TypeError, LookupError, AttributeError, RecursionError: it stands for none.
    """
    whole, *tables = json.loads(text)
    reader = _Reader()
    for kind, table in zip(_TABLES, tables, strict=True):
        reader.fill(kind, table)
    (survey,) = reader.records(Survey, whole)
    # each of its nodes is named in it
    if type(survey) is not Survey or not 0 <= survey.size <= len(text):
        raise ValueError("more nodes than text")
    return survey


@cache
def _fields(record: Any) -> tuple[tuple[str, Any], ...]:
    """The names and types of the fields of a record, in their order."""
    names = [one.name for one in fields(record)] if is_dataclass(record) else record._fields
    types_of = get_type_hints(record)
    return tuple((name, types_of[name]) for name in names)


@cache
def _shape(kind: Any) -> tuple[Any, Any]:
    """How the values of a type are written, and the types that this needs."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return (Numbers, _table(inner[0])) if _table(inner[0]) else (Plain, frozenset(inner))
    if origin is tuple and inner[-1] is not Ellipsis:
        return Row, inner
    if origin is dict:
        return dict, tuple(types.GenericAlias(list, (one,)) for one in inner)
    if origin is not None and origin is not Literal:
        return origin, inner[0]
    if table := _table(kind):
        return Numbers, table
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        return Record, kind
    # `rows[True]` has a truth for a position
    return Plain, frozenset({str} if origin is Literal else {kind, bool} if kind is int else {kind})


def _table(kind: Any) -> Any:
    """The kind of table that has records of a type; None for other types."""
    return next((table for table in _TABLES if isinstance(kind, type) and issubclass(kind, table)), None)


class _Writer:
    """Turns values into columns; meanwhile its tables grow."""

    def __init__(self) -> None:
        self._numbers: dict[Any, dict[Any, int]] = {table: {} for table in _TABLES}

    def record(self, record: Any, values: Iterable[Any]) -> list[Column]:
        """The columns of the fields of records of one type."""
        values = list(values)
        return [self._column(kind, [getattr(one, name) for one in values]) for name, kind in _fields(record)]

    def table(self, table: Any) -> list[Any]:
        """The records of a table: which is of what type, and the columns of each type."""
        values = self._numbers[table]
        if len(_TABLES[table]) == 1:
            return self.record(table, values)
        by_type: dict[Any, Column] = {}
        for value in values:
            by_type.setdefault(type(value), []).append(value)
        order = {record: number for number, record in enumerate(by_type)}
        columns = [[_TABLES[table].index(record), self.record(record, found)] for record, found in by_type.items()]
        return [[order[type(value)] for value in values], columns]

    def _column(self, kind: Any, values: Column) -> Column:
        shape, inner = _shape(kind)
        if shape is Plain:
            return values
        if shape is Numbers:
            return self._numbered(inner, values)
        if shape is Record:
            return self.record(inner, values)
        if shape is Row:
            return [self._column(one, [row[place] for row in values]) for place, one in enumerate(inner)]
        if shape is dict:
            return [self._column(inner[0], values), self._column(inner[1], [one.values() for one in values])]
        if shape in (set, frozenset):
            values = [sorted(one) for one in values]
        return [list(map(len, values)), self._column(inner, list(chain.from_iterable(values)))]

    def _numbered(self, table: Any, values: Column) -> Column:
        known = self._numbers[table]
        return [_NONE if one is None else known.setdefault(one, len(known)) for one in values]


class _Reader:
    """Turns columns into values again."""

    def __init__(self) -> None:
        self._tables: dict[Any, Column] = {}

    def fill(self, table: Any, columns: Any) -> None:
        """Read a table."""
        if len(_TABLES[table]) == 1:
            self._tables[table] = [*self.records(table, columns), None]
            return
        kinds, found = columns
        of_types = [iter(self.records(_TABLES[table][number], one)) for number, one in found]
        try:
            self._tables[table] = [next(of_types[kind]) for kind in kinds]
        except StopIteration:
            raise ValueError("a record is missing") from None
        self._tables[table].append(None)

    def records(self, record: Any, columns: Column) -> Iterable[Any]:
        """The records whose fields stand in columns."""
        values = [self._values(kind, column) for (_, kind), column in zip(_fields(record), columns, strict=True)]
        if not values:
            return repeat(record())
        # named tuples are made faster than they make themselves
        return map(tuple.__new__, repeat(record), zip(*values)) if issubclass(record, tuple) else map(record, *values)

    def _values(self, kind: Any, column: Any) -> Iterable[Any]:
        shape, inner = _shape(kind)
        if shape is Plain:
            return _checked(column, inner)
        if shape is Numbers:
            return map(self._tables[inner].__getitem__, column)
        if shape is Record:
            return self.records(inner, column)
        if shape is Row:
            return zip(*[self._values(one, values) for one, values in zip(inner, column, strict=True)])
        if shape is dict:
            return map(dict, map(zip, self._values(inner[0], column[0]), self._values(inner[1], column[1])))
        widths, values = column
        return map(shape, _pieces(_checked(widths, _INT), list(self._values(inner, values))))


def _pieces(widths: Iterable[int], values: Column) -> Iterable[Column]:
    """Values piece by piece."""
    start = 0
    for width in widths:
        yield values[start : start + width]
        start += width


def _checked(column: Column, kinds: frozenset[Any]) -> Column:
    if not kinds.issuperset(map(type, column)):
        raise TypeError("unexpected data")
    return column
