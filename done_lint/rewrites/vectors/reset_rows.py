"""Rows of vector environments that reset in the same step, whose next observation belongs to another episode.

What is kept together is known from the analysis here, in whatever form: `stored_transitions` reads the syntax around
one step, from which a fix can be made.
"""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.rows import Row
from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.rewrites.vectors.step_rows import leaves_out


def keeps_reset_observation(context: Context, row: Row) -> bool:
    """Whether a row has a next observation beside *terminated*, and nothing that runs with it asks for the final one.

    The observation before the step is another expression: `obs` beside `next_obs`. A target that is made of the row at
    once takes the value of the next one.
    """
    if row.final or row.alone or row.unasked or row.env.unlimited:
        return False
    if row.at_once:
        return row.at_terminations and not leaves_out(context, row)
    return _has_two(context, row) and _is_cut_at_terminations(context, row) and not leaves_out(context, row)


def hands_infos_on(context: Context, step: Unpacking) -> bool:
    """Whether the infos of a step are given to a call, which may take the final observations."""
    infos, tree = step.targets[-1], context.tree
    reads = tree.scopes.reads(step.scope, infos.value) if isinstance(infos, cst.Name) else ()
    return any(isinstance(tree.parents[one], cst.Arg) for one in reads)


def _has_two(context: Context, row: Row) -> bool:
    """Whether two expressions are observations that read different names: two entries of one read the same."""
    nodes = (context.tree.expressions.get(span) for span in row.observed)
    return len({_names(context, node) for node in nodes if node is not None}) > 1


def _names(context: Context, node: cst.BaseExpression) -> frozenset[str]:
    every = (node, *context.tree.descend(node))
    return frozenset(one.value for one in every if isinstance(one, cst.Name))


def _is_cut_at_terminations(context: Context, row: Row) -> bool:
    """Whether its only flag is *terminated*, or that one alone is known to cut targets."""
    flags = [flag for span in row.flags if (flag := context.facts.flags.get(span)) is not None]
    if not flags or all(flag.terminated_only for flag in flags):
        return bool(flags)
    known = row.step.path == context.path and row.step.span in context.facts.bootstrapped
    return known and any(flag.terminated_only for flag in flags)
