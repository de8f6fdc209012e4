"""What loops end on: the flag of a step, in their own test and in the branches around `break` and `return`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import libcst as cst

from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree

Loop: TypeAlias = cst.For | cst.While


def loops_around(tree: Tree, node: cst.CSTNode) -> Iterator[Loop]:
    """The loops of the same function, the innermost first."""
    for ancestor in tree.ancestors(node):
        if isinstance(ancestor, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            return
        if isinstance(ancestor, (cst.For, cst.While)):
            yield ancestor


def ends(context: Context, loop: Loop, unpacking: Unpacking) -> list[cst.BaseExpression]:
    """The flags that the loop ends on; none where it can end on anything else."""
    flags: list[cst.BaseExpression] = []
    if isinstance(loop, cst.While) and not always(loop.test):
        flag = _running(context, loop.test, unpacking, loop)
        if flag is None:
            return []
        flags.append(flag)
    for leaving in exits(context.tree, loop):
        tests = [test for test in guards(context.tree, leaving, loop) if is_end(context, test, unpacking, loop)]
        if not tests:
            return []
        flags.append(tests[0])
    return flags


def _running(context: Context, test: cst.BaseExpression, unpacking: Unpacking, loop: Loop) -> cst.BaseExpression | None:
    """The flag in `not flag`, `flag is False` and `flag == False`."""
    flag: cst.BaseExpression | None = None
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        flag = test.expression
    elif isinstance(test, cst.Comparison) and says_no(test):
        flag = test.left
    return flag if flag is not None and is_end(context, flag, unpacking, loop) else None


def exits(tree: Tree, loop: Loop) -> Iterator[cst.CSTNode]:
    """Every `break` of this loop, and every `return` inside it."""
    for node in tree.descend(loop, into_functions=False):
        if isinstance(node, (cst.Return, cst.Raise)):
            yield node
        elif isinstance(node, cst.Break):
            inner = next(one for one in tree.ancestors(node) if isinstance(one, (cst.For, cst.While)))
            if inner is loop:
                yield node


def inner_breaks(context: Context, loop: Loop, unpacking: Unpacking) -> list[cst.BaseExpression]:
    """Flags on which a `for` between the loop and the step ends: it must stop stepping as well."""
    found: list[cst.BaseExpression] = []
    for node in context.tree.descend(loop, into_functions=False):
        if not isinstance(node, cst.Break):
            continue
        inner = next(one for one in context.tree.ancestors(node) if isinstance(one, (cst.For, cst.While)))
        if inner is not loop and context.tree.within(unpacking.statement, inner):
            found += [test for test in guards(context.tree, node, loop) if is_end(context, test, unpacking, loop)][:1]
    return found


def guards(tree: Tree, node: cst.CSTNode, loop: Loop) -> Iterator[cst.BaseExpression]:
    """The tests that must hold on the path to the node, inside the loop."""
    below = node
    for ancestor in tree.ancestors(node):
        if ancestor is loop:
            return
        if isinstance(ancestor, cst.If) and ancestor.body is below:
            yield ancestor.test
        below = ancestor


def is_end(context: Context, node: cst.BaseExpression, unpacking: Unpacking, loop: Loop) -> bool:
    """Whether the expression is this step's *terminated*, and nothing else ever is bound to it."""
    if isinstance(node, cst.BooleanOperation) and isinstance(node.operator, cst.Or):
        # the flag is all that is known of `done or self.steps > limit`, but it is not all that ends the loop
        return all(is_end(context, side, unpacking, loop) for side in (node.left, node.right))
    target = unpacking.targets[2]
    fact = context.facts.flags.get(context.tree.span(node))
    if fact is not None and not (fact.terminated_only and not any(meaning.keep for meaning in fact.meanings)):
        return False
    same = context.tree.source(node) == context.tree.source(target)
    if not same and fact is None:
        return False
    if not isinstance(node, cst.Name):
        return True
    slots = {one.targets[2] for one in context.unpackings if len(one.targets) == 5}
    for binding in context.tree.scopes.bindings(unpacking.scope, node.value):
        if context.tree.within(binding, loop) and binding not in slots and not _plain_copy(context, binding):
            return False
    return True


def _plain_copy(context: Context, binding: cst.Name) -> bool:
    """`done = False`, or `done = terminated` of another name."""
    assign = context.tree.parents.get(context.tree.parents[binding])
    if not isinstance(assign, cst.Assign):
        return False
    if is_name(assign.value, "False"):
        return True
    fact = context.facts.flags.get(context.tree.span(assign.value))
    return fact is not None and fact.terminated_only


def says_no(test: cst.Comparison) -> bool:
    """`flag == False`, `flag is False`, and the same by `True`."""
    if len(test.comparisons) != 1:
        return False
    asked = test.comparisons[0]
    same = isinstance(asked.operator, (cst.Equal, cst.Is))
    other = isinstance(asked.operator, (cst.NotEqual, cst.IsNot))
    return (same and is_name(asked.comparator, "False")) or (other and is_name(asked.comparator, "True"))


def always(test: cst.BaseExpression) -> bool:
    """`while True` and `while 1`."""
    return isinstance(test, (cst.Name, cst.Integer)) and test.value in ("True", "1")
