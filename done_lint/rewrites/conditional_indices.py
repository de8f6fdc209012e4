"""What a value is read at may be chosen by the flag that cuts the value: `best = argmax(q[s]) if not done else 0`.

Cut by `terminated` alone, the value would be read there at a truncation: both tests have to change, or none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from done_lint.core.reach import reach
from done_lint.rewrites.context import Context, per_file
from done_lint.syntax.bound_names import Read
from done_lint.syntax.shapes import is_negation, is_same, only_target
from done_lint.syntax.tree import Scope

TOGETHER = "what the value is read at, or another branch, is chosen by the same flag: both have to change"
_BESIDE = "`{}` is chosen by the same flag, and stored beside it: it may have to change too"
#: Where observation and reward stand in a step's result.
_SEEN, _PAID = 0, 1


def tests_of_indices(context: Context, flag: cst.BaseExpression, *, stored: bool) -> list[cst.BaseExpression] | str:
    """The other tests of a flag that choose what its value is read at, or why they cannot change with it.

    `stored`: the flag is kept in a row. What else the row has and the flag chooses may be anything: only next states
    are known to go with `terminated`.
    """
    tree, found = context.tree, list[cst.BaseExpression]()
    around = next((one for one in tree.ancestors(flag) if isinstance(one, (cst.BaseSmallStatement, cst.If))), flag)
    for statement in _choosing(context, around, flag):
        value = statement.value if isinstance(statement, (cst.Assign, cst.AnnAssign)) else None
        if _pays(context, statement, value):
            continue  # what the end of an episode pays, however it comes, is the choice of the task's author
        test = value.test if isinstance(value, cst.IfExp) else None
        plain = test.expression if isinstance(test, cst.UnaryOperation) and is_negation(test) else test
        if plain is not None and is_same(plain, flag) and isinstance(value, cst.IfExp):
            if stored and not _is_state(context, statement, value):
                return _BESIDE.format(context.tree.source(statement).partition("=")[0].strip())
            found.append(plain)
        elif any(_tests(context, one, flag) for one in _branches(context, statement, around)):
            return TOGETHER
    return found


def _choosing(context: Context, around: cst.CSTNode, flag: cst.BaseExpression) -> Iterator[cst.CSTNode]:
    """The statements that, after the flag is known, bind what subscripts and calls in another statement are given.

    What such a statement reads may have been chosen before it: `if done: s = zeros`, then `s = reshape(s)`.
    """
    tree, names = context.tree, context.bound_names
    flags = names.reads.get(tree.offsets(flag)[0]) if names is not None else None
    if names is None or flags is None:
        return
    places = {
        tree.offsets(one)[0]
        for outer in tree.descend(around)
        for part in _given(outer)
        for one in tree.descend(part)
        if isinstance(one, cst.Name)
    }
    known = max(flags.sources)

    def later(reads: Iterable[Read]) -> list[int]:
        # what was chosen before the flag was bound was chosen by the flag of the step before
        return [one for read in reads for one in read.sources if known < one < flags.offset]

    first = later(names.reads[place] for place in places if place in names.reads)
    sources = reach(first, lambda one: later(names.read_in(one)))
    statements = context.assignments
    yield from (statements[one] for one in sorted(sources) if one in statements)


def _pays(context: Context, statement: cst.CSTNode, value: cst.BaseExpression | None) -> bool:
    """Whether a statement chooses a reward: one is bound anew, or kept beside it: `kept = reward if done else 0.0`."""
    scope, rewards = context.tree.scope(statement), _rewards(context)
    target = only_target(statement) if isinstance(statement, cst.Assign) else None
    if isinstance(target, cst.Name) and (scope, target.value) in rewards:
        return True
    arms = (value.body, value.orelse) if isinstance(value, cst.IfExp) else ()
    names = {(scope, name) for one in arms for name in _names(context, one)}
    return bool(names) and rewards >= names


def _is_state(context: Context, statement: cst.CSTNode, value: cst.IfExp) -> bool:
    """Whether a choice takes what a step's observation gives while the episode goes on: `zeros if done else s2`."""
    scope = context.tree.scope(statement)
    going_on = value.body if is_negation(value.test) else value.orelse
    names = {(scope, name) for name in _names(context, going_on)}
    return not names.isdisjoint(_states(context)) and names.isdisjoint(_rewards(context))


@per_file
def _rewards(context: Context) -> frozenset[tuple[Scope, str]]:
    """The names that a step's reward is given, and where; and those of sums of nothing else: `total += reward`."""
    found = _given_by_steps(context, _PAID)
    added = context.tree.of_type(cst.AugAssign) if found else ()
    for one in added:
        scope = context.tree.scope(one)
        names = {(scope, name) for name in _names(context, one.value)}
        if isinstance(one.target, cst.Name) and isinstance(one.operator, cst.AddAssign) and names and found >= names:
            found.add((scope, one.target.value))
    return frozenset(found)


@per_file
def _states(context: Context) -> frozenset[tuple[Scope, str]]:
    """The names that a step's observation is given, and where; and those of what is made of one."""
    found = _given_by_steps(context, _SEEN)
    made = [(context.tree.scope(one), one) for one in context.tree.of_type(cst.Assign)] if found else []
    known = -1
    while known != len(found):
        known = len(found)
        for scope, one in made:
            target = only_target(one)
            if isinstance(target, cst.Name) and any((scope, name) in found for name in _names(context, one.value)):
                found.add((scope, target.value))
    return frozenset(found)


def _given_by_steps(context: Context, place: int) -> set[tuple[Scope, str]]:
    """The names that one value of steps is given, and where."""
    targets = (
        (one.scope, one.targets[place]) for one in context.unpackings if not one.starred and len(one.targets) > place
    )
    return {(scope, name.value) for scope, name in targets if isinstance(name, cst.Name)}


def _names(context: Context, value: cst.CSTNode) -> set[str]:
    """The names that a value is computed from; what is called, and its parts, is none of them: `float(reward)`."""
    called = {one.func for one in context.tree.inside(cst.Call, value)}
    return {one.value for one in context.tree.inside(cst.Name, value) if one not in called}


def _given(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The keys of a subscript, the arguments of a call, or what stands in a row beside a flag."""
    if isinstance(node, cst.Subscript):
        yield from node.slice
    elif isinstance(node, (cst.Tuple, cst.List)):
        yield from node.elements
    elif isinstance(node, cst.Call):
        yield from node.args


def _branches(context: Context, statement: cst.CSTNode, around: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The tests that decide whether a statement runs, or which value it gives; not those of the target itself."""
    yield from (one.test for one in context.tree.descend(statement) if isinstance(one, cst.IfExp))
    yield from (one.test for one in context.tree.ancestors(statement) if isinstance(one, cst.If) and one is not around)


def _tests(context: Context, test: cst.CSTNode, flag: cst.BaseExpression) -> bool:
    """Whether a test reads a flag."""
    return any(isinstance(one, cst.BaseExpression) and is_same(one, flag) for one in context.tree.descend(test))
