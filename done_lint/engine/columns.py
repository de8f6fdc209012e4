"""Values of one type as columns of numbers and texts, as JSON holds them, and back.

What a project's model is made of are tens of thousands of small records. Read back one by one, they cost as much as
finding them out again; column by column, a third of it. What is read is checked: a text that somebody else has written
can be a wrong value, and nothing worse.
"""

from __future__ import annotations

import json
import types
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import chain, repeat
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from done_lint.flowgraph.placed_nodes import WIDTH, PlacedNodes

Column = list[Any]
Columns = Iterable[Any]

#: Shapes of values: numbers of records in a table, names of constants, records by themselves, rows of values of several
#: types, values that may be None, numbers and texts, packed places. The other shapes are those of the collections.
Numbers, Named, Record, Row, Maybe, Plain, Packed = "numbers", "named", "record", "row", "maybe", "plain", "packed"
#: Stands for None in a column of numbers of records: the last element of each table is None.
_NONE = -1
_INT, _BOOL, _STR = frozenset({int}), frozenset({bool}), frozenset({str})
_ATOMS = frozenset({int, str, bool, types.NoneType})


def fields_of(record: Any) -> tuple[tuple[str, Any], ...]:
    """The names and types of the fields of a record, in their order."""
    return _fields(record)


@cache
def _fields(record: Any) -> tuple[tuple[str, Any], ...]:
    names = [one.name for one in fields(record)] if is_dataclass(record) else record._fields
    types_of = get_type_hints(record)
    return tuple((name, types_of[name]) for name in names)


class Format:
    """How the values of one type are written."""

    def __init__(
        self,
        whole: type,
        tables: Mapping[Any, tuple[Any, ...]],
        named: Mapping[Any, Mapping[str, Any]] | None = None,
        *,
        by_identity: bool = False,
    ) -> None:
        """Read the types when they are asked for.

        Args:
            whole: the type of the values.
            tables: the records that there are thousands of, and the types of each kind. Each record is kept once, in
                the table of its kind, and is a number elsewhere; those of a table need no later table.
            named: the constants of a type, by their names, which stand for them.
            by_identity: records that are equal, but not the same one, are kept twice.
        """
        self.whole = whole
        self.tables = tables
        self.named = named or {}
        self.by_identity = by_identity
        self._shapes: dict[Any, tuple[Any, Any]] = {}

    def written(self, value: object) -> bytes:
        """A value as text."""
        writer = _Writer(self)
        whole = writer.record(self.whole, [value])
        tables = [writer.table(kind) for kind in reversed(self.tables)]
        return json.dumps([whole, *reversed(tables)], separators=(",", ":")).encode()

    def read(self, text: bytes) -> Any:
        """The value that a text stands for.

        Raises:
            ValueError, TypeError, LookupError, AttributeError, RecursionError: it stands for none.
        """
        whole, *tables = json.loads(text)
        reader = _Reader(self)
        for kind, table in zip(self.tables, tables, strict=True):
            reader.fill(kind, table)
        (value,) = reader.records(self.whole, whole)
        return value

    def shape(self, kind: Any) -> tuple[Any, Any]:
        """How the values of a type are written, and the types that this needs."""
        found = self._shapes.get(kind)
        if found is None:
            found = self._shapes[kind] = self._shape(kind)
        return found

    def of_record(self, kind: Any) -> tuple[Any, Any]:
        """The same of a type that may be that of a table."""
        return self._collection(kind) or (Record, kind)

    def _shape(self, kind: Any) -> tuple[Any, Any]:
        if table := self._table(kind):
            return Numbers, table
        if get_origin(kind) in (Union, types.UnionType):
            return self._either(get_args(kind))
        if found := self._collection(kind):
            return found
        if isinstance(kind, type) and issubclass(kind, PlacedNodes):
            return Packed, kind
        if kind in self.named:
            return Named, self.named[kind]
        if is_dataclass(kind) or hasattr(kind, "_fields"):
            return Record, kind
        # `rows[True]` has a truth for a position
        return Plain, _STR if get_origin(kind) is Literal else frozenset({kind, bool} if kind is int else {kind})

    def _either(self, inner: tuple[Any, ...]) -> tuple[Any, Any]:
        if table := self._table(inner[0]):
            return Numbers, table
        return (Plain, frozenset(inner)) if _ATOMS.issuperset(inner) else (Maybe, inner[0])

    def _collection(self, kind: Any) -> tuple[Any, Any] | None:
        origin, inner = get_origin(kind), get_args(kind)
        if origin is tuple and inner[-1] is not Ellipsis:
            return Row, inner
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return dict, tuple(types.GenericAlias(list, (one,)) for one in inner)
        return (origin, inner[0]) if origin in (list, tuple, set, frozenset) else None

    def _table(self, kind: Any) -> Any:
        """The kind of table that has records of a type; None for other types."""
        if kind in self.tables:
            return kind
        return next((one for one in self.tables if _is_below(kind, one)), None)


