"""Values of next observations that are added to the reward where an episode was truncated.

`rewards[i] += gamma * critic(next_obs[i])` behind `if truncated[i]`, and `rewards + critic(next_obs) * truncated`.
Where the step that ends an episode resets, that is the value of the first observation of the next one.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.rewrites.vectors.same_step import resets_at_once
from done_lint.syntax.shapes import is_negation, only_target


def truncation_rewards(context: Context) -> Iterator[tuple[Unpacking, cst.Name]]:
    """The steps with such a reward, and the observation as it is valued."""
    for step in context.unpackings:
        if step.step.env.unlimited or step.starred or step.part is not None or len(step.targets) != 5:
            continue
        observation, reward = step.targets[:2]
        if not isinstance(observation, cst.Name) or not isinstance(reward, cst.Name):
            continue
        if resets_at_once(context, step.step.env):
            found = (one for one in _behind(context, step, observation) if _is_added(context, one, reward.value))
            yield from ((step, one) for one in found if _is_at_truncation(context, one))


def _behind(context: Context, step: Unpacking, name: cst.Name) -> Iterator[cst.Name]:
    """The reads of the observation behind the step, until the name or an element of it gets another value."""
    tree, start = context.tree, context.tree.span(step.statement)
    reads = tree.scopes.reads(step.scope, name.value)
    changed = [one for one in tree.scopes.bindings(step.scope, name.value) if one is not name]
    changed += [one for one in reads if _is_changed(context, one)]
    for read in reads:
        end = tree.span(read)
        if start < end and not tree.within(read, step.statement):
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
    """Whether what a call makes of it is added to the reward: `rewards[i] += gamma * critic(next_obs[i])`."""
    tree = context.tree
    row = tree.row(read)
    statement = row.body[0] if row is not None and len(row.body) == 1 else None
    valued = any(isinstance(one, cst.Arg) for one in tree.ancestors(read) if tree.within(one, statement or read))
    if isinstance(statement, cst.AugAssign) and isinstance(statement.operator, cst.AddAssign):
        return valued and _base(statement.target) == reward
    if not isinstance(statement, cst.Assign) or only_target(statement) is None:
        return False
    value = statement.value
    added = isinstance(value, cst.BinaryOperation) and isinstance(value.operator, cst.Add)
    return valued and added and isinstance(value, cst.BinaryOperation) and _base(value.left) == reward


def _base(node: cst.CSTNode) -> str:
    """The name in `rewards`, and in `rewards[i]`."""
    inside = node.value if isinstance(node, cst.Subscript) else node
    return inside.value if isinstance(inside, cst.Name) else ""


def _is_at_truncation(context: Context, read: cst.Name) -> bool:
    """Whether that is done where an episode was truncated alone: by a mask beside it, or behind a test."""
    inner: cst.CSTNode = read
    for around in context.tree.ancestors(read):
        if isinstance(around, (cst.FunctionDef, cst.Lambda)):
            return False
        if isinstance(around, cst.BinaryOperation) and isinstance(around.operator, cst.Multiply):
            beside = around.right if around.left is inner else around.left
            if _is_of_truncations(context, beside):
                return True
        if isinstance(around, cst.If) and around.body is inner and _asks_truncation(context, around.test):
            return True
        inner = around
    return False


def _asks_truncation(context: Context, test: cst.BaseExpression) -> bool:
    """`truncated[i]`, `truncated[i] and not terminated[i]`."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        return _asks_truncation(context, test.left) or _asks_truncation(context, test.right)
    return not is_negation(test) and _is_of_truncations(context, test)


def _is_of_truncations(context: Context, node: cst.BaseExpression) -> bool:
    """Whether an expression is true where an episode was truncated alone."""
    flag = context.facts.flags.get(context.tree.span(node))
    return flag is not None and all(one.truncated and not one.terminated and not one.keep for one in flag.meanings)
