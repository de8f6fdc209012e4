"""Values of next observations that count where an episode was truncated: in the reward, or as the value of its end.

`rewards[i] += gamma * critic(next_obs[i])` behind `if truncated[i]`, and `rewards + critic(next_obs) * truncated`; or
`last = critic(next_obs[i]) if truncated[i] else 0`, and `rows.finish(i, worth[i])` beside `rows.finish(i, 0)`. Where
the step that ends an episode resets, that is the value of the first observation of the next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.rewrites.vectors.beside_zero import is_beside_zero
from done_lint.rewrites.vectors.ended_alone import is_only_where, of_truncations
from done_lint.rewrites.vectors.same_step import resets_at_once
from done_lint.syntax.shapes import only_target


@dataclass(frozen=True)
class TruncationValue:
    """The value of an observation after a reset that counts where an episode was truncated."""

    step: Unpacking
    #: The observation as it is valued.
    observation: cst.Name
    #: It is added to the reward; else it is what the episode ends with.
    rewarded: bool


def truncation_values(context: Context) -> Iterator[TruncationValue]:
    """All such values of a file."""
    for step in context.unpackings:
        env = step.step.env
        if env.unlimited or step.starred or step.part is not None or len(step.targets) != len(env.api.step):
            continue
        observation, reward = step.targets[:2]
        if not isinstance(observation, cst.Name) or not isinstance(reward, cst.Name):
            continue
        for read in reads_behind(context, step.statement, observation) if resets_at_once(context, env) else ():
            values = [value for value, cut in _values(context, read) if cut]
            if any(is_added_to(_statement(context, one), reward.value) for one in values):
                yield TruncationValue(step, read, rewarded=True)
            elif any(is_beside_zero(context, one) for one in values):
                yield TruncationValue(step, read, rewarded=False)


def _values(context: Context, read: cst.Name) -> Iterator[tuple[cst.Name, bool]]:
    """Where the value of an observation is read, `worth = critic(next_obs)`; and whether it is of truncations alone."""
    waiting, seen = [(read, _is_in_call(context, read), False)], {read.value}
    while waiting:
        one, valued, cut = waiting.pop()
        cut = cut or is_only_where(context, one, of_truncations)
        if valued:
            yield one, cut
        small = _statement(context, one)
        target = only_target(small)
        if isinstance(small, cst.Assign) and isinstance(target, cst.Name) and target.value not in seen and valued:
            seen.add(target.value)
            waiting += ((later, True, cut) for later in reads_behind(context, small, target))


def _is_in_call(context: Context, read: cst.Name) -> bool:
    """Whether a statement gives a call what it reads."""
    row = context.tree.row(read)
    arguments = (one for one in context.tree.ancestors(read) if isinstance(one, cst.Arg))
    return row is not None and any(context.tree.within(one, row) for one in arguments)


def _statement(context: Context, node: cst.CSTNode) -> cst.BaseSmallStatement | None:
    row = context.tree.row(node)
    return row.body[0] if row is not None and len(row.body) == 1 else None


def reads_behind(context: Context, statement: cst.CSTNode, name: cst.Name) -> Iterator[cst.Name]:
    """The reads of what a statement gives to a name, until the name or an element of it gets another value."""
    tree, start = context.tree, context.tree.span(statement)
    scope = tree.scope(name)
    reads = tree.scopes.reads(scope, name.value)
    changed = [one for one in tree.scopes.bindings(scope, name.value) if one is not name]
    changed += [one for one in reads if _is_changed(context, one)]
    for read in reads:
        end = tree.span(read)
        if start < end and not tree.within(read, statement):
            row = tree.row(read)  # what it binds gets its value later
            if not any(start < tree.span(one) < end and tree.row(one) is not row for one in changed):
                yield read


def _is_changed(context: Context, read: cst.Name) -> bool:
    """Whether an element of a name is assigned to, or a call is given it beside the infos and may do so."""
    around = context.tree.parents[read]
    if isinstance(around, cst.Subscript) and around.value is read:
        return isinstance(context.tree.parents[around], (cst.AssignTarget, cst.AugAssign))
    call = context.tree.parents[around] if isinstance(around, cst.Arg) else None
    others = [one.value for one in call.args] if isinstance(call, cst.Call) else []
    return any(context.tree.span(one) in context.facts.infos for one in others)


def is_added_to(statement: cst.CSTNode | None, reward: str) -> bool:
    """Whether a statement adds something to a name or to an element of it: `r[i] += x`, `r = r + x`."""
    if isinstance(statement, cst.AugAssign):
        return isinstance(statement.operator, cst.AddAssign) and _base(statement.target) == reward
    value = statement.value if isinstance(statement, cst.Assign) and only_target(statement) is not None else None
    return (
        isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Add) and _base(value.left) == reward
    )


def _base(node: cst.CSTNode) -> str:
    """The name in `rewards`, and in `rewards[i]`."""
    inside = node.value if isinstance(node, cst.Subscript) else node
    return inside.value if isinstance(inside, cst.Name) else ""
