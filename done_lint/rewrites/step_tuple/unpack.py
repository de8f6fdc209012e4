"""The change from four step values to five, which GYM101, GYM102, GYM106 and GYM301 share.

`o, r, d, i = env.step(a)` becomes `o, r, terminated, truncated, i = env.step(a)` and
`d = terminated or truncated`. Reads of the old time limit key from this info change with it: left
alone, they would always be false, without an error.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.kinds.results import StepResult
from done_lint.knowledge.naming_conventions import environments
from done_lint.rewrites.array_uses import is_used_as_array
from done_lint.rewrites.context import Context, grouped, per_file
from done_lint.rewrites.joined_flag import joined_assignment
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.step_tuple.documented_arity import asserted_lengths
from done_lint.rewrites.step_tuple.flag_names import FLAGS, JOINED, is_waiting, renamed_flag, step_names
from done_lint.rewrites.step_tuple.unpacking import Unpacking, four_valued, is_read
from done_lint.rewrites.step_tuple.value_order import ANOTHER_ORDER, in_another_order
from done_lint.rewrites.time_limit.info_key import (
    KEY,
    Read,
    flag_beside,
    own_limit_reads,
    replacement,
    time_limit_reads,
)
from done_lint.rewrites.time_limit.step_limit_checks import limit_emulations
from done_lint.rewrites.tuple_targets import two_for_one, with_placeholders
from done_lint.syntax.dotted import last_name
from done_lint.syntax.edits import Edits, added_after, replaced
from done_lint.syntax.expressions import spaced_like
from done_lint.syntax.shapes import is_name, only_target
from done_lint.syntax.tree import Scope, Tree

_MIXED = "another environment that may be used here still returns four values"
_IN_ANOTHER_ORDER = "the environment returns its five values in another order, and has to change first"
#: The fix of GYM301 comes first; in the round after it this one can follow.
PENDING = "the environment's own `step` has to return five values first"
PER_AGENT = "the flags are tables with a value for each agent, which `or` does not join"
READ_LEFT = f"a read of `{KEY}` cannot be changed with it, and would always be false, without an error"
_OWN_LIMIT = f"a read of `{KEY}`, which the program sets itself, would not see a limit inside any more"
_WAITED = "`terminated` and `truncated` were always false here, and what reads them would get the flags"
HELP = "unpack five values; the old `done` is `terminated or truncated`"


class Slots(NamedTuple):
    """Where the flag stands among the targets, and how many values are missing at the end."""

    done: int
    missing: int = 0


def unpack_in_five(context: Context, unpacking: Unpacking, slots: Slots) -> Outcome:
    """The fix that takes this unpacking, and what depends on it, from four values to five."""
    group, reads = _group(context, unpacking)
    names, joined = step_names(context, unpacking.scope), ""
    edits: list[Edits] = []
    same = _of_same_flag(context, unpacking, slots)
    if is_waiting(context, unpacking.scope, same, slots.done):
        group, names, joined = same, FLAGS, FLAGS[0]
    elif places := renamed_flag(context, unpacking.scope, same, slots.done):
        group, names, joined = same, FLAGS, JOINED
        edits += [replaced(context.tree, place, cst.Name(joined)) for place in places]
    swapped = any(in_another_order(member.targets, slots.done) for member in group)
    reason = next(filter(None, (blocked_by(member.step) for member in group)), "")
    if reason := reason or (ANOTHER_ORDER if swapped else ""):
        return unfixed(reason)
    gone: set[cst.CSTNode] = set()
    changed: set[cst.CSTNode] = set()
    infos = infos_of(group)
    for read in once(reads):
        change = time_limit_change(context, read, unpacking, slots, names, infos)
        if change is None:
            continue
        changed.add(read.node)
        gone.add(change[0])
        edits.append(replaced(context.tree, *change))
    others = [own_limit_changes(context, member, slots, names, infos) for member in group]
    beside = [change for changes, _ in others for change in changes]
    beside += (one for u in group for one in limit_emulations(context.tree, u, u.targets[slots.done], names[0]))
    gone |= {old for old, _ in beside}
    edits += (replaced(context.tree, *change) for change in beside)
    replacing = frozenset(gone)
    for member in group:
        edits += unpacking_edits(context, member, slots, names, replacing, joined)
        edits += asserted_lengths(context, member)
    unsure = READ_LEFT if len(changed) < len(once(reads)) else _WAITED if joined in names else ""
    unsure = unsure or next((doubt for _, doubt in others if doubt), "")
    result = fixed("unpack five values", *edits, unsure=unsure, reads=frozenset(changed))
    for member in group:
        context.shared[member.target] = result
    return result


def blocked_by(step: StepResult) -> str:
    """Why five values cannot be unpacked here yet, in one clause (empty: they can)."""
    if step.per_agent:
        return PER_AGENT
    if any(step.orders):
        return _IN_ANOTHER_ORDER
    return _MIXED if step.env.mixed else PENDING if step.pending else ""


def time_limit_change(
    context: Context,
    read: Read,
    unpacking: Unpacking,
    slots: Slots,
    names: tuple[str, str],
    infos: frozenset[cst.CSTNode],
) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """What a read of the time limit key becomes, where the two flags of its step are in scope.

    `infos` are the targets that take the infos of this step, and of those that are changed with it.
    """
    array = is_array(context, unpacking, slots)
    tree = context.tree
    info = tree.source(read.info)
    if array and (info != tree.source(unpacking.targets[-1]) or read.kind != "value"):
        return None  # the info of one environment out of many, or a question about all of them
    if tree.scope(read.node) is not unpacking.scope or not _in_force(context, read, unpacking, infos):
        return None
    done = tree.source(unpacking.targets[slots.done])
    return replacement(read, context, (cst.Name(names[0]), cst.Name(names[1])), done, array)


def own_limit_changes(
    context: Context, unpacking: Unpacking, slots: Slots, names: tuple[str, str], infos: frozenset[cst.CSTNode]
) -> tuple[list[tuple[cst.BaseExpression, cst.BaseExpression]], str]:
    """What changes beside reads of the time limit key that stay, because the program sets it too; and what is unsure.

    A limit inside does not set it any more: where *terminated* says the same, it stands for the joined flag.
    """
    step, done, unsure = unpacking.step, context.tree.source(unpacking.targets[slots.done]), ""
    found: list[tuple[cst.BaseExpression, cst.BaseExpression]] = []
    for read in own_limit_reads(context) if not (step.env.unlimited or step.never_truncated) else ():
        here = context.tree.scope(read.node) is unpacking.scope and _in_force(context, read, unpacking, infos)
        flag = flag_beside(read, context, done) if here else None
        if flag is not None:
            found.append((flag, cst.Name(names[0])))
        elif here or read.fact.origin.span == step.origin.span:
            unsure = _OWN_LIMIT
    return found, unsure


def reads_of(context: Context, unpacking: Unpacking) -> list[Read]:
    """Reads of the time limit key from the info of this step."""
    return _reads_by_step(context).get(unpacking.step.origin.span, [])


@per_file
def _reads_by_step(context: Context) -> Mapping[Span, list[Read]]:
    """Reads of the time limit key by the place of the step."""
    return grouped((read.fact.origin.span, read) for read in time_limit_reads(context))


def is_array(context: Context, unpacking: Unpacking, slots: Slots) -> bool:
    """Whether the flags are to be joined by `|`: it is right for arrays, and for single flags too; not for lists."""
    env, known = unpacking.step.env, unpacking.step.array
    if env.api.vector or known is not None:
        return env.api.vector or known is True
    done = unpacking.targets[slots.done]
    if _is_plural(done) or _steps_many(unpacking.value):
        return True
    if isinstance(done, cst.Name) and is_used_as_array(context, unpacking.scope, done.value):
        return True
    if not isinstance(done, cst.Subscript):
        return False
    sliced = any(isinstance(element.slice, cst.Slice) for element in done.slice)
    return sliced or env.certainty != "proven"


def _is_plural(done: cst.BaseExpression) -> bool:
    """`dones`, `self.terminals`: a wrapper may hold one environment or many, and the name says many."""
    return last_name(done) in _PLURALS


def _steps_many(step: cst.BaseExpression) -> bool:
    """`envs.step(a)`: so too the name of what is stepped."""
    receiver = step.func.value if isinstance(step, cst.Call) and isinstance(step.func, cst.Attribute) else None
    return receiver is not None and environments(last_name(receiver))


_PLURALS = frozenset({"dones", "terminals", "terminateds", "terminations"})


def unpacking_edits(
    context: Context,
    unpacking: Unpacking,
    slots: Slots,
    names: tuple[str, str],
    gone: frozenset[cst.CSTNode],
    joined: str = "",
) -> list[Edits]:
    """The new targets, and the line that joins the two flags for whoever reads the old one.

    `joined` is what the old flag is called from now on, where that is another name; one of the `names`: nothing reads
    the old flag without the new one.
    """
    tree = context.tree
    done = unpacking.targets[slots.done]
    needed = still_read(context, unpacking.scope, done, gone) and not _is_replaced(context, unpacking, done)
    if not needed and not gone:
        names = names if tree.scopes.is_read(unpacking.scope, "_") else ("_", "_")
    edits = [five_targets(tree, unpacking, slots, names)]
    if unpacking.part is not None:
        edits.append(replaced(tree, unpacking.part, unpacking.value))
    if needed and joined not in names:
        line = joined_assignment(cst.Name(joined) if joined else done, names, array=is_array(context, unpacking, slots))
        edits.append(added_after(tree, unpacking.statement, spaced_like(line, unpacking.statement)))
    return edits


def five_targets(tree: Tree, unpacking: Unpacking, slots: Slots, names: tuple[str, str]) -> Edits:
    """Two targets in the place of the flag, and `_` for the values that a slice left out."""
    flags = (cst.Name(names[0]), cst.Name(names[1]))
    elements = with_placeholders(two_for_one(unpacking.target.elements, slots.done, flags), slots.missing)
    return replaced(tree, unpacking.target, unpacking.target.with_changes(elements=elements))


def still_read(context: Context, scope: Scope, done: cst.BaseExpression, gone: frozenset[cst.CSTNode]) -> bool:
    """Whether the old flag is read outside the expressions that are replaced."""
    if not isinstance(done, cst.Name) or not gone or not is_read(context.tree, scope, done):
        return is_read(context.tree, scope, done)
    return _is_read_outside(context, scope, done.value, gone)


def _is_replaced(context: Context, unpacking: Unpacking, done: cst.BaseExpression) -> bool:
    """Whether `done = ...` always takes the place of the flag before anything reads it."""
    if not isinstance(done, cst.Name) or context.is_binding_read(done, unpacking.statement):
        return False
    tree = context.tree
    mentions = tree.names(done.value)
    behind = bisect_right(mentions, tree.span(done), key=tree.span)
    return behind < len(mentions) and _is_assigned_alone(tree, unpacking.scope, mentions[behind])


def _is_assigned_alone(tree: Tree, scope: Scope, name: cst.Name) -> bool:
    statement = tree.parents.get(tree.parents[name])
    return only_target(statement) is name and tree.scope(name) is scope


@per_file
def _is_read_outside(context: Context, scope: Scope, name: str, gone: frozenset[cst.CSTNode]) -> bool:
    """Whether a variable, or what may be one, is read outside of all these expressions."""
    tree = context.tree
    reads = tree.scopes.reads(scope, name)
    return not reads or any(gone.isdisjoint((read, *tree.ancestors(read))) for read in reads)


def _group(context: Context, unpacking: Unpacking) -> tuple[Sequence[Unpacking], Sequence[Read]]:
    """What changes together, and the reads of the time limit key that it is for.

    These are all four-value unpackings that bind the same info in the same scope: its readers belong to all of them.
    """
    info = unpacking.targets[-1]
    if not isinstance(info, cst.Name) or not four_valued(unpacking):
        return [unpacking], reads_of(context, unpacking)
    group, reads = _groups(context)[unpacking.scope, info.value]
    return (group if reads else [unpacking]), reads


def _of_same_flag(context: Context, unpacking: Unpacking, slots: Slots) -> Sequence[Unpacking]:
    """All four-value unpackings that bind the same flag, if what reads it is nothing but the flag: no time limit."""
    flag = unpacking.targets[slots.done]
    if not isinstance(flag, cst.Name) or flag.value not in FLAGS or not four_valued(unpacking):
        return ()
    found = [
        one
        for one in context.unpackings
        if one.scope is unpacking.scope and four_valued(one) and is_name(one.targets[slots.done], flag.value)
    ]
    limits = (any(limit_emulations(context.tree, one, one.targets[slots.done], flag.value)) for one in found)
    return () if any(limits) or any(reads_of(context, one) for one in found) else found


@per_file
def _groups(context: Context) -> Mapping[tuple[Scope, str], tuple[Sequence[Unpacking], Sequence[Read]]]:
    """The four-value unpackings by scope and name of the info, and the reads of the key from these infos."""
    found: dict[tuple[Scope, str], list[Unpacking]] = {}
    for unpacking in context.unpackings:
        info = unpacking.targets[-1] if unpacking.targets else None
        if isinstance(info, cst.Name) and four_valued(unpacking):
            found.setdefault((unpacking.scope, info.value), []).append(unpacking)
    return {key: (group, [read for one in group for read in reads_of(context, one)]) for key, group in found.items()}


def infos_of(group: Sequence[Unpacking]) -> frozenset[cst.CSTNode]:
    """The targets that take the infos."""
    return frozenset(unpacking.targets[-1] for unpacking in group)


@per_file
def _is_bound_by_steps(context: Context, scope: Scope, name: str, infos: frozenset[cst.CSTNode]) -> bool:
    """Whether nothing but these targets binds the name of the info."""
    return infos.issuperset(context.tree.scopes.bindings(scope, name))


def _in_force(context: Context, read: Read, unpacking: Unpacking, infos: frozenset[cst.CSTNode]) -> bool:
    """Whether the two flags are bound, and belong to this info, wherever the read happens."""
    tree = context.tree
    if isinstance(read.info, cst.Name) and _is_bound_by_steps(context, unpacking.scope, read.info.value, infos):
        return True
    if tree.source(read.info) != tree.source(unpacking.targets[-1]):
        return False
    row = tree.row(unpacking.statement)
    if row is None:
        return False
    block = tree.parents[row] if isinstance(row, cst.SimpleStatementLine) else row
    return tree.within(read.node, block) and tree.span(read.node) > tree.span(unpacking.statement)


def once(reads: Sequence[Read]) -> list[Read]:
    """Each read once, though several steps of a group may claim it."""
    return list({read.node: read for read in reads}.values())
