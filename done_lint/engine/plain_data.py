"""Results as plain data and back: lists, texts and numbers, as JSON has them.

What is read back is checked against its type, field by field: a file that somebody else has written can be wrong, and
can never be more than a wrong result.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from done_lint.core.witness import digest

Kind = TypeVar("Kind")
#: A longer mark is replaced by its digest.
_SHORT = 100


def plain(value: object) -> object:
    """A value as JSON can hold it: a dataclass or a tuple becomes a list, a set a sorted one."""
    if is_dataclass(value):
        return [plain(getattr(value, one.name)) for one in fields(value)]
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    if isinstance(value, dict):
        return [[plain(key), plain(one)] for key, one in value.items()]
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def read_back(kind: type[Kind], value: object) -> Kind:
    """The value of a type that such data stand for.

    Raises:
        ValueError: they stand for none.
    """
    found: Kind = _read(kind, value)
    return found


def _read(kind: Any, value: Any) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return None if value is None and type(None) in arguments else _read(arguments[0], value)
    if origin is Literal:
        return _checked(value, isinstance(value, str) and value in arguments)
    if kind in (str, int, bool):
        return _checked(value, type(value) is kind)
    _checked(value, type(value) is list)
    if origin is dict:
        return {_read(arguments[0], key): _read(arguments[1], one) for key, one in map(_pair, value)}
    if origin in (list, frozenset):
        return origin(_read(arguments[0], one) for one in value)
    if origin is tuple and arguments[-1] is Ellipsis:
        return tuple(_read(arguments[0], one) for one in value)
    types_of_fields = arguments if origin is tuple else _fields(kind)
    _checked(value, len(value) == len(types_of_fields))
    made = [_read(inner, one) for inner, one in zip(types_of_fields, value)]
    return tuple(made) if origin is tuple else kind(*made)


def _checked(value: Any, right: bool) -> Any:
    if not right:
        raise ValueError(f"unexpected data: {type(value).__name__}")
    return value


def _pair(value: Any) -> Any:
    return _checked(value, type(value) is list and len(value) == 2)


@cache
def _fields(kind: Any) -> tuple[Any, ...]:
    """The types of the fields of a dataclass or a named tuple, in their order."""
    return tuple(get_type_hints(kind).values())


def mark(value: object, marks: dict[int, str]) -> str:
    """A short text that only an equal value has.

    Args:
        value: made of dataclasses, collections, texts and numbers, of which nothing changes.
        marks: those of the parts that were seen before, by identity; the parts have to stay alive.

    Raises:
        TypeError: it is made of something else.
    """
    if value is None or isinstance(value, (str, int, float)):
        return repr(value)
    known = marks.get(id(value))
    if known is None:
        known = ",".join(_marks(value, marks))
        marks[id(value)] = known = _short(f"{type(value).__name__}({known})")
    return known


def _short(text: str) -> str:
    return text if len(text) < _SHORT else digest(text.encode("utf-8", "surrogatepass"))


def _marks(value: object, marks: dict[int, str]) -> Iterable[str]:
    if is_dataclass(value):
        return (mark(getattr(value, one.name), marks) for one in fields(value))
    if isinstance(value, (list, tuple)):
        return (mark(one, marks) for one in value)
    if isinstance(value, Mapping):
        return (f"{mark(key, marks)}:{mark(one, marks)}" for key, one in value.items())
    if isinstance(value, (set, frozenset)):
        return sorted(mark(one, marks) for one in value)
    raise TypeError(type(value).__name__)
