"""Literal tuples of four that an environment class's own `step` returns, and the flag in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from done_lint.core.findings import Span
from done_lint.facts.facts import Facts
from done_lint.facts.kinds.classes import EnvClass
from done_lint.syntax.tree import Scope, Tree

#: Where the flag stands in a result of four.
DONE = 2
#: What holds the four values.
OldTuple = cst.Tuple | cst.List


@dataclass(frozen=True)
class OldReturn:
    """One tuple `obs, reward, done, info` on its way out of a `step`."""

    node: OldTuple
    owner: EnvClass
    #: The method, or the helper, that it is written in.
    scope: Scope
    #: By which the model names it.
    place: Span
    #: The info may say that time is up, by the key of old Gym's limit (see `OwnResult.limit_declared`).
    limit_declared: bool = False

    @property
    def flag(self) -> cst.BaseExpression:
        """What stands for the old `done`."""
        return self.node.elements[DONE].value

    @property
    def info(self) -> cst.BaseExpression:
        """What stands for the info."""
        return self.node.elements[-1].value


def old_returns(tree: Tree, facts: Facts) -> Sequence[OldReturn]:
    """Every such tuple of the file, in the order of the source."""
    if not facts.results:
        return ()
    found: list[OldReturn] = []
    written: list[OldTuple] = [*tree.of_type(cst.Tuple), *_returned_lists(tree)]
    for node in written:
        if len(node.elements) != 4 or any(isinstance(element, cst.StarredElement) for element in node.elements):
            continue
        place = _first(tree, node)
        result = facts.results.get(place)
        if result is not None and result.method == "step":
            found.append(OldReturn(node, result.owner, tree.scope(node), place, result.limit_declared))
    return sorted(found, key=lambda one: tree.span(one.node))


def _returned_lists(tree: Tree) -> list[cst.List]:
    """`return [obs, reward, done, info]`: the model takes such a list for a tuple."""
    returned = (one.value for one in tree.of_type(cst.Return))
    return [value for value in returned if isinstance(value, cst.List)]


def _first(tree: Tree, node: OldTuple) -> Span:
    """The place of the first value, by which the model names a tuple."""
    value: cst.BaseExpression = node.elements[0].value if isinstance(node, cst.List) else node
    while isinstance(value, cst.Tuple) and value.elements:
        value = value.elements[0].value
    return tree.span(value)
