"""Results of steps that are handed to a call behind a star: `Result(*env.step(action))` goes on taking four values.

Whatever takes them gets the same four as before, and need not be known.
"""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.results import StepResult
from done_lint.rewrites.context import Context
from done_lint.rewrites.joined_flag import joined_flag
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple.flag_names import step_name, step_names
from done_lint.rewrites.step_tuple.unpack import blocked_by
from done_lint.syntax.edits import added_before, replaced
from done_lint.syntax.expressions import assignment, bare_tuple
from done_lint.syntax.shapes import is_place
from done_lint.syntax.tree import Scope

#: What may stand around the call in its statement, and is evaluated after it.
_AROUND = (cst.Assign, cst.AnnAssign, cst.Return, cst.Expr, cst.Yield)
_CONSTANTS = (cst.Name, cst.SimpleString, cst.Integer, cst.Float)
_COMMA = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def four_of_five(context: Context, argument: cst.Arg, step: StepResult, otherwise: str) -> Outcome:
    """Take the five values apart before, and hand on four; `otherwise` says why that is not to be done."""
    tree = context.tree
    row, call = _row_before(context, argument), tree.parents[argument]
    if row is None or not isinstance(call, cst.Call):
        return unfixed(otherwise)
    if reason := blocked_by(step):
        return unfixed(reason)
    scope = tree.scope(argument)
    flags = step_names(context, scope)
    obs, reward, info = (_free_name(context, scope, name) for name in ("obs", "reward", "info"))
    both = (cst.Name(flags[0]), cst.Name(flags[1]))
    line = assignment(bare_tuple(obs, reward, *both, info), argument.value)
    done = joined_flag(*both, array=step.env.api.vector or step.array is True)
    args = [one.with_changes(star="", whitespace_after_star=cst.SimpleWhitespace("")) for one in call.args]
    place = call.args.index(argument)
    given = [args[place].with_changes(value=value, comma=_COMMA) for value in (obs, reward, done)]
    last = args[place].with_changes(value=info)
    new = call.with_changes(args=[*args[:place], *given, last, *args[place + 1 :]])
    return fixed("hand on four values", added_before(tree, row, line), replaced(tree, call, new))


def _free_name(context: Context, scope: Scope, name: str) -> cst.Name:
    """The name, where it means nothing else, or one with a word before it."""
    taken = step_name(context, scope, name) != name
    return cst.Name(step_name(context, scope, f"step_{name}") if taken else name)


def _row_before(context: Context, argument: cst.Arg) -> cst.SimpleStatementLine | None:
    """The line of a statement in which nothing that a step may change is evaluated before the argument."""
    tree = context.tree
    below: cst.CSTNode = argument
    for above in tree.ancestors(argument):
        if isinstance(above, cst.SimpleStatementLine):
            alone = len(above.body) == 1 and isinstance(tree.parents[above], (cst.IndentedBlock, cst.Module))
            return above if alone else None
        if isinstance(above, cst.Call):
            before = above.args[: above.args.index(below)] if isinstance(below, cst.Arg) else above.args
            behind = above.args[len(before) + 1 :]
            plain = all(isinstance(one.value, _CONSTANTS) and not one.star for one in (*before, *behind))
            if not plain or not is_place(above.func):
                return None
        elif not isinstance(above, (cst.Arg, *_AROUND)):
            return None
        below = above
    return None
