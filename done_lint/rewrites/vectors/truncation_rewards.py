"""Values of next observations that are added to the reward where an episode was truncated.

`rewards[i] += gamma * critic(next_obs[i])` behind `if truncated[i]`, and `rewards + critic(next_obs) * truncated`.
Where the step that ends an episode resets, that is the value of the first observation of the next one.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.rewrites.vectors.ended_alone import is_only_where, of_truncations
from done_lint.rewrites.vectors.same_step import resets_at_once
from done_lint.syntax.shapes import only_target


def truncation_rewards(context: Context) -> Iterator[tuple[Unpacking, cst.Name]]:
    """The steps with such a reward, and the observation as it is valued."""
    for step in context.unpackings:
        env = step.step.env
        if env.unlimited or step.starred or step.part is not None or len(step.targets) != len(env.api.step):
            continue
        observation, reward = step.targets[:2]
        if not isinstance(observation, cst.Name) or not isinstance(reward, cst.Name):
            continue
        if resets_at_once(context, env):
            for read in reads_behind(context, step.statement, observation):
                found = [read] if _is_in_call(context, read) else []
                if any(_is_added(context, one, reward.value) for one in (*found, *_values(context, read))):
                    yield step, read


def _is_in_call(context: Context, read: cst.Name) -> bool:
    """Whether a statement gives a call what it reads."""
    row = context.tree.row(read)
    arguments = (one for one in context.tree.ancestors(read) if isinstance(one, cst.Arg))
    return row is not None and any(context.tree.within(one, row) for one in arguments)


def _values(context: Context, read: cst.Name) -> Iterator[cst.Name]:
    """The reads of the names that are given what a call makes of the observation: `worth = critic(next_obs)`."""
    waiting, seen = [read], {read.value}
    while waiting:
        one = waiting.pop()
        statement = context.tree.row(one)
        small = statement.body[0] if statement is not None and len(statement.body) == 1 else None
        target = only_target(small)
        if not isinstance(small, cst.Assign) or not isinstance(target, cst.Name) or target.value in seen:
            continue
        if _is_valued(context, one, small.value):
            seen.add(target.value)
            reads = list(reads_behind(context, small, target))
            yield from reads
            waiting += reads


def _is_valued(context: Context, read: cst.Name, value: cst.BaseExpression) -> bool:
    """Whether a value is what a call makes of an observation, or a part of that: `critic(next_obs)[:, 0]`."""
    tree = context.tree
    while True:
        if isinstance(value, cst.Call) and any(tree.within(read, one) for one in value.args):
            return True
        if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
            value = value.func.value
        elif isinstance(value, (cst.Attribute, cst.Subscript)):
            value = value.value
        else:
            return False


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


def _is_added(context: Context, read: cst.Name, reward: str) -> bool:
    """Whether it is added to the reward at truncations alone: `rewards[i] += gamma * critic(next_obs[i])`."""
    row = context.tree.row(read)
    statement = row.body[0] if row is not None and len(row.body) == 1 else None
    return is_added_to(statement, reward) and is_only_where(context, read, of_truncations)


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
