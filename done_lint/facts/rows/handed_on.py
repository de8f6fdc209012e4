"""Which functions hand on a value of a step to be kept, and where: the ways back from where it is kept."""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Object, Passage, Place, Shape
from done_lint.core.asked_once import asked_once
from done_lint.facts.rows.row_parts import Kept, Part
from done_lint.facts.rows.ways_back import Ways

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.provenance import Provenance
    from done_lint.facts.rows.step_values import StepValues

#: The step, the part and the number of a value.
_Value = tuple[int, Part, int]
#: A value, its node where it is kept, and the function that keeps it there.
_Inside = tuple[_Value, int, FunctionId]


class HandedOn:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, provenance: Provenance, values: StepValues) -> None:
        """Of these values."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._owned = analysis.objects.owned
        self._rests = analysis.rests
        self._provenance = provenance
        self._values = values

    def by(self, kept: Kept) -> list[tuple[Place, FunctionId]]:
        """Where each function that has a value from the step hands it on, and that function."""
        givers = self._ways(kept).givers(kept.node)
        home, place = self.home(kept.whole), kept.place
        if not givers and kept.row >= 0:
            written = self._ways(kept).written(kept.node)
            givers = self._ways_of_row(kept.row).givers(kept.whole)
            if not givers and not all(self._calls(home, self.home(one.node)) for one in written):
                givers = written  # `def add(self, *row)`
            elif written and kept.part == "flag":
                # a mask beside the flag is told from it by where each is written
                given = home if not givers else self.home(givers[0].node)
                return [(one.place, given) for one in written[:1] if one.place is not None]
        handed = [(one.place, self.home(one.node)) for one in givers if one.place is not None and self._is_own(one)]
        return handed or self._put_into_rows(kept, home) or [(place, home)]

    def _is_own(self, giver: Passage) -> bool:
        """Whether a function of the project gives an argument: `jax.tree.map(put, self.data, row)` gives the parts."""
        return self._program.owner(giver.node) is not None

    def put_before(self, kept: Kept) -> frozenset[Place]:
        """Where a value was put into something else, before it came to where it is kept."""
        return self._ways(kept).places(kept.node)

    def ways(self, kept: Kept) -> frozenset[frozenset[int]]:
        """By the names and attributes that hold other values as well, the ways of a value to where it is handed on.

        What was seen before a step came through such a name, which held something else before the first step.
        """
        return self._ways_into((kept[:3], kept.node, self.home(kept.whole)))

    @asked_once
    def _ways_into(self, kept: _Inside) -> frozenset[frozenset[int]]:
        """The same for all the places and rows of one function: a buffer of rows keeps one value a thousand times."""
        value, node, _ = kept
        ways = self._ways_of(value)
        given = ways.givers(node) or self._put(kept)
        return frozenset(ways.joins(at) for at in [one.node for one in given] or [node])

    def home(self, node: int) -> FunctionId:
        """The function that a node belongs to, as it is run."""
        owner = self._program.owner(node)
        return self._provenance.running.home(*owner) if owner is not None else FunctionId("", -1)

    def _put_into_rows(self, kept: Kept, home: FunctionId) -> list[tuple[Place, FunctionId]]:
        """Where other functions put a value into the row that is taken apart here: `for k, v in row.items()`.

        The last one first. A function that is called from here gave the row back, and hands nothing on.
        """
        put = self._put((kept[:3], kept.node, home))
        return [(one.place, self.home(one.node)) for one in put if one.place is not None]

    @asked_once
    def _put(self, kept: _Inside) -> list[Passage]:
        """How a value was put into something by functions that its keeper does not call."""
        value, node, home = kept
        return [one for one in self._ways_of(value).puts(node) if not self._calls(home, self.home(one.node))]

    def _calls(self, home: FunctionId, called: FunctionId) -> bool:
        """Whether a function is another one, or calls it, directly or not."""
        return home in self._callers(called)

    @asked_once
    def _callers(self, called: FunctionId) -> Set[FunctionId]:
        """The functions that call one: few functions put values into thousands of rows."""
        return self._provenance.running.called_from(called)

    def _ways(self, kept: Kept) -> Ways:
        return self._ways_of(kept[:3])

    @asked_once
    def _ways_of(self, value: _Value) -> Ways:
        """The ways of the same value of a step."""
        return self._back(self._values.holding(value))

    @asked_once
    def _ways_of_row(self, row: int) -> Ways:
        held = self._solver.held
        return self._back(lambda node: row in held[node])

    def _back(self, holds: Callable[[int], bool]) -> Ways:
        return Ways(self._solver.predecessors, self._values.elements.wholes, self._stars, holds)

    @cached_property
    def _stars(self) -> frozenset[int]:
        """The fields of what functions take by `*args`."""
        numbers = (self._solver.find(Object(rest, Shape.TUPLE)) for rest in self._rests)
        return frozenset(field for one in numbers if one is not None for _, field in self._owned.get(one, ()))
