"""Steps of vector environments at which others arrive too: one loop, one name, one kind at a time.

These are single environments, or objects of code that cannot be seen; what it is given a vector environment to make, is
one as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import Environment, External, Object, OwnStepResult, StepResult, StepValue
from done_lint.core.reach import reach
from done_lint.facts.provenance import FORWARD
from done_lint.flowgraph.keys import IndexKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_FLAG = IndexKey(2)


class SingleSteps:
    """Looks at what the calls of steps return."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._arrays = analysis.arrays
        self._program = analysis.program

    def gives(self, node: int) -> bool:
        """Whether a value at a node may be that of a single environment's step, beside those of several."""
        steps = {value.step for value in self._solver.values(node, StepValue)}
        return any(self.at(step) or self._is_unseen(step) for step in steps)

    def at(self, step: int) -> bool:
        """Whether environments that are no vectors arrive at a step; a class that wraps a vector is one itself."""
        results = self._solver.values(step, StepResult)
        if not all(self._solver.get(one.env, Environment).api.vector for one in results):
            return True
        own = self._solver.values(step, OwnStepResult)
        return any(not self._solver.get(one.env, Environment).api.vector for one in own) and not self._has_arrays(step)

    def _has_arrays(self, step: int) -> bool:
        """Whether a class of the project returns an array of flags from this step."""
        fields = (self._objects.fields.get((one, _FLAG)) for one in self._solver.all(step, Object))
        found = (flag for field in fields if field is not None for flag in self._arrays.flat_flags(field))
        return any(flag & flag_lattice.ARRAY for flag in found)

    def _is_unseen(self, step: int) -> bool:
        """Whether something is stepped that code made which cannot be seen, without an environment."""
        called = self._program.call_at(step)
        attribute = self._program.attribute_at(called[1]) if called is not None else None
        if attribute is None:
            return False
        receiver, _ = attribute
        unseen = {number for number in self._solver.all(receiver, External) if self._is_result(number)}

        def before(node: int) -> list[int]:
            edges = self._solver.predecessors[node]
            return [edge.source for edge in edges if not unseen.isdisjoint(self._solver.held[edge.source])]

        made = reach([receiver], before, bound=FORWARD) if unseen else ()
        return any(self._program.call_at(node) is not None and not self._is_given_env(node) for node in made)

    def _is_result(self, number: int) -> bool:
        return self._solver.get(number, External).dotted.endswith("()")

    def _is_given_env(self, call: int) -> bool:
        return any(self._solver.all(node, Environment) for node in self._program.given_at(call))
