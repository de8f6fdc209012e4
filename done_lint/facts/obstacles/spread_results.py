"""Results of steps that are put together with a star: `return (*rest, info)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Object
from done_lint.facts.classes.own_apis import is_step
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


def spreads_other(at: Analysis, step: FunctionId, node: int) -> bool:
    """Whether what a function returns is a tuple with a star in front of anything but a part of a step's result.

    As many values as that has stand there, and no fix knows which of them is the flag.
    """
    survey, base = at.program.surveys[step.path], at.program.bases[step.path]
    made = {one.node for one in at.solver.values(node, Object)}
    spread = [one for one in survey.operations if isinstance(one, ops.Allocate) and one.stars]
    parts = [one.elements[place].node for one in spread if base + one.target in made for place in one.stars]
    return any(not _is_of_step(at, step.path, part) for part in parts)


def _is_of_step(at: Analysis, path: str, local: int) -> bool:
    """Whether a value is a step's result, or what a star or an index took of one."""
    survey, base = at.program.surveys[path], at.program.bases[path]
    local = next((one.source for one in survey.waits(ops.Spread) if one.target == local), local)
    taken = [one.source for one in survey.waits(ops.Unpack) if one.star >= 0 and local in one.targets]
    taken += [one.source for one in survey.waits(ops.Item) if one.target == local]
    return any(is_step(at.solver, base + one) for one in (local, *taken)) or not at.solver.held[base + local]
