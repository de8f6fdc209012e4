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
        made = self._program.call_at(call)
        read = self._program.attribute_at(made[1]) if made is not None else None
        if read is None or not self._shows_parts(call):
            return False
        return not all(self._wraps(read[0], number, set()) for number in self._solver.all(read[0], External))

    def is_undefined(self, node: int) -> bool:
        """Whether what a name makes that nothing gives may stand here: a page shows no class for its `Game()`."""
        unknown = [
            one for one in self._solver.all(node, External) if is_undefined(self._solver.get(one, External).dotted)
        ]
        # a module has such names by `import *`
        return bool(unknown) and self._shows_parts(node) and not all(self._wraps(node, one, set()) for one in unknown)

    def _shows_parts(self, node: int) -> bool:
        """Whether a node is of a page or a notebook."""
        place = self._program.owner(node)
        return place is not None and (self._program.surveys[place.path].page or place.path.endswith(NOTEBOOKS))

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
