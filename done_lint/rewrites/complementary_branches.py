"""Branches of their own that test the same flag and write to the same place: `if not done: ...`, then `if done: ...`.

Of such branches one runs after each step. With `terminated` in one of them alone, both would run at a truncation: they
change together, or none does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import libcst as cst

from done_lint.rewrites.context import Context, grouped, per_file
from done_lint.syntax.shapes import is_negation, is_same
from done_lint.syntax.tree import Scope, Tree


def complementary_tests(context: Context, flag: cst.BaseExpression) -> list[cst.BaseExpression] | None:
    """The other tests of a flag whose branches only write to the same place; None: one of these does more."""
    around = _tested_by(context.tree, flag)
    if around is None:
        return []
    tree, written = context.tree, effects(context.tree, around)
    found: list[cst.BaseExpression] = []
    for other in _branches(context).get(tree.scope(around), ()):
        if tree.within(other, around) or tree.within(around, other):
            continue
        tests = [one for one in tree.descend(other.test) if isinstance(one, cst.BaseExpression) and is_same(one, flag)]
        if (
            not tests
            or written.isdisjoint(others := effects(tree, other))
            or not _arrive_together(context, tests, flag)
        ):
            continue
        if others != written or _plain(other.test) is not tests[0]:
            return None
        found += tests
    return found


def effects(tree: Tree, branch: cst.If) -> AbstractSet[str]:
    """What the branches bind or append to; anything else that they do counts by itself."""
    found: set[str] = set()
    for node in tree.descend(branch):
        if isinstance(node, cst.Assign):
            found.update(tree.source(target.target) for target in node.targets)
        elif isinstance(node, (cst.AugAssign, cst.AnnAssign)):
            found.add(tree.source(node.target))
        elif isinstance(node, cst.Expr) and isinstance(node.value, cst.Call):
            func = node.value.func
            appends = isinstance(func, cst.Attribute) and func.attr.value == "append"
            found.add(tree.source(func.value if appends and isinstance(func, cst.Attribute) else node))
        elif isinstance(node, cst.BaseSmallStatement) and not isinstance(node, (cst.Pass, cst.Expr)):
            found.add(f"{type(node).__name__} ")
    return found


def _tested_by(tree: Tree, flag: cst.BaseExpression) -> cst.If | None:
    """The statement that a flag is the test of."""
    below: cst.CSTNode = flag
    for ancestor in tree.ancestors(flag):
        if isinstance(ancestor, cst.If):
            return ancestor if ancestor.test is below else None
        if isinstance(ancestor, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            return None
        below = ancestor
    return None


def _plain(test: cst.BaseExpression) -> cst.BaseExpression:
    """`done` of `not done`, and of `done == False`."""
    if isinstance(test, cst.UnaryOperation) and is_negation(test):
        return test.expression
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        return test.left
    return test


def _arrive_together(context: Context, tests: Sequence[cst.BaseExpression], flag: cst.BaseExpression) -> bool:
    """Whether these tests read the flag of the same step."""
    names = context.bound_names
    if names is None or not isinstance(flag, cst.Name):
        return True
    first = names.reads.get(context.tree.offsets(flag)[0])
    others = [names.reads.get(context.tree.offsets(one)[0]) for one in tests]
    return first is None or any(one is None or one.sources == first.sources for one in others)


@per_file
def _branches(context: Context) -> Mapping[Scope, Sequence[cst.If]]:
    return grouped((context.tree.scope(one), one) for one in context.tree.of_type(cst.If))
