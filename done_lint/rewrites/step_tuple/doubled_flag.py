"""Wrappers whose `step` returns `truncated` in the place of `terminated` too, where another return hands on both."""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.naming_conventions import step_slot
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import class_of, environment_class
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.shapes import is_name


def doubled(context: Context, unpacking: Unpacking) -> list[cst.BaseExpression]:
    """The fourth value of the step inside, wherever `step` returns it as the third; none of other methods.

    A wrapper may end episodes at the limit alone, or hide the end of the task. One that hands on both flags in another
    return, and never asks for the end, does not; and its names say what they hold.
    """
    method, (third, fourth) = unpacking.scope, unpacking.targets[2:4]
    if not isinstance(method, cst.FunctionDef) or method.name.value != "step":
        return []
    if not isinstance(third, cst.Name) or not isinstance(fourth, cst.Name):
        return []
    if (step_slot(third.value), step_slot(fourth.value)) != (2, 3):
        return []
    made = class_of(context, method)
    owner = environment_class(context, made) if made is not None else None
    if owner is None or owner.double or owner.private or owner.adapter:
        return []
    if any(len(context.tree.scopes.bindings(method, one.value)) != 1 for one in (third, fourth)):
        return []
    rows = [
        [part.value for part in one.value.elements]
        for one in context.tree.descend(method, into_functions=False)
        if isinstance(one, cst.Return) and isinstance(one.value, cst.Tuple) and len(one.value.elements) == 5
    ]
    limited = [row for row in rows if is_name(row[3], fourth.value)]
    given = [row[2] for row in limited if is_name(row[2], third.value)]
    if not given or not set(context.tree.scopes.reads(method, third.value)) <= set(given):
        return []
    return [row[2] for row in limited if is_name(row[2], fourth.value)]
