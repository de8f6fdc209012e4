"""Which steps' results are read by index for five values: an `if` or `while` asks for the one at place 3.

In old Gym that was the info, a dict, which nobody asks for as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import EnvResult, OwnStepResult, StepResult
from done_lint.core.reach import reach
from done_lint.facts.provenance import FORWARD
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey, TextKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_TRUNCATED = IndexKey(3)


class AskedTruncation:
    """Follows what is read at place 3 forward to tests."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._flags = analysis.flags

    def of(self, node: int) -> bool:
        """Whether a test asks for the fourth value of what arrives at a node."""
        return any(one.node in self._steps for one in self._results(node))

    def _results(self, node: int) -> Iterator[EnvResult]:
        for number in self._solver.held[node]:
            value = self._solver.value(number)
            if isinstance(value, (StepResult, OwnStepResult)):
                yield value

    @cached_property
    def _steps(self) -> frozenset[int]:
        """The nodes of the calls of such steps."""
        return frozenset(
            result.node
            for path, survey in self._program.surveys.items()
            for item in survey.waits(ops.Item)
            if item.keys == (_TRUNCATED,)
            if (found := list(self._results(self._program.bases[path] + item.source)))
            if self._is_tested(self._program.bases[path] + item.target)
            for result in found
        )

    def _is_tested(self, node: int) -> bool:
        """Whether the flag of a node goes to a test, joined with others or not."""
        return any(one in self._tests for one in reach([node], self._behind, bound=FORWARD, breadth_first=True))

    def _behind(self, node: int) -> list[int]:
        found = (*self._solver.successors[node], *self._combined.get(node, ()))
        return [one for one in found if one not in self._keyed and self._is_truncation(one)]

    def _is_truncation(self, node: int) -> bool:
        return any(flag & flag_lattice.TRUNCATED for flag in self._solver.flags(node))

    @cached_property
    def _tests(self) -> frozenset[int]:
        """What `if` and `while` test."""
        surveys, bases = self._program.surveys, self._program.bases
        return frozenset(bases[path] + local for path, survey in surveys.items() for local, _ in survey.tests)

    @cached_property
    def _keyed(self) -> frozenset[int]:
        """What is read under a string: of the info of four values, which stood at the same place."""
        surveys, bases = self._program.surveys, self._program.bases
        return frozenset(
            bases[path] + item.target
            for path, survey in surveys.items()
            for item in survey.waits(ops.Item)
            if any(isinstance(key, TextKey) for key in item.keys)
        )

    @cached_property
    def _combined(self) -> dict[int, list[int]]:
        """Where flags are joined, by what they are joined of."""
        found: dict[int, list[int]] = {}
        for target, union in self._flags.combinations.items():
            for node in union.inputs:
                found.setdefault(node, []).append(target)
        return found
