"""Surveys as columns, and back (see `columns`)."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any

from done_lint.core.findings import Span
from done_lint.engine.columns import Format
from done_lint.flowgraph import keys, operations
from done_lint.flowgraph.keys import Key
from done_lint.flowgraph.operations import Keyword, Operation, Placed
from done_lint.flowgraph.schema import Survey


def _concrete(table: type, module: types.ModuleType) -> tuple[type, ...]:
    """The records of a kind, in an order of their own."""
    found = (one for one in vars(module).values() if isinstance(one, type) and issubclass(one, table))
    return tuple(sorted(filter(is_dataclass, found), key=lambda one: one.__name__))


#: The records that a survey has in thousands.
_TABLES: Mapping[Any, tuple[Any, ...]] = {
    Span: (Span,),
    Key: _concrete(Key, keys),
    Placed: (Placed,),
    Keyword: (Keyword,),
    Operation: _concrete(Operation, operations),
}
_FORMAT = Format(Survey, _TABLES)


def written(survey: Survey) -> bytes:
    """A survey as text."""
    return _FORMAT.written(survey)


def read(text: bytes) -> Survey:
    """The survey that a text stands for.

    Raises:
        ValueError, TypeError, LookupError, AttributeError, RecursionError: it stands for none.
    """
    survey = _FORMAT.read(text)
    # each of its nodes is named in it
    if type(survey) is not Survey or not 0 <= survey.size <= len(text):
        raise ValueError("more nodes than text")
    return survey
