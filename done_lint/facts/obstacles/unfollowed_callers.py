"""The steps in the old form of which nothing shows what they step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.open_steps import open_rows, open_steps, owner_name
from done_lint.analysis.program import FunctionId
from done_lint.analysis.unused_functions import UnusedFunctions
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.facts.obstacles.program_members import ProgramMembers

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_UNPACKS = "unpacks four values of an environment that cannot be followed"
_TAKES = "takes four values of a step apart that nobody in sight makes"


class UnfollowedCallers:
    """Looks for them in a solved graph."""

    def __init__(
        self, analysis: Analysis, families: Families, unused: UnusedFunctions, members: ProgramMembers
    ) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._program = analysis.program
        self._families = families
        self._unused = unused
        self._members = members

    def of(self, path: str) -> Iterator[Obstacle]:
        """Those of a file."""
        yield from self._callers(path)
        yield from self._rows(path)

    def _callers(self, path: str) -> Iterator[Obstacle]:
        """The steps in the old form in a file of which nothing shows what they step, and what may arrive there."""
        base = self._program.bases[path]
        for one in open_steps(self._analysis, path):
            if FunctionId(path, one.home) in self._unused.functions:
                yield Obstacle(path, one.at, one.owner, _UNPACKS, frozenset(), unused=True)
                continue
            named = self._families.of_node(base + one.source)
            family = self._members.unstepped_near(path) if named else self._members.near(path)
            if one.loaded:
                # no import leads to a class that is loaded by its name: it is one that no code steps
                family = family.union(*map(self._families.of, self._members.unstepped))
            family |= named or frozenset()
            if one.inherited:
                # its class moves with the base, which the file's import names
                family |= self._families.of(path)
            yield Obstacle(path, one.at, one.owner, _UNPACKS, family, open=True)

    def _rows(self, path: str) -> Iterator[Obstacle]:
        """The results of steps by their names, of which nothing shows who steps, and what nobody is seen to step."""
        for one in open_rows(self._analysis, path):
            if family := self._members.unstepped_near(path):
                yield Obstacle(path, one.at, owner_name(self._program.surveys[path], one.home), _TAKES, family)