def _is_below(kind: Any, table: Any) -> bool:
    return isinstance(kind, type) and isinstance(table, type) and get_origin(kind) is None and issubclass(kind, table)


class _Writer:
    """Turns values into columns; meanwhile its tables grow."""

    def __init__(self, form: Format) -> None:
        self._form = form
        self._numbers: dict[Any, dict[Hashable, int]] = {table: {} for table in form.tables}
        self._values: dict[Any, Column] = {table: [] for table in form.tables}

    def record(self, record: Any, values: Iterable[Any]) -> list[Column]:
        """The columns of the fields of records of one type."""
        values = list(values)
        return [self._column(kind, [getattr(one, name) for one in values]) for name, kind in _fields(record)]

    def table(self, table: Any) -> list[Any]:
        """The records of a table: which is of what type, and the columns of each type."""
        values = self._values[table]
        if len(self._form.tables[table]) == 1:
            return self._shaped(*self._form.of_record(table), values)
        by_type: dict[Any, Column] = {}
        for value in values:
            by_type.setdefault(type(value), []).append(value)
        order = {record: number for number, record in enumerate(by_type)}
        kinds = self._form.tables[table]
        columns = [[kinds.index(record), self.record(record, found)] for record, found in by_type.items()]
        return [[order[type(value)] for value in values], columns]

    def _column(self, kind: Any, values: Column) -> Column:
        return self._shaped(*self._form.shape(kind), values)

    def _shaped(self, shape: Any, inner: Any, values: Column) -> Column:
        if shape is Plain:
            return values
        if shape is Numbers:
            return self._numbered(inner, values)
        if shape is Record:
            return self.record(inner, values)
        if shape is Named:
            return [one.name for one in values]
        if shape is Maybe:
            return [
                [one is not None for one in values],
                self._column(inner, [one for one in values if one is not None]),
            ]
        if shape is Row:
            return [self._column(one, [row[place] for row in values]) for place, one in enumerate(inner)]
        if shape is dict:
            return [self._column(inner[0], values), self._column(inner[1], [one.values() for one in values])]
        if shape is Packed:
            rows = (
                [*chain.from_iterable(one.nodes for one in values)],
                [*chain.from_iterable(one.numbers for one in values)],
            )
            return [list(map(len, values)), *rows]
        if shape in (set, frozenset):
            values = [sorted(one) for one in values]
        return [list(map(len, values)), self._column(inner, list(chain.from_iterable(values)))]

    def _numbered(self, table: Any, values: Column) -> Column:
        numbers, kept = self._numbers[table], self._values[table]
        found = []
        for value in values:
            if value is None:
                found.append(_NONE)
                continue
            key = value if not self._form.by_identity or issubclass(type(value), tuple) else id(value)
            number = numbers.get(key)
            if number is None:
                number = numbers[key] = len(kept)
                kept.append(value)
            found.append(number)
        return found


class _Reader:
    """Turns columns into values again."""

    def __init__(self, form: Format) -> None:
        self._form = form
        self._tables: dict[Any, Column] = {}

    def fill(self, table: Any, columns: Any) -> None:
        """Read a table."""
        record_types = self._form.tables[table]
        if len(record_types) == 1:
            self._tables[table] = [*self._shaped(*self._form.of_record(table), columns), None]
            return
        kinds, found = columns
        of_types = [iter(self.records(record_types[number], one)) for number, one in found]
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
        return self._shaped(*self._form.shape(kind), column)

    def _shaped(self, shape: Any, inner: Any, column: Any) -> Iterable[Any]:
        if shape is Plain:
            return _checked(column, inner)
        if shape is Numbers:
            return map(self._tables[inner].__getitem__, column)
        if shape is Record:
            return self.records(inner, column)
        if shape is Named:
            return map(inner.__getitem__, column)
        if shape is Row:
            return zip(*[self._values(one, values) for one, values in zip(inner, column, strict=True)])
        if shape is dict:
            return map(dict, map(zip, self._values(inner[0], column[0]), self._values(inner[1], column[1])))
        if shape is Packed:
            widths, nodes, numbers = (_checked(one, _INT) for one in column)
            return map(inner, _pieces(widths, nodes), _pieces([WIDTH * one for one in widths], numbers))
        first, values = column
        if shape is Maybe:
            there = iter(list(self._values(inner, values)))
            return [next(there) if one else None for one in _checked(first, _BOOL)]
        return map(shape, _pieces(_checked(first, _INT), list(self._values(inner, values))))


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
