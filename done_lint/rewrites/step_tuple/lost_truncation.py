"""Wrappers whose `step` takes five values from what is inside, and returns `False` where the fourth belongs."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import class_of, environment_class, statements
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple.flag_names import step_name
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.edits import replaced
from done_lint.syntax.shapes import is_name

ANOTHER_END = "what steps the wrapper sees an end that it did not see before"
#: Methods of a class that does nothing else than to leave the flag out.
_ALONE = frozenset({"__init__", "step"})


def ends(context: Context, unpacking: Unpacking) -> list[cst.BaseExpression]:
    """The `False` of each tuple that such a `step` returns, beside the third value as it came; none of other methods.

    A wrapper that ends episodes by itself has decided about the limit, and one that does nothing else leaves it out on
    purpose.
    """
    method, flag = unpacking.scope, unpacking.targets[2]
    if not isinstance(method, cst.FunctionDef) or method.name.value != "step" or not isinstance(flag, cst.Name):
        return []
    owner = environment_class(context, made) if (made := class_of(context, method)) is not None else None
    if made is None or owner is None or owner.double or owner.private or owner.adapter:
        return []
    if len(context.tree.scopes.bindings(method, flag.value)) != 1:
        return []
    returned = [one.value for one in context.tree.descend(method, into_functions=False) if isinstance(one, cst.Return)]
    rows = [[part.value for part in one.elements] if isinstance(one, cst.Tuple) else [] for one in returned]
    if not rows or _only_leaves_out(context, made, unpacking, rows[0]):
        return []
    if not all(len(row) == 5 and is_name(row[3], "False") and _is(row[2], flag) for row in rows):
        return []
    return [row[3] for row in rows]


def handed_on(context: Context, unpacking: Unpacking, lost: Sequence[cst.BaseExpression]) -> Outcome:
    """Return the fourth value, where nothing but its name has to change."""
    method, slot = unpacking.scope, unpacking.targets[3]
    assert isinstance(method, cst.FunctionDef)
    assert isinstance(slot, cst.Name)
    if unpacking.statement not in statements(method):
        return unfixed("the step stands in a branch or a loop: which of its results ends the episode does not show")
    name = step_name(context, method, "truncated") if slot.value.startswith("_") else slot.value
    if name == slot.value and len(context.tree.scopes.bindings(method, name)) > 1:
        return unfixed("`step` gives the flag other values, too")
    changed = [slot, *lost] if name != slot.value else lost
    edits = (replaced(context.tree, one, cst.Name(name)) for one in changed)
    return fixed("return it", *edits, unsure=ANOTHER_END)


def _is(value: cst.BaseExpression, flag: cst.Name) -> bool:
    """`terminated`, `bool(terminated)`."""
    if isinstance(value, cst.Call) and is_name(value.func, "bool") and len(value.args) == 1:
        value = value.args[0].value
    return is_name(value, flag.value)


def _only_leaves_out(
    context: Context, made: cst.ClassDef, unpacking: Unpacking, row: Sequence[cst.BaseExpression]
) -> bool:
    """Whether a class is there for nothing else than to return no truncation."""
    methods = {one.name.value for one in made.body.body if isinstance(one, cst.FunctionDef)}
    taken, given = ([context.tree.source(one) for one in values] for values in (unpacking.targets, row))
    same = taken[:3] == given[:3] and taken[4:] == given[4:]
    method = unpacking.scope
    return same and methods <= _ALONE and isinstance(method, cst.FunctionDef) and len(statements(method)) == 2
