"""Steps whose flags are tables with a value for each agent: `dones["__all__"]`, as in multi-agent environments.

Such an environment has its own protocol behind a step of five values: two of its tables are no flags to be joined.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: The places of the flags in what four or five targets take of a step.
_FLAGS = {4: (2,), 5: (2, 3)}


class FlagsPerAgent:
    """Tells which results of steps have such tables."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program

    def of(self, node: int) -> bool:
        """Whether a flag of the result at a node is read by the name of an agent somewhere."""
        return not self._results.isdisjoint(self._solver.held[node])

    @cached_property
    def _results(self) -> frozenset[int]:
        """The results, by number."""
        read = set(reach(self._read_by_name(), self._flags_before))
        if not read:
            return frozenset()
        return frozenset(
            number
            for path, survey in self._program.surveys.items()
            for unpack in survey.waits(ops.Unpack)
            if any(
                self._program.bases[path] + unpack.targets[place] in read
                for place in _FLAGS.get(unpack.arity, ())
                if unpack.star < 0
            )
            for number in self._solver.held[self._program.bases[path] + unpack.source]
        )

    def _read_by_name(self) -> Iterator[int]:
        """The nodes of flags that are read at the name of an agent."""
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for item in survey.waits(ops.Item):
                if item.keys and isinstance(item.keys[0], TextKey) and self._is_flag(base + item.source):
                    yield base + item.source

    def _flags_before(self, node: int) -> list[int]:
        return [edge.source for edge in self._solver.predecessors[node] if self._is_flag(edge.source)]

    def _is_flag(self, node: int) -> bool:
        return any(number < flag_lattice.END for number in self._solver.held[node])
