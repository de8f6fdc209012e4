"""Wrappers of the project through which the flag of truncation, or both flags, pass as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId
from done_lint.analysis.values import Instance
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.flowgraph.schema import Survey

#: The bases that hand on what a step says of truncation.
_PLAIN = ("Wrapper", "ObservationWrapper", "RewardWrapper", "ActionWrapper")
#: How many values a step gives, and where truncation is among them.
_VALUES, _TERMINATED, _TRUNCATED = 5, 2, 3


def hands_truncation_on(at: Analysis, made: Instance, fits: Callable[[int], bool], *, both: bool = False) -> bool:
    """Whether all that is inside a wrapper of the project fits, and its `step` says of truncation what that says.

    Its class has no `step`, or one that returns the fourth of five values which a step of what is inside gave, or that
    step's result as it is. It may also be inside of itself. `both`: the third value as well, wherever it returns the
    fourth.
    """
    api, dotted = at.classes.api_of_class(made.path, made.index)
    if api is None or not api.five or dotted.rpartition(".")[2] not in _PLAIN:
        return False
    if not _passes_flag(at, ClassId(made.path, made.index), both=both):
        return False
    inside = at.classes.inside(made.path, made.index)
    held = [number for node in inside for number in at.solver.held[node] if at.solver.value(number) != made]
    return bool(held) and all(map(fits, held))


def _passes_flag(at: Analysis, owner: ClassId, *, both: bool) -> bool:
    """Whether each `return` in the `step` of a class hands the flag on, or says `False`."""
    found = at.classes.method_of(*owner, "step")
    if found is None:
        return True
    step, survey = at.program.function_at(found), at.program.surveys[found.path]
    calls = _steps_of_inside(at, found.path, survey, set(at.classes.inside(*owner)))
    if step.outcomes and all(node in calls for _, node, _ in step.outcomes):
        return True
    if set(step.arities) != {_VALUES} or len(step.outcomes) != len(step.returned):
        return False
    unpacks = [op for call in calls for op in survey.waiting.get(call, ()) if isinstance(op, ops.Unpack)]
    five = (op.targets for op in unpacks if op.arity == _VALUES and op.star < 0)
    here = [targets for targets in five if survey.homes.get(targets[0]) == found.number]
    given = {(targets[_TERMINATED] if both else 0, targets[_TRUNCATED]) for targets in here}
    flags = [(elements[_TERMINATED].node if both else 0, elements[_TRUNCATED].node) for elements in step.returned]
    return all(pair in given or pair[1] in survey.falses for pair in flags)


def _steps_of_inside(at: Analysis, path: str, survey: Survey, inside: set[int]) -> set[int]:
    """The results of `super().step(action)` and of `self.env.step(action)`."""
    base = at.program.bases[path]
    kept = {number for node in inside for number in at.solver.held[node]}
    bases = {op.target for op in survey.operations if isinstance(op, ops.Super)}
    steps = [
        read.target
        for read in survey.telling
        if read.name == "step"
        and (read.source in bases or (kept and set(at.solver.held[base + read.source] or ()) == kept))
    ]
    return {op.result for step in steps for op in survey.waiting.get(step, ()) if isinstance(op, ops.Call)}
