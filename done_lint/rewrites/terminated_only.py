"""`terminated` in the place of the flag that cuts a value target, which GYM201 to GYM204 share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.kinds.flags import Sink
from done_lint.knowledge.naming_conventions import STEP_SLOTS
from done_lint.rewrites.chosen_stores import chosen_store
from done_lint.rewrites.complementary_branches import complementary_tests, effects
from done_lint.rewrites.conditional_indices import TOGETHER, tests_of_indices
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.rewrites.priorities import stored_beside
from done_lint.rewrites.step_tuple.unpacking import four_valued
from done_lint.rewrites.thread_flag.conversions import (
    conversion,
    is_mask,
    is_retyped,
    joined_flags,
    made_of_flag_alone,
)
from done_lint.rewrites.thread_flag.thread import threaded
from done_lint.rewrites.vectors.final_observations import lost_ends
from done_lint.rewrites.vectors.next_values import reset_before
from done_lint.rewrites.vectors.optional_finals import final_by_option
from done_lint.rewrites.vectors.single_flags import terminated_for
from done_lint.rewrites.vectors.stale_values import stale_value
from done_lint.syntax.edits import Edits, exchanged, removed, without_parentheses
from done_lint.syntax.expressions import fitting
from done_lint.syntax.shapes import only_target
from done_lint.syntax.tree import Tree

#: The place of truncation among the values of a step.
_TRUNCATED = 3
_BESIDE = "another branch on the same flag writes to the same place, and does more: both would run at a truncation"
_PRIORITY = "`{}` is given the value and `{}` as well, which may cut the target of the same row: both have to change"
_RETYPED = "`{}` is what a call made of the flag, which may be of another type than `terminated`"
_OTHER_CALLERS = "a function on the way takes or returns one value more, and other files may call it"
_ON_PURPOSE = "the comment on this line names truncation: its author may cut there on purpose"
_RESET_AT_ONCE = (
    "the step that ends an episode resets, so that `terminated` would take the value of another episode: "
    "the final observation in `{}` has to come first"
)


def use_terminated(context: Context, sink: Sink) -> Outcome:
    """The fix that replaces one name, where the model has seen every use of the flag; else the reason against it.

    Where the flag may say more than a limit, or a comment beside it names truncation, it is no promise, and says why.
    """
    flag = context.tree.expressions.get(sink.flag_span or sink.span)
    doubt = sink.doubt or (_ON_PURPOSE if _names_truncation(context, sink) else "")
    if flag is not None and sink.kind == "store":
        doubt = doubt or chosen_store(context, flag, sink.terminated) or final_by_option(context, flag)
    return _of_sink(context, sink).doubted(doubt)


def _names_truncation(context: Context, sink: Sink) -> bool:
    """Whether the comment at the end of the line of a sink speaks of truncation: its author has thought of it."""
    place = context.tree.expressions.get(sink.flag_span or sink.span)
    around = context.tree.ancestors(place) if place is not None else ()
    line = next((one for one in around if isinstance(one, cst.SimpleStatementLine)), None)
    comment = line.trailing_whitespace.comment if line is not None else None
    return comment is not None and "truncat" in comment.value.lower()


def _of_sink(context: Context, sink: Sink) -> Outcome:
    flag = context.tree.expressions.get(sink.flag_span or sink.span)
    if sink.flag_span is None or (flag is not None and _is_in_target(context, flag)):
        flag = _assigned(context, context.tree.expressions.get(sink.span))
    if sink.hindrance:
        return unfixed(sink.hindrance)
    lost = (lost_ends(context).get(place.span) for place in sink.path if place.path == context.path)
    if kept := next(filter(None, lost), ""):
        return unfixed(_RESET_AT_ONCE.format(kept))
    if flag is not None and not _only_target(context, flag):
        return unfixed("the branch does more than compute the target")
    if flag is not None and (missing := _missing_value(context, sink, flag)):
        return unfixed(missing)
    if STEP_SLOTS.get(sink.terminated) == _TRUNCATED:
        return unfixed(f"`{sink.terminated}` stands where the step gives `terminated`: put its values in order first")
    others = _tested_too(context, sink, flag) if flag is not None else []
    if isinstance(others, str):
        return unfixed(others)
    if flag is None or not sink.terminated:
        return unfixed(TOGETHER) if others else _thread(context, sink, flag)
    return _replace(context, sink, flag, others)


def _missing_value(context: Context, sink: Sink, flag: cst.BaseExpression) -> str:
    """Why the value that a target would be bootstrapped with is not at hand at a truncation; empty: it is."""
    if lost := _lost_observation(context, flag):
        return f"the loop before has reset `{lost}`: the final observation, whose value is missing, is lost"
    if lost := reset_before(context, flag):
        return f"`{lost}` may come from a reset: the final observation, whose value is missing, is lost then"
    if sink.kind != "store" and (stale := stale_value(context, flag)):
        return f"`{stale}` is computed in some steps only: at a truncation it may be that of an earlier one"
    return ""


def _tested_too(context: Context, sink: Sink, flag: cst.BaseExpression) -> list[cst.BaseExpression] | str:
    """The other tests of the flag that have to change with it, or why they cannot."""
    indices = tests_of_indices(context, flag, stored=sink.kind == "store")
    if isinstance(indices, str):
        return indices
    branches = complementary_tests(context, flag)
    return _BESIDE if branches is None else [*indices, *branches]


def _lost_observation(context: Context, flag: cst.BaseExpression) -> str:
    """What the statement around a flag reads, and a loop before it ended with a reset of; empty: nothing."""
    tree = context.tree
    around = next((one for one in tree.ancestors(flag) if isinstance(one, (cst.BaseSmallStatement, cst.If))), flag)
    first = tree.span(around).row
    read = {tree.source(one) for one in tree.descend(around) if isinstance(one, (cst.Name, cst.Attribute))}
    ended = _ended_with_reset(context).get(tree.scope(around), {})
    return min((name for name in read if ended.get(name, first) < first), default="")


@per_file
def _ended_with_reset(context: Context) -> Mapping[object, Mapping[str, int]]:
    """By scope, what a reset assigns in a loop after everything else there that does, and where the first such ends."""
    tree = context.tree
    found: dict[object, dict[str, int]] = {}
    loops = [*tree.of_type(cst.For), *tree.of_type(cst.While)]
    for loop in loops if context.facts.resets else ():
        names = found.setdefault(tree.scope(loop), {})
        end = tree.span(loop).end_row
        for name in _reset_last(context, loop):
            names[name] = min(end, names.get(name, end))
    return found


def _reset_last(context: Context, loop: cst.CSTNode) -> set[str]:
    """What a reset assigns in a loop after everything else there that does."""
    tree = context.tree
    assigned: dict[str, bool] = {}
    for statement in tree.inside(cst.Assign, loop):
        inner = [one for one in tree.descend(statement.value) if isinstance(one, cst.BaseExpression)]
        resets = any(tree.span(one) in context.facts.resets for one in inner)
        for target in statement.targets:
            parts = target.target.elements if isinstance(target.target, (cst.Tuple, cst.List)) else [target.target]
            names = (one.value if isinstance(one, cst.BaseElement) else one for one in parts)
            for name in map(tree.source, names):
                assigned[name] = resets and name in assigned
    return {name for name, resets in assigned.items() if resets}


def substituted(context: Context, old: cst.BaseExpression, new: cst.BaseExpression) -> Edits:
    """`new` in the place of `old`, in parentheses where it needs them there."""
    return without_parentheses(context.tree, old, fitting(context.tree, old, new, bare_in=(cst.Arg, cst.Element)))


def _thread(context: Context, sink: Sink, flag: cst.BaseExpression | None) -> Outcome:
    """No flag in scope is known to be `terminated` alone: it has to come here beside this one."""
    if sink.kind != "store" and (store := _stored_here(context, sink)) is not None:
        beside = f"goes away once `terminated` is stored, too: {store.hindrance}"
        return unfixed(beside if store.hindrance else "goes away once `terminated` is stored instead")
    if _comes_from_four_values(context, sink):
        return unfixed("`terminated` is available once the step unpacks five values")
    way = threaded(context, flag) if flag is not None else None
    if flag is None or way is None:
        return unfixed("nothing in scope here is known to be `terminated` alone")
    name = context.tree.source(flag)
    edits = (*substituted(context, flag, way.flag), *way.edits)
    if not edits:
        # `done = done or steps > limit`: what is wanted has the same name before
        return unfixed(f"`{name}` is the name of `terminated` too, before it is joined with the limit")
    title = f"pass `terminated` along, beside `{name}`"
    return fixed(title, edits, unsure="" if way.closed else _OTHER_CALLERS)


def _replace(context: Context, sink: Sink, flag: cst.BaseExpression, others: Sequence[cst.BaseExpression]) -> Outcome:
    """`terminated` in the place of the flag, converted in the same way, and in other tests of it."""
    unsure = ""
    converted = conversion(context, flag)
    old = converted.flag if converted is not None else flag
    terminated = terminated_for(context, old, sink.terminated)
    if terminated is None:
        return unfixed(f"not both `{context.tree.source(old)}` and `{sink.terminated}` are a flag of one environment")
    if converted is None:
        if is_mask(context, flag):
            return unfixed("it is a mask, computed elsewhere, that is 1 where the episode continues")
        tests = [edit for one in (flag, *others) for edit in substituted(context, one, terminated)]
        edits = (*tests, *_left_unread(context, flag, {flag, *others}))
        unsure = _RETYPED.format(context.tree.source(flag)) if is_retyped(context, flag) else ""
    elif converted.once and not others:
        # Nobody else reads the converted flag: it changes where it is converted.
        gone = _left_unread(context, converted.flag, {converted.flag, flag})
        edits = (*substituted(context, converted.flag, terminated), *gone)
    elif made_of_flag_alone(context, converted):
        new = exchanged(converted.whole, {converted.flag: terminated})
        edits = tuple(edit for one in (flag, *others) for edit in substituted(context, one, new))
    else:
        return unfixed("the converted flag is also read elsewhere")
    if sink.kind == "mask" and (stored := stored_beside(context, old)):
        unsure = _PRIORITY.format(stored, context.tree.source(old))
    return fixed(f"use `{cst.Module([]).code_for_node(terminated)}`", edits, unsure=unsure)


def _left_unread(context: Context, flag: cst.BaseExpression, readers: AbstractSet[cst.CSTNode]) -> Edits:
    """Take `done = terminated or truncated` away, where nobody but these reads the name, and they need it no more."""
    tree = context.tree
    if not isinstance(flag, cst.Name) or tree.scopes.is_declared(flag.value):
        return ()
    scope = tree.scopes.resolved(tree.scope(flag), flag.value)
    if isinstance(scope, cst.ClassDef) or not readers >= {*tree.scopes.reads(scope, flag.value)}:
        return ()
    bindings = [tree.parents[one] for one in tree.scopes.bindings(scope, flag.value)]
    return tuple(edit for target in bindings for edit in _joining_removed(tree, tree.parents[target]))


def _joining_removed(tree: Tree, statement: cst.CSTNode) -> Edits:
    """The edits that take a line away, if all that it does is join two flags."""
    line = tree.parents.get(statement)
    if not isinstance(statement, cst.Assign) or not isinstance(line, cst.SimpleStatementLine):
        return ()
    joins = isinstance(statement.value, (cst.BooleanOperation, cst.BinaryOperation))
    operands = [one for one in tree.descend(statement.value) if isinstance(one, cst.BaseExpression)]
    names = [one for one in operands if isinstance(one, cst.Name)]
    alone = len(statement.targets) == 1 and len(line.body) == 1 and len(tree.siblings(line)) > 1
    if not joins or len(names) != 2 or len(operands) != 3 or not alone or line.trailing_whitespace.comment is not None:
        return ()
    return removed(tree, statement)


def _is_in_target(context: Context, flag: cst.BaseExpression) -> bool:
    """`dones` of `dones[i] = True`; `done` of `values[done] = 0.0` only picks."""
    below: cst.CSTNode = flag
    for around in context.tree.ancestors(flag):
        if isinstance(around, cst.AssignTarget):
            return True
        if not isinstance(around, (cst.Subscript, cst.Attribute)) or around.value is not below:
            return False
        below = around
    return False


def _assigned(context: Context, target: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """The flag that `dones[t] = done` puts into the target."""
    statement = context.tree.parents.get(context.tree.parents[target]) if target is not None else None
    if not isinstance(statement, cst.Assign) or only_target(statement) is not target:
        return None
    inner = joined_flags(context, statement.value)
    return inner[0] if len(inner) == 1 else None


def _only_target(context: Context, flag: cst.BaseExpression) -> bool:
    """Whether the statement that tests the flag, if one does, does nothing but bind one target."""
    below: cst.CSTNode = flag
    for ancestor in context.tree.ancestors(flag):
        if isinstance(ancestor, cst.While):
            return ancestor.test is not below
        if isinstance(ancestor, cst.If):
            return ancestor.test is not below or len(effects(context.tree, ancestor)) == 1
        if isinstance(ancestor, cst.BaseSmallStatement):
            return True
        below = ancestor
    return True


def _comes_from_four_values(context: Context, sink: Sink) -> bool:
    """Whether the flag is the third target of an unpacking that GYM101 reports."""
    return any(place.path == context.path and place.span in _four_value_flags(context) for place in sink.path)


@per_file
def _four_value_flags(context: Context) -> frozenset[Span]:
    """The third targets of the unpackings that GYM101 reports."""
    return frozenset(context.tree.span(one.targets[2]) for one in context.unpackings if four_valued(one))


def _stored_here(context: Context, sink: Sink) -> Sink | None:
    """The store on the flag's way that is reported by itself."""
    sinks = context.facts.sinks
    found = (sinks.get(place.span) for place in sink.path if place.path == context.path)
    return next((one for one in found if one is not None and one.kind == "store"), None)
