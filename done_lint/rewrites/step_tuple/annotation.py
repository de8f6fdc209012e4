"""The return annotation of a `step`: `Tuple[Obs, float, bool, dict]` gets one more `bool`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import libcst as cst

from done_lint.rewrites.tuple_targets import plain_comma
from done_lint.syntax.dotted import last_name
from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.tree import Tree

Type = TypeVar("Type", cst.SubscriptElement, cst.BaseElement)

#: Where the flag stands in a result of four.
_DONE = 2


def says_four(annotation: cst.BaseExpression) -> bool:
    """Whether the annotation is a tuple of four types."""
    if isinstance(annotation, cst.Tuple):
        return len(annotation.elements) == 4
    if not isinstance(annotation, cst.Subscript) or len(annotation.slice) != 4:
        return False
    return last_name(annotation.value) in ("Tuple", "tuple")


def types_of(annotation: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The types of the values; empty where the annotation is no tuple."""
    if isinstance(annotation, cst.Tuple):
        return [element.value for element in annotation.elements]
    parts = [one.slice for one in annotation.slice] if isinstance(annotation, cst.Subscript) else []
    return [part.value for part in parts if isinstance(part, cst.Index)]


def five_types(tree: Tree, annotation: cst.BaseExpression) -> Edits:
    """Edits after which it has five."""
    if isinstance(annotation, cst.Subscript):
        return replaced(tree, annotation, annotation.with_changes(slice=_twice(annotation.slice)))
    if isinstance(annotation, cst.Tuple):
        return replaced(tree, annotation, annotation.with_changes(elements=_twice(annotation.elements)))
    return ()


def _twice(types: Sequence[Type]) -> list[Type]:
    """The types, that of the flag twice."""
    found = list(types)
    found.insert(_DONE, found[_DONE].with_changes(comma=plain_comma(found[_DONE - 1].comma)))
    return found
