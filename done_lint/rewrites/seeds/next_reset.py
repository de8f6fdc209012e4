"""The next reset of an environment in the same block: where its seed belongs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import libcst as cst

from done_lint.core.findings import Span
from done_lint.rewrites.env_methods import receiver as receiver_of
from done_lint.syntax.shapes import method_called
from done_lint.syntax.tree import Tree

#: A statement of a row, or what stands around a call of `seed` in case there is no such method.
Place: TypeAlias = cst.BaseSmallStatement | cst.If | cst.Try
_BLOCKS = (cst.If, cst.Try)
#: Behind all code.
_END = Span(sys.maxsize, 0, sys.maxsize, 0)


def next_reset(tree: Tree, call: cst.Call, place: Place, reset_by: frozenset[Span]) -> cst.Call | None:
    """The reset behind a call of `seed` that can take its argument.

    It is the first one in the block, happens once and always, and takes keywords alone; between the two neither the
    environment nor a name of the argument becomes another one.

    Args:
        tree: the file.
        call: the call of `seed`, with one argument.
        place: the statement that goes with it, from which the search begins.
        reset_by: other calls that reset the environment inside.
    """
    line = place if isinstance(place, _BLOCKS) else tree.parents[place]
    if not isinstance(line, (cst.SimpleStatementLine, cst.SimpleStatementSuite, *_BLOCKS)):
        return None
    if not isinstance(call.func, cst.Attribute):
        return None
    receiver = tree.source(outermost_of(call.func.value))
    root = receiver.split(".")[0].split("[")[0]
    seed = list(tree.descend(call.args[0].value))
    names = {one.value for one in seed if isinstance(one, cst.Name)}
    computed = any(isinstance(one, cst.Call) for one in seed)
    for later in _in_order(_behind(tree, place)):
        found = resets_of(tree, later, receiver)
        if any(tree.span(one) in reset_by and one not in found for one in tree.inside(cst.Call, later)):
            return None  # who is called there resets it first
        if isinstance(later, cst.BaseCompoundStatement):
            if found or _leaves(tree, later):
                return None
        elif found:
            return found[0] if len(found) == 1 and _takes_keyword(found[0]) and _is_straight(tree, found[0]) else None
        elif _rebinds(tree, later, root) or _calls_of(tree, later, receiver, "step"):
            return None
        if computed or any(_binds(tree, later, name) for name in names):
            return None
    return None


def is_stepped_next(tree: Tree, place: Place, receiver: str) -> bool:
    """Whether the next that the block does with the environment, given as its text, is a step."""
    for later in _behind(tree, place):
        steps, resets = _calls_of(tree, later, receiver, "step"), resets_of(tree, later, receiver)
        if steps or resets:
            return bool(steps) and min(map(tree.span, steps)) < min(map(tree.span, resets), default=_END)
    return False


def resets_of(tree: Tree, node: cst.CSTNode, receiver: str) -> list[cst.Call]:
    """Calls of `reset` on what is written like the receiver, inside of a node."""
    return _calls_of(tree, node, receiver, "reset")


def _calls_of(tree: Tree, node: cst.CSTNode, receiver: str, method: str) -> list[cst.Call]:
    """Calls of a method on what is written like the receiver, inside of a node."""
    return [
        call
        for call in tree.descend(node)
        if isinstance(call, cst.Call) and method_called(call) == method and tree.source(receiver_of(call)) == receiver
    ]


def outermost_of(receiver: cst.BaseExpression) -> cst.BaseExpression:
    """`env` of `env.unwrapped`, whose reset goes through all wrappers."""
    unwrapped = isinstance(receiver, cst.Attribute) and receiver.attr.value == "unwrapped"
    return receiver.value if unwrapped and isinstance(receiver, cst.Attribute) else receiver


def _behind(tree: Tree, place: Place) -> list[cst.CSTNode]:
    """What stands behind a statement: in its row, and in its block, which a row like `if x: y()` has not."""
    line = place if isinstance(place, _BLOCKS) else tree.parents[place]
    block = tree.siblings(line)
    found = list(block[block.index(line) + 1 :]) if block else []
    if isinstance(line, (cst.SimpleStatementLine, cst.SimpleStatementSuite)) and not isinstance(place, _BLOCKS):
        return [*line.body[line.body.index(place) + 1 :], *found]
    return found


def _in_order(statements: Iterable[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    """Statements one after the other, with those of a `with` in the place of its block; what it opens comes first."""
    for one in statements:
        if isinstance(one, cst.With):
            yield from (item.item for item in one.items)
            yield from _in_order(one.body.body)
        else:
            yield one


def _takes_keyword(call: cst.Call) -> bool:
    """Only keywords stand in the call, none of them hidden in `**kwargs`."""
    return all(argument.keyword is not None and not argument.star for argument in call.args)


def _is_straight(tree: Tree, reset: cst.Call) -> bool:
    """Whether the reset happens once, and always, when its statement is run."""
    for ancestor in tree.ancestors(reset):
        if isinstance(ancestor, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            return True
        if isinstance(ancestor, (cst.Lambda, cst.CompFor, cst.BaseComp, cst.IfExp, cst.BooleanOperation)):
            return False
    return True


def _leaves(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether a branch may leave the block before the reset."""
    leaving = (cst.Return, cst.Break, cst.Continue)
    return any(isinstance(one, leaving) for one in tree.descend(node, into_functions=False))


def _rebinds(tree: Tree, node: cst.CSTNode, root: str) -> bool:
    """Whether the environment becomes another one; a wrapper around it passes the seed on."""
    if not _binds(tree, node, root):
        return False
    values = [one.value for one in tree.descend(node) if isinstance(one, cst.Assign)]
    return not any(isinstance(one, cst.Name) and one.value == root for value in values for one in tree.descend(value))


def _binds(tree: Tree, node: cst.CSTNode, name: str) -> bool:
    """Whether the statement binds the name."""
    bindings: Sequence[cst.Name] = tree.scopes.bindings(tree.scope(node), name)
    return any(tree.within(binding, node) for binding in bindings)
