"""Steps whose two flags are joined wherever they arrive, once they have left the function that took the step.

A worker that resets by itself sends the first observation of the next episode together with both flags. Where whoever
takes them makes one of them, `np.logical_or(terminated, truncated)`, and no target is cut by *terminated* alone, no
value is asked for at any end, and nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import StepResult
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.provenance import FORWARD, Provenance
from done_lint.facts.value_targets.target_masks import Cut
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: A step gives so many values: an observation, a reward, two flags and an info.
_FIVE = 5


class JoinedEnds:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, provenance: Provenance, cuts: Iterable[Cut]) -> None:
        """`cuts` are all the places where a mask or a test cuts a value."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._flats = analysis.arrays.flats
        self._arrays = provenance.arrays
        self._running = provenance.running
        self._masks = {node for cut in cuts for node in (cut.node, self._flats.get(cut.node, cut.node))}

    def of(self, survey: Survey) -> frozenset[Span]:
        """The calls of such steps in one file."""
        base = self._program.bases[survey.path]
        found = ((self._step(base + one.source), one.targets[2:4]) for one in _before_resets(survey))
        return frozenset(at for at, (ended, cut) in found if at and self._are_joined(base + ended, base + cut))

    def _step(self, result: int) -> Span | None:
        """The place of the step that gave a result."""
        made = self._program.call_at(result)
        if made is not None:
            return made[0].span
        sites = {self._program.origin_site(one.node) for one in self._solver.values(result, StepResult)}
        site = sites.pop() if len(sites) == 1 else None
        return site.span if site is not None else None

    def _are_joined(self, terminated: int, truncated: int) -> bool:
        """Whether what takes both flags of a step joins them, and nothing is cut by the first alone."""
        others = set(reach([truncated], self._after, bound=FORWARD))
        joints = {joint for node in others for joint in self._joints.get(node, ())}
        if not any(self._is_elsewhere(joint, terminated) for joint in joints):
            return False
        alone = set(
            reach([terminated], lambda at: [one for one in self._after(at) if one not in joints], bound=FORWARD)
        )
        taken = {joint for node in alone for joint in self._joints.get(node, ()) if joint in joints}
        return any(self._is_elsewhere(joint, terminated) for joint in taken) and self._masks.isdisjoint(alone)

    def _is_elsewhere(self, node: int, step: int) -> bool:
        one, other = self._program.owner(node), self._program.owner(step)
        return one is not None and other is not None and self._running.home(*one) != self._running.home(*other)

    def _after(self, node: int) -> Iterator[int]:
        """What a flag arrives at next: as an element of an array, it is there where the array is."""
        yield from self._solver.successors[node]
        yield from self._program.items.get(node, ())
        if node in self._arrays:
            yield self._arrays[node]

    @cached_property
    def _joints(self) -> dict[int, list[int]]:
        """The results of the unions that a node is a part of; also that of the elements of an array."""
        found: dict[int, list[int]] = {}
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for one in survey.waits(ops.Or):
                for node in (base + part for part in one.inputs if part):
                    found.setdefault(node, []).append(base + one.result)
                    if node in self._flats:
                        found.setdefault(self._flats[node], []).append(base + one.result)
        return found


def _before_resets(survey: Survey) -> Iterator[ops.Unpack]:
    """Where the five values of a step are taken apart in a function that resets something behind it."""
    waiting = (one for read in survey.telling if read.name == "reset" for one in survey.waiting.get(read.target, ()))
    resets = [(survey.homes.get(one.result), one.at) for one in waiting if isinstance(one, ops.Call)]
    for row in survey.waits(ops.Unpack) if resets else ():
        if len(row.targets) == _FIVE and all(row.targets[2:4]):
            home = survey.homes.get(row.targets[0] or row.source)
            if any(home == function and row.at < at for function, at in resets):
                yield row
