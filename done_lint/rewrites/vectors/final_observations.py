"""Final observations in the place of those after a reset, where a vector environment resets in the same step."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from done_lint.core.findings import Edit, Span
from done_lint.knowledge.env_apis import FIVE, SB3_VEC_ENV
from done_lint.knowledge.vector_info_keys import OF_OBSERVATIONS, SB3_FINAL
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.rewrites.vectors.asked_finals import asks_for_its_final
from done_lint.rewrites.vectors.same_step import resets_at_once, resets_later
from done_lint.rewrites.vectors.stored_transitions import StoredTransition
from done_lint.syntax.edits import indentation, newline, replaced
from done_lint.syntax.shapes import only_target, string_value
from done_lint.syntax.tree import Tree

#: Where Stable-Baselines3 keeps them, whose infos are a list.
_OF_SB3 = f'infos[i]["{SB3_FINAL}"]'
_TYPE = "how final observations get into the batch depends on their type"

_ARRAYS = "nothing shows that the observations are one array, with a row for each environment"


def is_given_final(context: Context, step: Unpacking, observation: cst.Name) -> bool:
    """Whether rows of an observation are replaced by what a call makes of the infos: its final observations.

    `last = last_of(infos)` before `next_obs[ended] = last[ended]`.
    """
    tree, scope, infos = context.tree, step.scope, step.targets[-1]
    if not isinstance(infos, cst.Name):
        return False
    calls = [
        tree.parents[tree.parents[one]]
        for one in tree.scopes.reads(scope, infos.value)
        if isinstance(tree.parents[one], cst.Arg)
    ]
    bound = ((call, only_target(tree.parents[call])) for call in calls)
    names = {target.value for call, target in bound if isinstance(target, cst.Name)}
    for read in tree.scopes.reads(scope, observation.value):
        row = tree.parents[read]
        target = tree.parents[row]
        written = tree.parents[target] if isinstance(target, cst.AssignTarget) else None
        if isinstance(row, cst.Subscript) and row.value is read and isinstance(written, cst.Assign):
            inside = (written.value, *tree.descend(written.value))
            if any(one in calls or (isinstance(one, cst.Name) and one.value in names) for one in inside):
                return True
    return False


def counts_on_final(tree: Tree, scope: cst.CSTNode) -> bool:
    """Whether a function takes final observations, and nowhere asks whether they are there."""
    keys = [one for one in tree.descend(scope) if string_value(one) in OF_OBSERVATIONS]
    return bool(keys) and all(isinstance(tree.parents[tree.parents[one]], cst.SubscriptElement) for one in keys)


@per_file
def lost_ends(context: Context) -> Mapping[Span, str]:
    """The flags of steps that reset in the same step, in functions where nobody asks for the final observations.

    For each, where the infos of that step have them.
    """
    return {
        context.tree.span(flag): _OF_SB3 if step.step.env.api == SB3_VEC_ENV else 'infos["final_obs"]'
        for step in context.unpackings
        if resets_at_once(context, step.step.env) and not asks_for_its_final(context, step)
        for flag in step.targets[2:4]
    }


def with_final(context: Context, stored: StoredTransition, key: str) -> Outcome:
    """Store `real_next_obs`: a copy of the observations, with the final one where the limit ended an episode."""
    if any(resets_later(context, made) for made in stored.step.step.env.made):
        return unfixed("the vector environment has to be asked for `SAME_STEP` first")
    if stored.step.step.env.api.step != FIVE:
        return unfixed(_TYPE)
    tree = context.tree
    truncated, infos = stored.step.targets[3], stored.step.targets[4]
    statement = tree.row(stored.observation)
    if (
        stored.single
        or stored.converted
        or statement is None
        or len(statement.body) != 1
        or not isinstance(tree.parents[statement], cst.IndentedBlock)
    ):
        return unfixed(_TYPE)
    if not all(isinstance(one, cst.Name) and _still(tree, stored, one) for one in (truncated, infos)):
        return unfixed("the infos or the flags have another value where the row is stored")
    if stored.shared:
        return unfixed(f"`{stored.shared[0]}` is also read where the observation after the reset is meant")
    scope = stored.step.scope
    (new,), (place,), (cut,) = (tree.scopes.fresh(scope, name) for name in ("real_next_obs", "i", "trunc"))
    inside, unit = indentation(tree, statement), tree.module.default_indent
    rows = (
        f"{new} = {stored.observation.value}.copy()",
        f"for {place}, {cut} in enumerate({tree.source(truncated)}):",
        f"{unit}if {cut}:",
        f'{unit * 2}{new}[{place}] = {tree.source(infos)}["{key}"][{place}]',
    )
    start = tree.offsets(statement)[0]
    added = Edit(start, start, "".join(f"{row}{newline(tree)}{inside}" for row in rows))
    edits = replaced(tree, stored.observation, cst.Name(new))
    return fixed("store the final observation where an episode was truncated", (added,), edits, unsure=_ARRAYS)


def _still(tree: Tree, stored: StoredTransition, name: cst.Name) -> bool:
    """Whether a name has the same value where the row is stored."""
    start, end = tree.span(stored.step.statement), tree.span(stored.observation)
    bindings = tree.scopes.bindings(stored.step.scope, name.value)
    return not any(start < tree.span(one) < end and one is not name for one in bindings)
