"""Examples and notebooks in which one name stands for an environment here, and for what nobody knows there."""

from __future__ import annotations

from done_lint.analysis.context import Analysis
from done_lint.analysis.values import Environment, External
from done_lint.core.paths import NOTEBOOKS
from done_lint.core.reach import reach
from done_lint.flowgraph.external_names import is_undefined


class UnknownBeside:
    """Reads from a solved graph what else a method may be called of."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._program = analysis.program
        self._solver = analysis.solver

    def may_answer(self, call: int) -> bool:
        """Whether a block or a cell gives the variable another object, of a class that the program does not show.

        In a module such a class is mostly a wrapper of a package; blocks and cells show alternatives, or run in any
        order, so that what stands in the variable is not known where a function reads it.
        """
        place, made = self._program.owner(call), self._program.call_at(call)
        read = self._program.attribute_at(made[1]) if made is not None else None
        if place is None or read is None:
            return False
        if not (self._program.surveys[place.path].page or place.path.endswith(NOTEBOOKS)):
            return False
        return not all(self._wraps(read[0], number, set()) for number in self._solver.all(read[0], External))

    def is_undefined(self, node: int) -> bool:
        """Whether what a name makes that nothing gives may stand here: a page shows no class for its `Game()`."""
        return any(
            is_undefined(self._solver.get(number, External).dotted) and not self._wraps(node, number, set())
            for number in self._solver.all(node, External)
        )

    def _wraps(self, node: int, number: int, seen: set[int]) -> bool:
        """Whether a value is what a call gave that was given an environment: a wrapper that a package has.

        Names that stand for themselves are no objects.
        """
        if not self._is_made(number) or number in seen:
            return True
        seen.add(number)
        for one in reach([node], lambda one: self._solver.origins(one, number)):
            if self._program.call_at(one) is not None and not self._solver.origins(one, number):
                return any(self._holds_environment(given, seen) for given in self._program.given_at(one))
        return False

    def _holds_environment(self, node: int, seen: set[int]) -> bool:
        if self._solver.all(node, Environment):
            return True
        inner = [number for number in self._solver.all(node, External) if self._is_made(number)]
        return bool(inner) and all(self._wraps(node, number, seen) for number in inner)

    def _is_made(self, number: int) -> bool:
        """Whether a value is the result of a call."""
        return self._solver.get(number, External).dotted.endswith("()")
