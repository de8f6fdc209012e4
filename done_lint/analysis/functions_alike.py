"""Functions that are handed a step under one signature: what is seen to arrive at one of them arrives at all.

A package may offer several algorithms, each a function that takes `step` itself, and its program choose one of them by
its name: the others have the same caller, though no call of theirs is seen.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from done_lint.analysis.context import Analysis
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Function, Survey
from done_lint.knowledge import naming_conventions


class _Taker(NamedTuple):
    """A function that steps by a parameter, and the nodes of all its parameters in the joined graph."""

    params: tuple[int, ...]
    step: int


def share_arguments(at: Analysis) -> None:
    """Let functions to which nothing arrives take what arrives at others of their name and parameters."""
    takers: dict[tuple[str, ...], list[_Taker]] = defaultdict(list)
    for path, survey in at.program.surveys.items():
        if survey.page:
            continue
        base = at.program.bases[path]
        for function in survey.functions:
            for step in _steps(survey, function):
                names = (function.name, *(name for name, _ in function.params), str(step))
                takers[names].append(_Taker(tuple(base + node for _, node in function.params), step))
    for alike in takers.values():
        _share(at, alike)


def _share(at: Analysis, alike: list[_Taker]) -> None:
    """Hand on the arguments of those that are called to those of which no call is seen."""
    held = at.solver.held
    called = [one for one in alike if held[one.params[one.step]]]
    uncalled = [one for one in alike if not any(held[node] for node in one.params)]
    for other in uncalled if called else ():
        for known in called:
            for source, target in zip(known.params, other.params):
                at.solver.edge(source, target)


def _steps(survey: Survey, function: Function) -> Iterator[int]:
    """The parameters by which a function steps: called with an action, for what a step returns."""
    if function.vararg >= 0 or function.kwarg >= 0 or function.decorated:
        return
    for position, (_, node) in enumerate(function.params):
        if any(_is_step(survey, one) for one in survey.waiting.get(node, ())):
            yield position


def _is_step(survey: Survey, one: ops.Reaction) -> bool:
    """Whether a reaction is a call with one argument whose result is taken apart as a step's is."""
    if not isinstance(one, ops.Call) or len(one.args) != 1 or one.stars or one.keywords:
        return False
    unpacks = (other for other in survey.waiting.get(one.result, ()) if isinstance(other, ops.Unpack))
    return any(_is_of_a_step([survey.names.get(target, "") for target in other.targets]) for other in unpacks)


def _is_of_a_step(names: list[str]) -> bool:
    """Whether four or five values are called as those of a step are."""
    if len(names) == 5:
        return naming_conventions.step_values([*names[:3], names[4]]) or naming_conventions.truncated(names[3])
    return len(names) == 4 and naming_conventions.step_values(names)
