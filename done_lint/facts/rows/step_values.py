"""Which values of steps a node holds: what a step returned, what is made of its reward, and what it was given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Set
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import StepValue
from done_lint.core.asked_once import asked_once
from done_lint.facts.rows.elements import Elements
from done_lint.facts.rows.made_rewards import MadeRewards
from done_lint.facts.rows.read_by_key import rows_by_key
from done_lint.facts.rows.row_parts import Part
from done_lint.facts.rows.step_actions import StepActions
from done_lint.facts.rows.step_means import StepMeans
from done_lint.facts.rows.ways_back import into

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.provenance import Provenance

#: In the place of the number of a value: what is made of a reward.
_SUM = -1


class StepValues:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, provenance: Provenance, steps: Collection[int]) -> None:
        """Of these steps."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._provenance = provenance
        self._steps = steps
        #: What is taken of arrays, one by one.
        self.elements = Elements(analysis)
        self._actions = StepActions(analysis, steps, self.elements)

    @asked_once
    def of(self, node: int) -> list[tuple[int, Part, int]]:
        """The values of steps that a node holds: the step, the part, the number of the value."""
        return list(self._each_value(node))

    def arrive_at(self, node: int) -> bool:
        """Whether values of steps arrive at a node, by themselves or in the fields of a row."""
        of_steps, actions = self._of_steps, self._actions.all
        if not of_steps.isdisjoint(self._solver.held[node]) or node in actions or node in self._sums:
            return True
        if node in self.by_key:
            return True
        return not actions.keys().isdisjoint(self._stored_in(node))

    @cached_property
    def by_key(self) -> dict[int, list[tuple[int, int]]]:
        """What is read of rows of steps under keys that are computed."""
        return rows_by_key(self._analysis, self._of_steps)

    def holding(self, value: tuple[int, Part, int]) -> Callable[[int], bool]:
        """Whether a node holds a value of a step; the function does not know this object, so it may be kept in it."""
        step, part, number = value
        if part in ("action", "log_prob") or number == _SUM:
            steps = self._sums if part == "reward" else self._actions.all
            return lambda node: step in steps.get(node, ())
        return self._holders[number].__contains__

    def _each_value(self, node: int) -> Iterator[tuple[int, Part, int]]:
        for number in self._solver.all(node, StepValue):
            value = self._solver.get(number, StepValue)
            if value.step in self._steps and self._is_whole(value, node, number):
                yield value.step, value.part, number
        for step in sorted({step for one in (node, *self._stored_in(node)) for step in self._actions.all.get(one, ())}):
            yield step, "action", step
        for step in sorted(self._actions.log_probs.get(node, ())):
            yield step, "log_prob", step
        for step in sorted(self._sums.get(node, ())):
            yield step, "reward", _SUM

    @cached_property
    def _holders(self) -> dict[int, set[int]]:
        """The nodes that hold a value of a step, by its number."""
        found: dict[int, set[int]] = {
            number: set()
            for number, value in enumerate(self._solver.interned)
            if isinstance(value, StepValue) and value.step in self._steps
        }
        for node, held in enumerate(self._solver.held):
            for number in held:
                if number in found:
                    found[number].add(node)
        return found

    @cached_property
    def _of_steps(self) -> frozenset[int]:
        """The numbers of the values of steps, and of the objects that hold one as a field."""
        found = frozenset(self._holders)
        nodes = set(self._actions.all).union(self._sums, *self._holders.values())
        return found.union(
            owner
            for owner, fields in self._analysis.objects.owned.items()
            if any(field in nodes or not nodes.isdisjoint(self._stored_in(field)) for _, field in fields)
        )

    def _is_whole(self, value: StepValue, node: int, number: int) -> bool:
        """Whether a flag is one, and a reward has a number for each environment."""
        if value.part == "reward":
            return node in self._arriving(number)
        return value.part != "flag" or self._is_flag(node)

    @asked_once
    def _arriving(self, number: int) -> Set[int]:
        """The nodes that hold a reward not only as one number of all environments."""
        edges, wholes = self._solver.predecessors, self.elements.wholes
        return self._means.others(self._holders[number], lambda node: (one.source for one in into(node, edges, wholes)))

    def _is_flag(self, node: int) -> bool:
        """Whether what flags arrive in is one: the memory of a model that they cut, `state * (1 - done)`, is none."""
        return bool(self._analysis.arrays.flat_flags(node))

    def _stored_in(self, node: int) -> Iterator[int]:
        """What is written into a field or an element that stands there."""
        return (edge.source for edge in self._solver.predecessors[node] if edge.way == "store")

    @cached_property
    def _sums(self) -> dict[int, set[int]]:
        """The nodes of what is made of a step's reward, until it is kept."""
        return MadeRewards(self._analysis, self._provenance, self._steps, self._means.made, self.elements).all

    @cached_property
    def _means(self) -> StepMeans:
        return StepMeans(self._analysis)
