"""Steps whose *terminated* alone cuts a one-step target: where an episode was truncated, the target bootstraps.

A row that keeps both flags of a step may be used in two ways: what cuts its targets says which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import StepValue
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.value_targets.target_masks import Cut

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: A mask in an array, in a row of an array: so many fields are looked into.
_FIELDS = 50
#: Most recursions over time take the value one row on, and not that of the observation which was kept.
_ONE_STEP = ("mask", "branch")


def bootstrapped_ends(analysis: Analysis, cuts: Iterable[Cut]) -> dict[str, list[Span]]:
    """The calls of such steps, by file; `cuts` are all the places where a mask or a test cuts a value."""
    steps, solver = analysis.flags.steps_of_several, analysis.solver
    found: set[int] = set()
    for cut in cuts if steps else ():
        flags = analysis.arrays.flat_flags(cut.node)
        if (cut.kind in _ONE_STEP or cut.next_value) and flags and all(_is_terminated(flag) for flag in flags):
            values = (one for node in _inside(analysis, cut.node) for one in solver.values(node, StepValue))
            found.update(one.step for one in values if one.part == "flag" and one.step in steps)
    sites = (analysis.program.origin_site(step) for step in found)
    places = sorted(site for site in sites if site is not None)
    return {path: [one.span for one in every] for path, every in groupby(places, key=lambda one: one.path)}


def _inside(analysis: Analysis, node: int) -> Iterable[int]:
    """A node, and the elements of the arrays that it holds."""
    objects = analysis.objects

    def elements(at: int) -> Iterator[int]:
        for number in analysis.solver.held[at]:
            if objects.is_array(number):
                yield from (field for _, field in objects.owned.get(number, ()))

    return reach([node], elements, bound=_FIELDS)


def _is_terminated(flag: int) -> bool:
    return flag & flag_lattice.CAUSES == flag_lattice.TERMINATED
