"""The old form of what a `step_wait` or `reset_wait` returns that answers for the library's `step` or `reset`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Object, ResetResult
from done_lint.core.findings import Related
from done_lint.knowledge.env_apis import STEP_WIDTHS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_FOUR, _ = STEP_WIDTHS


class SplitResults:
    """Reads them from a solved graph; such a class is rewritten by hand, and its callers change with it."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at every class of the project once."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        #: Tuples of four, and which method they are of.
        self.fours: dict[int, Related] = {}
        #: Methods that return the observation alone, and where.
        self.bare: dict[FunctionId, Related] = {}
        for path, survey in self._program.surveys.items():
            for index, made in enumerate(survey.classes):
                if (step := analysis.classes.part_of(path, index, "step")) is not None:
                    self._steps(step, made.name)
                if (reset := analysis.classes.part_of(path, index, "reset")) is not None:
                    self._resets(reset, made.name)

    def _steps(self, method: FunctionId, owner: str) -> None:
        survey, base = self._program.surveys[method.path], self._program.bases[method.path]
        function = self._program.function_at(method)
        for number in self._solver.all(base + function.result, Object):
            local = self._solver.get(number, Object).node - base
            if self._objects.widths.get(number) == _FOUR and local in survey.fours:
                name = f"`{owner}.{function.name}`"
                self.fours.setdefault(number, Related(method.path, survey.fours[local], name))

    def _resets(self, method: FunctionId, owner: str) -> None:
        """Each `return` gives something else than a pair, and asks nothing before."""
        function, base = self._program.function_at(method), self._program.bases[method.path]
        outcomes = [(span, base + node) for span, node, guard in function.outcomes if not guard]
        if len(outcomes) < len(function.outcomes) or any(self._may_be_pair(node) for _, node in outcomes):
            return
        for span, _ in outcomes[:1]:
            self.bare[method] = Related(method.path, span, f"`{owner}.{function.name}`")

    def _may_be_pair(self, node: int) -> bool:
        """Whether it is a pair, or what something else answered."""
        widths = {self._objects.widths.get(one) for one in self._solver.all(node, Object)}
        return 2 in widths or self._solver.is_widened(node) or bool(self._solver.all(node, ResetResult))
