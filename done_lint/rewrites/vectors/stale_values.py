"""Values that are read for some steps only: at a truncation the one at hand may be that of an earlier step, or none.

`if step == last: v = V(s)`, and behind the loop `0 if done else v`: with `terminated` the second branch would be taken
where the first one was not.
"""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.vectors.next_values import reset_statements
from done_lint.syntax.bound_names import UNBOUND, Read


def stale_value(context: Context, flag: cst.BaseExpression) -> str:
    """The name beside a flag, in the target that it cuts, that only a branch gives a value; empty: none."""
    tree, names = context.tree, context.bound_names
    kinds = (cst.BaseSmallStatement, cst.If)
    around = next((one for one in tree.ancestors(flag) if isinstance(one, kinds)), None)
    if names is None or around is None:
        return ""
    inside = (names.reads.get(tree.offsets(one)[0]) for one in tree.inside(cst.Name, around))
    return min((one.name for one in inside if one is not None and _is_stale(context, around, one)), default="")


def _is_stale(context: Context, around: cst.CSTNode, read: Read) -> bool:
    """Whether a branch that is not around the target binds a name, and something else does outside of the loop."""
    if not read.sources.isdisjoint(reset_statements(context)):
        return False  # where an episode begins: the observation at hand
    statements = context.assignments
    sources = [statements.get(one) for one in read.sources if one != UNBOUND]
    found = [one for one in sources if one is not None and not _is_set_once(context, around, one)]
    if None in sources or not any(_is_branched(context, around, one) for one in found):
        return False
    loop = next((one for one in context.tree.ancestors(around) if isinstance(one, (cst.For, cst.While))), None)
    bound = [one for one in sources if one is not None and loop is not None and context.tree.within(one, loop)]
    return read.possibly_unbound or len(bound) < len(sources)


def _is_set_once(context: Context, around: cst.CSTNode, statement: cst.CSTNode) -> bool:
    """Whether a statement runs before all steps: in no loop, of the module or of another function around."""
    tree = context.tree
    scope = tree.scope(statement)
    steps = scope is tree.scope(around) and isinstance(scope, cst.FunctionDef)
    return not steps and not any(isinstance(one, (cst.For, cst.While)) for one in tree.ancestors(statement))


def _is_branched(context: Context, around: cst.CSTNode, statement: cst.CSTNode) -> bool:
    """Whether a statement stands in a branch that the target does not stand in."""
    branches = (one for one in context.tree.ancestors(statement) if isinstance(one, cst.If))
    return any(one is not around and not context.tree.within(around, one) for one in branches)
