"""Code of the project that resets an environment in the step that ends an episode, among several: a worker, a loop.

`if terminated or truncated: obs, info = env.reset()` replaces the final observation of the step, before it goes out
together with the flags. That is what a vector environment does in the mode `SAME_STEP`, where `final_obs` keeps it.

It goes out in a row, or side by side with the flags: a loop over several environments keeps each in a list of its own,
and a worker may write it into shared memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from done_lint.core.findings import Related
from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.naming_conventions import are_flags, two_observations
from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.rewrites.vectors.kept_side_by_side import goes_side_by_side, has_truncation, names_flags
from done_lint.rewrites.vectors.replaced_observations import replacement
from done_lint.rewrites.vectors.resets_of_unknown import is_kept, resets_of_unknown
from done_lint.rewrites.vectors.sent_apart import Row, goes_apart, rows_in, values_of
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name


@dataclass(frozen=True)
class OwnReset:
    """A reset that replaces the observation of a step which goes out with the flags of the step."""

    #: The step.
    origin: Related
    #: What is stepped; None: it is known by this code alone.
    env: Env | None
    #: What is given the observation after the reset: a name, or an element of a container.
    observation: cst.BaseExpression


def own_resets(context: Context) -> Iterator[OwnReset]:
    """Every such reset of a file, one a step."""
    found = [one for one in _of_known(context) if one.origin.span not in context.facts.joined]
    yield from found
    said: set[cst.BaseExpression] = {one.observation for one in found}
    for step, observation in resets_of_unknown(context):
        span = context.tree.span(step)
        if observation not in said and span not in context.facts.joined:
            known = context.facts.steps.get(span)
            origin = Related(context.path, span, "stepped here")
            yield OwnReset(origin, known.env if known is not None else None, observation)


def _of_known(context: Context) -> Iterator[OwnReset]:
    for step in context.unpackings:
        env, targets = step.step.env, step.targets
        if not (env.api.five or env.api.per_agent) or env.api.vector or step.starred or len(targets) != 5:
            continue
        names = [last_name(target) for target in targets]
        if step.part is not None or two_observations(names):
            continue
        if env.certainty == "by name" and not are_flags(names[2], names[3]):
            continue
        if isinstance(targets[0], cst.Name) and (found := _replaced(context, step, targets[0].value)) is not None:
            yield OwnReset(step.step.origin, env, found)


def _replaced(context: Context, step: Unpacking, name: str) -> cst.Name | None:
    """What the branch behind a step binds to the observation after a reset, if both flags go out with it."""
    tree = context.tree
    block = tree.siblings(tree.parents[step.statement])
    behind = [one for one in block if tree.span(one) > tree.span(step.statement)]
    branch = next((one for one in behind if isinstance(one, cst.If) and _has_flag(context, step, one.test)), None)
    if branch is None:
        return None
    found = replacement(tree, branch, _firsts(context, branch), step.statement, name)
    if found is None or not isinstance(found.place, cst.Name) or is_kept(tree, step.statement, name, found.place):
        return None
    later = [one for one in behind if tree.span(one) > tree.span(branch)]
    alone = _hides_truncation(context, behind, branch)

    def has_flags(row: Row) -> bool:
        return _has_both(context, step, row) or (alone and _has_terminated(context, row))

    goes_out = (
        any(_goes_out(context, one, found.written, has_flags) for one in later)
        or goes_side_by_side(context, step, behind, found.written, alone=alone)
        or goes_apart(tree, later, found.written, has_flags)
    )
    return found.place if goes_out else None


def _hides_truncation(context: Context, behind: Sequence[cst.CSTNode], branch: cst.If) -> bool:
    """Whether truncation leads to the reset behind a step, and nothing else is done with it."""
    tree, flags = context.tree, context.facts.flags

    def truncations(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        inside = (node, *tree.descend(node))
        return (one for one in inside if (flag := flags.get(tree.span(one))) is not None and has_truncation(flag))

    tests = any(True for _ in truncations(branch.test))
    others = (one for statement in behind for one in truncations(statement) if not tree.within(one, branch.test))
    return tests and all(names_flags(tree, one) for one in others)


def _has_terminated(context: Context, row: Row) -> bool:
    """Whether a row has one flag, which is *terminated* alone."""
    found = (context.facts.flags.get(context.tree.span(one)) for one in values_of(row))
    flags = [flag for flag in found if flag is not None]
    return len(flags) == 1 and flags[0].terminated_only


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


def _firsts(context: Context, branch: cst.If) -> Iterator[cst.BaseExpression]:
    """The name in each `obs, info = env.reset()`, or `obs = env.reset()[0]`."""
    for one in context.tree.inside(cst.Assign, branch.body):
        value = one.value.value if isinstance(one.value, cst.Subscript) else one.value
        target = one.targets[0].target
        first = target.elements[0].value if isinstance(target, cst.Tuple) and target.elements else target
        if context.tree.span(value) in context.facts.resets and isinstance(first, cst.Name):
            yield first


def _goes_out(context: Context, statement: cst.CSTNode, name: str, has_flags: Callable[[Row], bool]) -> bool:
    """Whether a row of this name and the flags is sent or stored: not returned, as that of one environment would be."""
    if isinstance(context.tree.parents.get(statement), cst.Module):
        return False
    for row in rows_in(context.tree, statement):
        named = any(is_name(one, name) for one in values_of(row))
        if named and has_flags(row):
            # what a later step is unpacked into is no row, and what is returned is that of one environment
            return not isinstance(context.tree.parents[row], (cst.Return, cst.Yield, cst.AssignTarget))
    return False


def _has_both(context: Context, step: Unpacking, row: Row) -> bool:
    """Whether a row has a *terminated* and another flag."""
    values = list(values_of(row))
    flags = [flag for one in values if (flag := context.facts.flags.get(context.tree.span(one))) is not None]
    both = len(flags) == 2 and any(flag.terminated_only for flag in flags)
    return both or len({_of_agents(context, step, one) for one in values} - {""}) == 2
