"""A loop over results of steps, `for obs, reward, done, info in played(env):`, and the first line of its body."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.facts.kinds.results import StepResult
from done_lint.rewrites.array_uses import is_used_as_array
from done_lint.rewrites.context import Context
from done_lint.rewrites.joined_flag import joined_assignment, joined_flag
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple.flag_names import FLAGS, step_names
from done_lint.rewrites.step_tuple.returns import DONE
from done_lint.rewrites.step_tuple.unpack import blocked_by
from done_lint.rewrites.step_tuple.unpacking import is_read
from done_lint.rewrites.step_tuple.value_order import ANOTHER_ORDER, in_another_order
from done_lint.rewrites.time_limit.info_key import time_limit_reads
from done_lint.rewrites.tuple_targets import two_for_one
from done_lint.syntax.edits import Edits, added_before, replaced
from done_lint.syntax.expressions import fitting
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Scope, Tree

#: Where the joined flag needs no parentheses.
_BARE_IN = (cst.ListComp, cst.SetComp, cst.GeneratorExp, cst.CompIf, cst.Arg, cst.Element)
_NO_BODY = "a loop on one line has no place for the line `done = terminated or truncated`"
_LIMIT = "the time limit is read from the infos of these steps"
_BOUND_AGAIN = "the comprehension binds the name of the flag again"
_NAMED = "the old flag has the name of a new one"


def five_in_header(
    context: Context, loop: cst.For, target: cst.Tuple | cst.List, step: StepResult, place: int = DONE
) -> Outcome:
    """Take five values in the header of a loop, and join the flags in its first line.

    `place` is that of the old flag among the targets, of which one may have a star.
    """
    tree = context.tree
    done, scope = target.elements[place].value, tree.scope(loop)
    reason = _hindrance(context, target, step, done)
    if reason or not isinstance(loop.body, cst.IndentedBlock):
        return unfixed(reason or _NO_BODY)
    needed = is_read(tree, scope, done)
    names = step_names(context, scope) if needed or tree.scopes.is_read(scope, "_") else ("_", "_")
    edits = [_five_targets(context, target, names, place)]
    if needed:
        line = joined_assignment(done, names, array=_is_array(context, scope, done, step))
        edits.append(added_before(tree, loop.body.body[0], line))
    return fixed("take five values", *edits)


def five_in_comprehension(
    context: Context, part: cst.CompFor, target: cst.Tuple | cst.List, step: StepResult, place: int = DONE
) -> Outcome:
    """The same in a comprehension, where whatever reads the flag joins the two."""
    tree, done = context.tree, target.elements[place].value
    whole = next(one for one in tree.ancestors(part) if isinstance(one, cst.BaseComp))
    scope = tree.scope(whole)
    reason = _hindrance(context, target, step, done)
    if reason or not isinstance(done, cst.Name):
        return unfixed(reason or _NO_BODY)
    reads = [one for one in tree.descend(whole) if is_name(one, done.value)]
    reads = [one for one in reads if not tree.within(one, part.target) and not _is_label(tree.parents[one], one)]
    targets = [one.target for one in tree.descend(whole) if isinstance(one, cst.CompFor) and one is not part]
    if any(_binds(tree, one, targets) for one in reads):
        return unfixed(_BOUND_AGAIN)
    names = step_names(context, scope) if reads else (done.value, done.value)
    joined = joined_flag(cst.Name(names[0]), cst.Name(names[1]), array=_is_array(context, scope, done, step))
    edits = [
        replaced(tree, one, fitting(tree, one, joined, bare_in=_BARE_IN)) for one in reads if isinstance(one, cst.Name)
    ]
    return fixed("take five values", _five_targets(context, target, names, place), *edits)


def _is_label(above: cst.CSTNode, name: cst.CSTNode) -> bool:
    """Whether a name is that of an attribute or of a keyword."""
    return (isinstance(above, cst.Attribute) and above.attr is name) or (
        isinstance(above, cst.Arg) and above.keyword is name
    )


def _binds(tree: Tree, name: cst.CSTNode, targets: Sequence[cst.CSTNode]) -> bool:
    """Whether a name is bound there, by a lambda, an assignment in the expression or another part of it."""
    above = tree.parents[name]
    return isinstance(above, (cst.Param, cst.NamedExpr)) or any(tree.within(name, one) for one in targets)


def _hindrance(context: Context, target: cst.Tuple | cst.List, step: StepResult, done: cst.BaseExpression) -> str:
    """Why five values cannot be taken there, in one clause; empty: they can."""
    if reason := blocked_by(step):
        return reason
    if in_another_order([one.value for one in target.elements]):
        return ANOTHER_ORDER
    if isinstance(done, cst.Name) and done.value in FLAGS:
        return _NAMED
    return _LIMIT if any(read.fact.origin == step.origin for read in time_limit_reads(context)) else ""


def _five_targets(context: Context, target: cst.Tuple | cst.List, names: tuple[str, str], place: int) -> Edits:
    elements = two_for_one(target.elements, place, (cst.Name(names[0]), cst.Name(names[1])))
    return replaced(context.tree, target, target.with_changes(elements=elements))


def _is_array(context: Context, scope: Scope, done: cst.BaseExpression, step: StepResult) -> bool:
    if step.env.api.vector or step.array is True:
        return True
    return isinstance(done, cst.Name) and is_used_as_array(context, scope, done.value)
