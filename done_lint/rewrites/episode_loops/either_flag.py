"""A loop that ends, or begins the next episode, on either flag of a step, where it did on the first alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from done_lint.core.text import one_line
from done_lint.rewrites.context import Context
from done_lint.rewrites.episode_loops import closing_branches
from done_lint.rewrites.episode_loops.loop_ends import Loop, always, exits, is_end, says_no
from done_lint.rewrites.episode_loops.next_resets import never_resets, next_resets
from done_lint.rewrites.joined_flag import joined_flag
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple.flag_names import step_name
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.edits import Edits, added_before, replaced
from done_lint.syntax.expressions import fitting
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree

_LEARNS = "the branch that it chooses uses the reward: a value target there bootstraps at truncations"
_RESETS_ELSEWHERE = "the reset for the next episode depends on another condition than the end of the loop"
_NEVER_RESETS = "nothing resets the environment for the next episode, whose first step would end it again"
_MAY_CLOSE = "another branch behind the step may belong to the end of an episode too, and stays as it is"
_ASKED_BEHIND = "`{}` is read behind the loop, where it was always true, and would not be after a truncation"
_ASKED_BESIDE = "another branch of the loop tests `{}` too, and stays as it is"
_SEPARATED = "a recursion tells episodes apart by `{}`, and would run on over a truncation into the next one"


def end_on_either(context: Context, unpacking: Unpacking, loop: Loop, flags: Sequence[cst.BaseExpression]) -> Outcome:
    """End a loop on either flag where it ends on these."""
    learning = [flag for flag in flags if _learns(context.tree, flag, unpacking)]
    if any(not _ends_without(context.tree, flag, loop) for flag in learning):
        return unfixed(_LEARNS)
    if context.tree.span(unpacking.value) in context.facts.separated:
        return unfixed(_SEPARATED.format(one_line(context.tree.source(unpacking.targets[2]))))
    if never_resets(context, unpacking, loop):
        return unfixed(_NEVER_RESETS)
    resetting = next_resets(context, unpacking, loop)
    if resetting is None:
        return unfixed(_RESETS_ELSEWHERE)
    if any(_learns(context.tree, test, unpacking) for test in resetting):
        return unfixed(_LEARNS)
    closing, doubt = _closing(context, unpacking, loop, [*flags, *resetting])
    flags = [flag for flag in flags if flag not in learning]
    behind = (flag for flag in flags if _is_asked_behind(context.tree, flag, unpacking, loop))
    asked = next((_ASKED_BEHIND.format(context.tree.source(flag)) for flag in behind), "")
    flags += [test for test in (*resetting, *closing) if test not in flags]
    return fixed("end the loop on either flag", *_joined(context, unpacking, loop, flags), unsure=asked or doubt)


def reset_on_either(
    context: Context, unpacking: Unpacking, around: Sequence[Loop], tests: Sequence[cst.BaseExpression]
) -> Outcome:
    """Reset on either flag where these tests decide about every reset in the loops around."""
    if any(_learns(context.tree, test, unpacking) for test in tests):
        return unfixed(_LEARNS)
    flag = one_line(context.tree.source(unpacking.targets[2]))
    if context.tree.span(unpacking.value) in context.facts.separated:
        return unfixed(_SEPARATED.format(flag))
    others = (one.test for one in context.tree.descend(around[-1]) if isinstance(one, cst.If) and one.test not in tests)
    asked = any(one_line(context.tree.source(part)) == flag for test in others for part in context.tree.descend(test))
    unsure = _ASKED_BESIDE.format(flag) if asked else ""
    return fixed("reset on either flag", *_joined(context, unpacking, around[-1], tests), unsure=unsure)


def _closing(
    context: Context, unpacking: Unpacking, loop: Loop, known: Sequence[cst.BaseExpression]
) -> tuple[list[cst.BaseExpression], str]:
    """The tests of the branches that close the episode, beside those known; why some other may be one too, if so."""
    branches = closing_branches.behind(
        context.tree, loop, unpacking.statement, lambda test: is_end(context, test, unpacking, loop)
    )
    others = [one for one in branches if one.test not in known and not _learns(context.tree, one.test, unpacking)]
    of_step = [one_line(context.tree.source(one)) for one in unpacking.targets[:2]]
    tests = [one.test for one in others if closing_branches.is_closing(context.tree, one, of_step)]
    return tests, _MAY_CLOSE if len(tests) < len(others) else ""


def _joined(context: Context, unpacking: Unpacking, loop: Loop, flags: Sequence[cst.BaseExpression]) -> Iterator[Edits]:
    """Both flags in the place of each of these, which are asked in a loop."""
    slot = unpacking.targets[3]
    name = slot.value if isinstance(slot, cst.Name) else "_"
    if name.startswith("_"):
        name = step_name(context, unpacking.scope, "truncated")
        yield replaced(context.tree, slot, cst.Name(name))
    for flag in flags:
        either = joined_flag(flag.with_changes(lpar=(), rpar=()), cst.Name(name), array=unpacking.step.array is True)
        above = context.tree.parents[flag]
        if isinstance(above, cst.Comparison) and says_no(above):
            # what the other flag holds may be no `False` of Python's own
            running = cst.UnaryOperation(cst.Not(), fitting(context.tree, flag, either, bare_in=()))
            yield replaced(context.tree, above, fitting(context.tree, above, running, bare_in=(cst.If, cst.While)))
            continue
        yield replaced(context.tree, flag, fitting(context.tree, flag, either, bare_in=(cst.If, cst.While)))
    if any(context.tree.span(flag) < context.tree.span(unpacking.statement) for flag in flags):
        start = cst.Assign([cst.AssignTarget(cst.Name(name))], cst.Name("False"))
        yield added_before(context.tree, loop, start)


def _is_asked_behind(tree: Tree, flag: cst.BaseExpression, unpacking: Unpacking, loop: Loop) -> bool:
    """Whether a flag is read behind the loop, where it was always true: it no longer is once both end the loop."""
    if not isinstance(flag, cst.Name):
        return False
    scopes, last = tree.scopes, tree.span(loop).end_row
    behind = [one for one in scopes.mentions(unpacking.scope, flag.value) if tree.span(one).row > last]
    first = min(behind, key=tree.span, default=None)
    return first is not None and first not in scopes.bindings(unpacking.scope, flag.value)


def _learns(tree: Tree, flag: cst.BaseExpression, unpacking: Unpacking) -> bool:
    """Whether the branch on a flag uses the reward: the last value of an episode is the reward alone."""
    branch = tree.parents[flag]
    reward = one_line(tree.source(unpacking.targets[1]))
    if not isinstance(branch, cst.If) or not isinstance(unpacking.targets[1], cst.Name):
        return False
    return any(is_name(node, reward) for node in tree.descend(branch.body, into_functions=False))


def _ends_without(tree: Tree, flag: cst.BaseExpression, loop: Loop) -> bool:
    """Whether the loop ends by its own test where the branch on a flag is not taken, as by a `break` there."""
    branch = tree.parents[flag]
    leaving = [one for one in exits(tree, loop) if tree.within(one, branch)]
    ends = isinstance(loop, cst.While) and not always(loop.test)
    return ends and all(isinstance(one, cst.Break) for one in leaving)
