"""What is made of the reward of a step before it is kept: something is added to it, or a function gives another number.

`np.sign(reward)`, `normalize(reward)` and `reward + bonus` are kept in the place of the reward. A running sum is not,
and a number for all environments, as a log keeps it, is none either.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.transfer.library_functions import knows
from done_lint.analysis.values import External, StepValue
from done_lint.core.asked_once import asked_once
from done_lint.core.reach import reach, reaches
from done_lint.facts.provenance import FORWARD
from done_lint.facts.rows.elements import Elements
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.external_names import BUILTINS
from done_lint.knowledge.array_functions import ARRAYS, CONDENSING, HARMLESS, PACKAGES, WRITING

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.provenance import Provenance

#: How far what is made of a reward is followed.
_NEAR = 100
#: `np.where(reward > 0, 1, -1)` has three arguments: with one it tells where.
_CHOICE = 3


class MadeRewards:
    """Finds it in a solved graph."""

    def __init__(
        self,
        analysis: Analysis,
        provenance: Provenance,
        steps: Collection[int],
        means: Collection[int],
        elements: Elements,
    ) -> None:
        """Of the rewards of these steps; `means` are numbers of all environments, `elements` those of the program."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._fields = provenance.fields
        self._steps = steps
        self._means = means
        self._elements = elements

    @cached_property
    def all(self) -> dict[int, set[int]]:
        """The steps by the node of what is made of their rewards, until it is kept."""
        found: dict[int, set[int]] = {}
        for step, result in (*self._sums(), *self._results()):
            for node in reach([result], self._after, bound=_NEAR):
                found.setdefault(node, set()).add(step)
        return found

    def _sums(self) -> Iterator[tuple[int, int]]:
        """A reward with something added, such as a bonus."""
        for result, inputs in self._added.items():
            rewards = [value for one in inputs for value in self._rewards(one)]
            if len(rewards) == 1 and not self._runs(result):
                yield rewards[0].step, result

    def _results(self) -> Iterator[tuple[int, int]]:
        """What a function gives that has the reward of one step, and nothing else of it."""
        for node, results in self._made.items():
            steps = {value.step for value in self._rewards(node)}
            if len(steps) == 1:
                yield from ((step, result) for step in steps for result in results)

    def _after(self, node: int) -> list[int]:
        """What a node leads to; what is in a field has been kept."""
        if node in self._fields:
            return []
        following = (*self._solver.successors[node], *self._elements.taken.get(node, ()), *self._made.get(node, ()))
        return [one for one in following if one not in self._means and not (one in self._added and self._runs(one))]

    @asked_once
    def _runs(self, result: int) -> bool:
        """Whether a sum goes on in itself: `total += reward`."""
        return any(reaches(one, result, self._sources, FORWARD) for one in self._added[result])

    @cached_property
    def _added(self) -> dict[int, list[int]]:
        """The sums of the program, and what is added there."""
        found: dict[int, list[int]] = {}
        for survey in self._program.surveys.values():
            base = self._program.bases[survey.path]
            for op in dict.fromkeys(survey.waits(ops.Sum)):
                found[base + op.result] = [base + one for one in op.inputs if one]
        return found

    @cached_property
    def _made(self) -> dict[int, list[int]]:
        """The results of functions that give as many numbers as they get, as far as anybody can tell, by what they get.

        A call that gets more values of a step learns from them, or keeps them.
        """
        found: defaultdict[int, list[int]] = defaultdict(list)
        for survey in self._program.surveys.values():
            base = self._program.bases[survey.path]
            for call in survey.calls():
                given = [base + one.node for one in call.args if one.node]
                given += [base + one.node for one in call.keywords if one.node]
                read = self._program.attribute_at(base + call.called)
                if call.stars or not self._gives_numbers(base + call.called, read[1] if read else "", len(call.args)):
                    continue
                given += [read[0]] if read is not None and not call.args else []
                of_steps = [one for one in given if self._is_of_step(one)]
                for one in of_steps if len(of_steps) == 1 else given if not of_steps else ():
                    found[one].append(base + call.result)
            for op in survey.waits(ops.Rebuilt):
                if any(self._rewards(base + one) for one in op.sources):
                    found[base + op.element].append(base + op.target)
        return found

    def _gives_numbers(self, called: int, method: str, given: int) -> bool:
        """Whether what is called may give a number for each that it gets: no code in sight tells what it gives."""
        if method in CONDENSING or method in WRITING:
            return False
        return all(
            isinstance(one, External) and _may_map(one.dotted, given)
            for one in map(self._solver.value, self._solver.held[called])
        )

    def _is_of_step(self, node: int) -> bool:
        return any(value.step in self._steps for value in self._solver.values(node, StepValue))

    def _rewards(self, node: int) -> list[StepValue]:
        values = self._solver.values(node, StepValue)
        return [value for value in values if value.part == "reward" and value.step in self._steps]

    @asked_once
    def _sources(self, node: int) -> Iterable[int]:
        """What a node depends on: the searches that begin at thousands of sums meet the same nodes."""
        return [edge.source for edge in self._solver.predecessors[node]]


def _may_map(dotted: str, given: int) -> bool:
    """Whether a function that is not in sight may give as many numbers as it gets."""
    root, _, rest = dotted.partition(".")
    name = dotted.rpartition(".")[2]
    if root == "builtins":
        return rest.partition(".")[0] not in BUILTINS
    if name == "where" and root in ARRAYS:
        return given == _CHOICE
    if name in CONDENSING or name in HARMLESS:
        return False
    return not knows(name) if root in ARRAYS else root not in PACKAGES
