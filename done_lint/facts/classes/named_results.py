"""Named tuples of four values that a `step` returns: `Step(observation, reward, done, info)`.

They are unpacked as plain tuples are. Where the program reads their fields by name (`result.reward`) they belong to a
protocol of its own, which works as it is.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from done_lint.analysis.values import ClassRef, External, Object, RecordClass, Shape
from done_lint.flowgraph import operations as ops
from done_lint.knowledge import naming_conventions

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_BASES = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple"})


class NamedResults:
    """Looks at what makes the records that arrive somewhere."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program

    def is_old(self, number: int) -> bool:
        """Whether a value is a named tuple of what old Gym's `step` returns, and nothing reads its fields by name."""
        value = self._solver.value(number)
        if not isinstance(value, Object) or value.shape is not Shape.RECORD:
            return False
        fields = self._fields(value.node)
        return len(fields) == 4 and naming_conventions.done(fields[2]) and number not in self._read_by_name

    def _fields(self, made: int) -> tuple[str, ...]:
        """The fields of a named tuple, by the node of the call that makes it; none of a data class."""
        call = self._program.call_at(made)
        called = [self._solver.value(one) for one in self._solver.held[call[1]]] if call is not None else []
        if len(called) != 1:
            return ()
        if isinstance(called[0], RecordClass):
            return called[0].fields
        if not isinstance(called[0], ClassRef):
            return ()
        own, base = self._program.class_at(called[0].path, called[0].index), self._program.bases[called[0].path]
        above = {one.dotted for node in own.bases for one in self._solver.values(base + node, External)}
        return own.fields if above <= _BASES and above else ()

    @cached_property
    def _read_by_name(self) -> frozenset[int]:
        """The records of which the program reads an attribute."""
        return frozenset(
            number
            for path, survey in self._program.surveys.items()
            for read in chain.from_iterable(survey.naming.values())
            if isinstance(read, ops.Attribute)
            for number in self._solver.all(self._program.bases[path] + read.source, Object)
        )
