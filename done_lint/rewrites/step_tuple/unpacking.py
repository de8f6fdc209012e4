"""Where a step's result is taken apart: `o, r, d, i = env.step(a)`, in any shape of target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from done_lint.facts.facts import Facts
from done_lint.facts.kinds.results import StepResult
from done_lint.rewrites.own_arguments import steps_otherwise
from done_lint.syntax.tree import Scope, Tree


@dataclass(frozen=True)
class Unpacking:
    """One target tuple (or list) that takes a step's result, or a slice of it, apart."""

    statement: cst.Assign
    target: cst.Tuple | cst.List
    #: The whole result: `env.step(a)` in `env.step(a)[:3]`.
    value: cst.BaseExpression
    step: StepResult
    scope: Scope
    #: The slice that is unpacked, if not the whole result is.
    part: cst.Subscript | None = None

    @property
    def starred(self) -> bool:
        """Some target takes several values."""
        return any(isinstance(element, cst.StarredElement) for element in self.target.elements)

    @property
    def targets(self) -> list[cst.BaseExpression]:
        """What each value is bound to."""
        return [element.value for element in self.target.elements]


def unpackings(tree: Tree, facts: Facts) -> Sequence[Unpacking]:
    """Every unpacking of a step's result in the file, in the order of the source."""
    found: list[Unpacking] = []
    if not facts.steps:
        return found
    for statement in tree.of_type(cst.Assign):
        value, part = statement.value, None
        if isinstance(value, cst.Subscript) and tree.span(value) not in facts.steps:
            part = value
            value = part.value
        step = facts.steps.get(tree.span(value))
        if step is None or isinstance(value, cst.Tuple) or steps_otherwise(value, step):
            continue
        for target in statement.targets:
            if isinstance(target.target, (cst.Tuple, cst.List)):
                scope = tree.scope(statement)
                found.append(Unpacking(statement, target.target, value, step, scope, part))
    return found


def four_valued(unpacking: Unpacking) -> bool:
    """Four targets for the five values of a step."""
    return takes_four(unpacking) and unpacking.step.env.api.five


def gives_five(step: StepResult) -> bool:
    """Whether a step gives five values, and is not asked for its form before."""
    return step.env.api.five and not step.guarded


def takes_four(unpacking: Unpacking) -> bool:
    """Four targets for all that a step gives, which is not asked for its form before."""
    whole = unpacking.part is None and not unpacking.starred and len(unpacking.target.elements) == 4
    return whole and not unpacking.step.guarded


def is_read(tree: Tree, scope: Scope, target: cst.BaseExpression) -> bool:
    """Whether what is bound to this target can be read."""
    if isinstance(target, cst.Name):
        return tree.scopes.is_read(scope, target.value)
    if isinstance(target, (cst.Tuple, cst.List)):
        return any(is_read(tree, scope, element.value) for element in target.elements)
    return True
