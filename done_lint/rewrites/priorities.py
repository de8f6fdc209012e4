"""A flag that is kept beside what it cuts: `memory.store(td_error, state, action, reward, next_state, done)`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.vectors.next_values import step_statements
from done_lint.syntax.bound_names import Names, Read
from done_lint.syntax.shapes import only_target

#: What a row has of its step at least, beside the flag: a reward and an observation.
_FEWEST = 2


def stored_beside(context: Context, flag: cst.BaseExpression) -> str:
    """What is called with a row, its flag, and the value that this cuts here, where that call is reported by nothing.

    The value is the priority of the row, and the flag cuts the target that is learnt from it: `terminated` belongs
    into both, or into none.
    """
    tree, names = context.tree, context.bound_names
    statement = next((one for one in tree.ancestors(flag) if isinstance(one, cst.BaseSmallStatement)), None)
    target = only_target(statement)
    read = names.reads.get(tree.offsets(flag)[0]) if names is not None else None
    if names is None or read is None or statement is None or not isinstance(target, cst.Name):
        return ""
    values = names.by_binding.get((target.value, tree.offsets(statement)[0]), [])
    for call in tree.of_type(cst.Call) if values else []:
        given = list(_given(context, names, call))
        stepped = [one for one in given if not one.sources.isdisjoint(step_statements(context))]
        whole = any(one in values for one in given) and len(stepped) >= _FEWEST
        if whole and any((one.name, one.sources) == (read.name, read.sources) for one in given):
            parts = [call, *(one.value for one in call.args)]
            return "" if any(tree.span(one) in context.facts.sinks for one in parts) else tree.source(call.func)
    return ""


def _given(context: Context, names: Names, call: cst.Call) -> Iterator[Read]:
    """The names that a call is given as they are."""
    offsets = (context.tree.offsets(one.value)[0] for one in call.args if isinstance(one.value, cst.Name))
    yield from (names.reads[offset] for offset in offsets if offset in names.reads)
