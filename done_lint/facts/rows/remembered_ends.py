"""Functions that ask what they remember of each environment: `if self.over[i]: continue`.

Such marks are set one by one, `self.over[i] = True`, where a flag says so: the flag itself never arrives there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Object
from done_lint.facts.rows.step_stores import is_array
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


def asking_functions(analysis: Analysis, home: Callable[[int], FunctionId]) -> frozenset[FunctionId]:
    """The functions that test an element of an array in which some are set to true; `home` tells whose a node is."""
    program, found = analysis.program, set[FunctionId]()
    marks = {
        number
        for path, survey in program.surveys.items()
        for written in survey.waits(ops.SetItem)
        if survey.booleans.get(written.value)
        for number in _arrays(analysis, program.bases[path] + written.owner)
    }
    for path, survey in program.surveys.items() if marks else ():
        base = program.bases[path]
        found.update(
            home(base + read)
            for read, array in _tested(survey)
            if not marks.isdisjoint(_arrays(analysis, base + array))
        )
    return frozenset(found)


def _tested(survey: Survey) -> Iterator[tuple[int, int]]:
    """The elements that are tested, or their opposites, and what they are elements of."""
    opposites = {one.result: one.source for one in survey.waits(ops.Not)}
    tested = {opposites.get(node, node) for node, _ in survey.tests}
    return ((one.target, one.source) for one in survey.waits(ops.Item) if one.target in tested)


def _arrays(analysis: Analysis, node: int) -> Iterator[int]:
    return (one for one in analysis.solver.all(node, Object) if is_array(analysis.solver.value(one)))
