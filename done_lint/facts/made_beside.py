"""Functions that are given every environment that some code makes, as `make` is followed by `env = monitored(env)`.

What such a function does to the environment happens whenever there is one, in whatever file it stands.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Environment, FunctionRef
from done_lint.core.findings import Span
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class MadeBeside:
    """Compares, in a solved graph, where environments are made and where functions are given them."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program

    def of(self, survey: Survey) -> frozenset[int]:
        """The functions of a file, by the rows of the word `def`."""
        return frozenset(survey.functions[index].row for path, index in self._functions if path == survey.path)

    @cached_property
    def _functions(self) -> frozenset[FunctionId]:
        found: set[FunctionId] = set()
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for call in survey.calls():
                functions = self._solver.values(base + call.called, FunctionRef)
                if functions and self._is_given_what_is_made(survey, call.at, [base + one.node for one in call.args]):
                    found.update(FunctionId(one.path, one.index) for one in functions)
        return frozenset(found)

    def _is_given_what_is_made(self, survey: Survey, call: Span, given: list[int]) -> bool:
        """Whether an argument is an environment that the same function makes, and no test stands between the two."""
        made = (one.node for node in given for one in self._solver.values(node, Environment))
        return any(self._is_beside(survey, call, node) for node in made)

    def _is_beside(self, survey: Survey, call: Span, made: int) -> bool:
        base, owner = self._program.bases[survey.path], self._program.owner(made)
        if owner is None or owner.path != survey.path or owner.node not in survey.places:
            return False
        make = survey.places[owner.node]
        around = [one for one in survey.optional if call.within(one) and not make.within(one)]
        here = {node for node, span in ((one.result, one.at) for one in survey.calls()) if span == call}
        homes = {self._program.home(base + node) for node in here}
        return not around and homes == {self._program.home(made)}
