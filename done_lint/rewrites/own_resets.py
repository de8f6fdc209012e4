"""Code of the project that resets an environment in the step that ends an episode, among several: a worker, a loop.

`if terminated or truncated: obs, info = env.reset()` replaces the final observation of the step, before it goes out
together with the flags. That is what a vector environment does in the mode `SAME_STEP`, where `final_obs` keeps it.

It goes out in a row, or side by side with the flags: a loop over several environments keeps each in a list of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from done_lint.knowledge.naming_conventions import two_observations
from done_lint.rewrites.context import Context
from done_lint.rewrites.kept_side_by_side import goes_side_by_side
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree


@dataclass(frozen=True)
class OwnReset:
    """A reset that replaces the observation of a step which goes out with the flags of the step."""

    step: Unpacking
    #: The name that is given the observation after the reset.
    observation: cst.Name


def own_resets(context: Context) -> Iterator[OwnReset]:
    """Every such reset of a file, one a step."""
    for step in context.unpackings:
        env, targets = step.step.env, step.targets
        if not (env.api.five or env.api.per_agent) or env.api.vector or step.starred or len(targets) != 5:
            continue
        if step.part is not None or two_observations([last_name(target) for target in targets]):
            continue
        if isinstance(targets[0], cst.Name) and (found := _replaced(context, step, targets[0].value)) is not None:
            yield OwnReset(step, found)


def _replaced(context: Context, step: Unpacking, name: str) -> cst.Name | None:
    """What the branch behind a step binds to the observation after a reset, if both flags go out with it."""
    tree = context.tree
    block = tree.siblings(tree.parents[step.statement])
    behind = [one for one in block if tree.span(one) > tree.span(step.statement)]
    branch = next((one for one in behind if isinstance(one, cst.If) and _has_flag(context, step, one.test)), None)
    if branch is None:
        return None
    reset = _reset(context, branch, name)
    if reset is None or _is_kept(context, step, name, reset):
        return None
    later = [one for one in behind if tree.span(one) > tree.span(branch)]
    goes_out = any(_goes_out(context, step, one, name) for one in later) or goes_side_by_side(context, step, later)
    return reset if goes_out else None


def _is_kept(context: Context, step: Unpacking, name: str, reset: cst.Name) -> bool:
    """Whether something has taken the observation of the step before the reset replaces it."""
    tree = context.tree
    reads = (one for one in tree.scopes.reads(step.scope, name) if _between(tree, step.statement, one, reset))
    return not all(_gives_back(tree, one) for one in reads)


def _between(tree: Tree, first: cst.CSTNode, node: cst.CSTNode, last: cst.CSTNode) -> bool:
    return tree.span(first) < tree.span(node) < tree.span(last) and not tree.within(node, first)


def _gives_back(tree: Tree, read: cst.Name) -> bool:
    """Whether what is made of a name becomes its new value: `obs = normalized(obs)`."""
    row = tree.row(read)
    small = row.body[0] if row is not None and len(row.body) == 1 else None
    return isinstance(small, cst.Assign) and is_name(small.targets[0].target, read.value)


def _has_flag(context: Context, step: Unpacking, test: cst.BaseExpression) -> bool:
    inside = (test, *context.tree.descend(test))
    return any(context.tree.span(one) in context.facts.flags or _of_agents(context, step, one) for one in inside)


def _of_agents(context: Context, step: Unpacking, node: cst.CSTNode) -> str:
    """The name of a table with a flag of the step for each agent; empty: it is none, or something else by then."""
    tree = context.tree
    if not step.step.env.api.per_agent or not isinstance(node, cst.Name):
        return ""
    flags = {one.value for one in step.targets[2:4] if isinstance(one, cst.Name)}
    bound = (one for one in tree.scopes.bindings(step.scope, node.value) if not tree.within(one, step.target))
    changed = any(tree.span(step.statement) < tree.span(one) <= tree.span(node) for one in bound)
    return node.value if len(flags) == 2 and node.value in flags and not changed else ""


def _reset(context: Context, branch: cst.If, name: str) -> cst.Name | None:
    """The name in `obs, info = env.reset()`, or in `obs = env.reset()[0]`."""
    for one in context.tree.inside(cst.Assign, branch.body):
        value = one.value.value if isinstance(one.value, cst.Subscript) else one.value
        target = one.targets[0].target
        first = target.elements[0].value if isinstance(target, cst.Tuple) and target.elements else target
        if context.tree.span(value) in context.facts.resets and isinstance(first, cst.Name) and first.value == name:
            return first
    return None


def _goes_out(context: Context, step: Unpacking, statement: cst.CSTNode, name: str) -> bool:
    """Whether a row of this name, a *terminated* and another flag is sent or stored: not returned, as one would be."""
    if isinstance(context.tree.parents.get(statement), cst.Module):
        return False
    for row in context.tree.inside(cst.Tuple, statement):
        values = [one.value for one in row.elements]
        flags = [flag for one in values if (flag := context.facts.flags.get(context.tree.span(one))) is not None]
        both = len(flags) == 2 and any(flag.terminated_only for flag in flags)
        named = any(isinstance(one, cst.Name) and one.value == name for one in values)
        if named and (both or len({_of_agents(context, step, one) for one in values} - {""}) == 2):
            return not isinstance(context.tree.parents[row], cst.Return)
    return False
