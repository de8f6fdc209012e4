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

#: Where the reward stands in a step's result.
_PAID = 1


def tests_of_indices(context: Context, flag: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    """The other tests of a flag that choose what its value is read at; None: one of them is a statement."""
    tree, found = context.tree, list[cst.BaseExpression]()
    around = next((one for one in tree.ancestors(flag) if isinstance(one, (cst.BaseSmallStatement, cst.If))), flag)
    rewards = _rewards(context)
    for statement in _choosing(context, around, flag):
        if isinstance(statement, cst.Assign) and _bound_name(context, statement) in rewards:
            continue  # what the end of an episode pays, however it comes, is the choice of the task's author
        value = statement.value if isinstance(statement, (cst.Assign, cst.AnnAssign)) else None
        test = value.test if isinstance(value, cst.IfExp) else None
        plain = test.expression if isinstance(test, cst.UnaryOperation) and is_negation(test) else test
        if plain is not None and is_same(plain, flag):
            found.append(plain)
        elif any(_tests(context, one, flag) for one in _branches(context, statement, around)):
            return None
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


@per_file
def _rewards(context: Context) -> frozenset[tuple[Scope, str]]:
    """The names that a step's reward is given, and where."""
    rewards = (
        (one.scope, one.targets[_PAID]) for one in context.unpackings if not one.starred and len(one.targets) > _PAID
    )
    return frozenset((scope, name.value) for scope, name in rewards if isinstance(name, cst.Name))


def _bound_name(context: Context, statement: cst.Assign) -> tuple[Scope, str] | None:
    target = only_target(statement)
    return (context.tree.scope(statement), target.value) if isinstance(target, cst.Name) else None


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
