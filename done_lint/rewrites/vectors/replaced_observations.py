"""What a branch behind a step gives the observation of a reset, and under which name that goes on.

`obs, info = env.reset()`; or by a name in between: `first, _ = env.reset()`, then `obs = first`; or under another name,
which is given the observation of the step where no episode ended: `else: out = obs`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import libcst as cst

from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree


@dataclass(frozen=True)
class Replacement:
    """An observation of a step that gave way to one of a reset."""

    #: What is given the observation of the reset: a name, or an element of a container.
    place: cst.BaseExpression
    #: As what goes on is written.
    written: str


def replacement(
    tree: Tree, branch: cst.If, firsts: Iterable[cst.BaseExpression], statement: cst.Assign, observation: str
) -> Replacement | None:
    """How the observation of a step is replaced in a branch.

    Args:
        tree: the file.
        branch: the branch that resets.
        firsts: what resets in there give their observations to.
        statement: the step.
        observation: what the step gives its observation to, as it is written.
    """
    for first in firsts:
        if tree.source(first) == observation:
            return Replacement(first, observation)
        if not isinstance(first, cst.Name):
            continue
        for one in _given(tree, branch.body, first.value):
            if tree.source(one) == observation:
                return Replacement(one, observation)
        if isinstance(branch.orelse, cst.Else) and _alone(tree, branch.orelse, first.value, statement, observation):
            return Replacement(first, first.value)
    return None


def _given(tree: Tree, body: cst.CSTNode, name: str) -> Iterable[cst.BaseExpression]:
    """What statements give the value of a name to."""
    return (
        one.targets[0].target
        for one in tree.inside(cst.Assign, body)
        if len(one.targets) == 1 and is_name(one.value, name)
    )


def _alone(tree: Tree, other: cst.Else, name: str, statement: cst.Assign, observation: str) -> bool:
    """Whether a name is given the observation where no episode ended, and nothing else reads that."""
    if not observation.isidentifier():
        return False
    given = [one for one in _given(tree, other.body, observation) if is_name(one, name)]
    reads = tree.scopes.reads(tree.scope(statement), observation)
    later = [one for one in reads if tree.span(one) > tree.span(statement) and not tree.within(one, statement)]
    return len(given) == 1 and all(tree.within(one, other) for one in later)
