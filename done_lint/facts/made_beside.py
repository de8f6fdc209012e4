"""Functions that are given every environment that some code makes, as `make` is followed by `env = monitored(env)`.

What such a function does to the environment happens whenever there is one, in whatever file it stands.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Environment, FunctionRef
from done_lint.flowgraph import operations as ops
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
            for call in survey.waits(ops.Call):
                functions = self._solver.values(base + call.called, FunctionRef)
                if functions and self._is_given_what_is_made(survey, call):
                    found.update(FunctionId(one.path, one.index) for one in functions)
        return frozenset(found)

    def _is_given_what_is_made(self, survey: Survey, call: ops.Call) -> bool:
        """Whether an argument is an environment that the same function makes, and no test stands between the two."""
        base = self._program.bases[survey.path]
        made = {one.node for given in call.args for one in self._solver.values(base + given.node, Environment)}
        return any(self._is_beside(survey, call, node) for node in made)

    def _is_beside(self, survey: Survey, call: ops.Call, made: int) -> bool:
        owner = self._program.owner(made)
        if owner is None or owner.path != survey.path or owner.node not in survey.places:
            return False
        make = survey.places[owner.node]
        if any(call.at.within(one) and not make.within(one) for one in survey.optional):
            return False
        return self._program.home(self._program.bases[survey.path] + call.result) == self._program.home(made)
