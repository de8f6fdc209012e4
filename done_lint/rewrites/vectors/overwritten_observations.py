"""Observations of a step that an array keeps until a reset in the same turn puts its own into the same place.

`self.seen[i] = obs`, and in the branch of an episode's end `self.seen[i], _ = env.reset()`: the array goes out with the
flags of the step, and the final observation is lost, unless something else has taken it before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from done_lint.rewrites.vectors.kept_side_by_side import appended_values, is_one_of_several
from done_lint.syntax.shapes import is_name, method_called
from done_lint.syntax.tree import Tree


@dataclass(frozen=True)
class TakenStep:
    """`obs, reward, terminated, truncated, info = env.step(action)`."""

    statement: cst.Assign
    call: cst.Call
    #: As they are written: `env`, and what is given the observation and the flags, `obs` or `seen[i]`.
    stepped: str
    observation: str
    flags: tuple[str, str]
    #: What is kept in a container by the statement itself.
    kept: frozenset[str]


def first_of_resets(tree: Tree, step: TakenStep, branch: cst.If) -> Iterator[cst.BaseExpression]:
    """`obs` in each `obs, info = env.reset()` and `obs = env.reset()[0]` of what was stepped, in a branch."""
    for one in tree.inside(cst.Assign, branch.body):
        value, target = one.value, one.targets[0].target
        first: cst.BaseExpression | None = target
        if isinstance(value, cst.Subscript):
            value = value.value
        else:
            pair = isinstance(target, cst.Tuple) and len(target.elements) == 2
            first = target.elements[0].value if isinstance(target, cst.Tuple) and pair else None
        if first is None or not isinstance(value, cst.Call) or not isinstance(value.func, cst.Attribute):
            continue
        if method_called(value) == "reset" and tree.source(value.func.value) == step.stepped:
            yield first


def overwritten(
    tree: Tree, step: TakenStep, behind: Sequence[cst.CSTNode], branch: cst.If
) -> cst.BaseExpression | None:
    """The element that was given the step's observation, where the branch gives it that of a reset.

    Both flags are kept in containers as well, one row for each environment of a loop.
    """
    if not step.observation.isidentifier() or not is_one_of_several(tree, step.statement, step.call):
        return None
    places = {
        tree.source(one.target): one for one in _puts(tree, behind) if is_name(_root(one.value), step.observation)
    }
    found = next((one for one in _from_resets(tree, step, branch) if tree.source(one) in places), None)
    if found is None or tree.span(found) < tree.span(places[tree.source(found)].value):
        return None
    taken = [one.value for one in _puts(tree, behind) if tree.source(one.target) == tree.source(found)]
    reads = tree.scopes.reads(tree.scope(step.statement), step.observation)
    later = (one for one in reads if tree.span(one) > tree.span(step.statement))
    if not all(
        any(tree.within(one, value) for value in taken) for one in later if not tree.within(one, step.statement)
    ):
        return None  # something else may have taken the final observation
    if _is_read(tree, behind, found):
        return None
    kept = {tree.source(_root(value)) for value in _kept(tree, behind)}
    return found if step.kept.union(kept).issuperset(step.flags) else None


@dataclass(frozen=True)
class _Put:
    """`seen[i] = value`."""

    target: cst.Subscript
    value: cst.BaseExpression


def _puts(tree: Tree, rows: Iterable[cst.CSTNode]) -> Iterator[_Put]:
    for one in (assign for row in rows for assign in tree.inside(cst.Assign, row)):
        target = one.targets[0].target
        if isinstance(target, cst.Subscript):
            yield _Put(target, one.value)


def _from_resets(tree: Tree, step: TakenStep, branch: cst.If) -> Iterator[cst.Subscript]:
    """The elements that a branch gives the observation of a reset, also by a name in between."""
    for first in first_of_resets(tree, step, branch):
        if isinstance(first, cst.Subscript):
            yield first
        elif isinstance(first, cst.Name):
            yield from (one.target for one in _puts(tree, [branch.body]) if is_name(_root(one.value), first.value))


def _kept(tree: Tree, rows: Sequence[cst.CSTNode]) -> Iterator[cst.BaseExpression]:
    """What rows keep in containers, also in loops of their own: over the agents of an environment."""
    yield from (one.value for one in _puts(tree, rows))
    for row in rows:
        yield from (value for line in tree.inside(cst.SimpleStatementLine, row) for value in appended_values(line))


def _is_read(tree: Tree, behind: Sequence[cst.CSTNode], found: cst.Subscript) -> bool:
    """Whether the container is read between a step and the reset that changes it: its element may be copied."""
    container = tree.source(found.value)
    before = (one for row in behind for one in (row, *tree.descend(row)) if isinstance(one, (cst.Name, cst.Attribute)))
    same = (one for one in before if tree.span(one) < tree.span(found) and tree.source(one) == container)
    return not all(_is_put_into(tree, one) or tree.within(one, found) for one in same)


def _is_put_into(tree: Tree, container: cst.CSTNode) -> bool:
    element = tree.parents[container]
    return isinstance(element, cst.Subscript) and isinstance(tree.parents[element], cst.AssignTarget)


def _root(value: cst.BaseExpression) -> cst.BaseExpression:
    """What a value is converted from, or is an element of: `ended` in `float(ended[agent])`."""
    while True:
        if isinstance(value, cst.Subscript):
            value = value.value
        elif isinstance(value, cst.Call) and len(value.args) == 1:
            value = value.args[0].value
        else:
            return value
