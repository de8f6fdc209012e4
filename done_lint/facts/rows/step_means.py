"""One number for all environments: `float(np.mean(rewards))`, `rewards.sum()`. A log keeps it; no row has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from typing import TYPE_CHECKING

from done_lint.analysis.values import External
from done_lint.facts.beginnings import Beginnings
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.array_functions import ARRAYS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Functions and methods that make one number of a whole array; with an axis, or anything else, they may not.
_REDUCING = frozenset({"sum", "mean", "nansum", "nanmean"})


class StepMeans:
    """Tells where values of steps are such numbers."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        #: The nodes of the numbers.
        self.made = frozenset(
            node for survey in analysis.program.surveys.values() for node in self._made(analysis, survey)
        )

    def others(self, holders: Set[int], into: Callable[[int], Iterable[int]]) -> Set[int]:
        """The nodes, of all that hold a value, at which it arrives in any other way; `into` leads to a node."""
        if not self.made:
            return holders
        ways = Beginnings(holders, into, self.made)
        return ways.reached(ways.all)

    def _made(self, analysis: Analysis, survey: Survey) -> Iterable[int]:
        """The numbers that one file makes of whole arrays; `rewards[i].mean()` is of one environment."""
        base = self._program.bases[survey.path]
        items = {base + one.target for one in survey.waits(ops.Item)}
        for call in survey.calls():
            if call.keywords or call.stars:
                continue
            called = base + call.called
            read = self._program.attribute_at(called)
            if self._reduces(called):
                source = base + call.args[0].node if len(call.args) == 1 else 0
            elif read is not None and read[1] in _REDUCING and not call.args:
                source, _ = read
            else:
                continue
            if source > base and source not in items:
                yield base + call.result

    def _reduces(self, called: int) -> bool:
        """Whether a function is called that makes one number of an array."""
        names = [one.dotted.split(".") for one in self._solver.values(called, External)]
        return any(parts[0] in ARRAYS and parts[-1] in _REDUCING for parts in names)
