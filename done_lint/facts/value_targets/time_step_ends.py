"""Episodes that an adapter for dm_env says have terminated, by a flag that is true at truncations too.

dm_env 1.6, `_environment.py`: `termination(reward, observation)` is a last time step with discount 0, and
`truncation(reward, observation)` one with discount 1. A file that makes both, or gives a time step its discount, tells
them apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import External
from done_lint.core.findings import Related
from done_lint.facts.kinds.flags import Sink
from done_lint.facts.provenance import Provenance, Slice
from done_lint.flowgraph.operations import Attribute
from done_lint.flowgraph.schema import Ending, Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_TERMINATION, _TRUNCATION = "dm_env.termination", "dm_env.truncation"
_DISCOUNT = "discount"
#: `dm_env.TimeStep` is a named tuple, and this changes a field of it.
_CHANGE, _PACKAGE = "_replace", "dm_env."


class TimeStepEnds:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, provenance: Provenance) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._provenance = provenance

    def sinks(self) -> Iterator[tuple[str, Sink]]:
        """The tests by which such a time step is chosen, each with its file."""
        termination = self._solver.find(External(_TERMINATION))
        if termination is None:
            return
        for path, survey in self._analysis.program.surveys.items():
            base = self._analysis.program.bases[path]
            endings = [one for one in survey.endings if termination in self._solver.held[base + one.called]]
            if not endings or self._tells_apart(survey, base):
                continue
            for one in endings:
                if (sink := self._sink(one, path, base + one.test)) is not None:
                    yield path, sink

    def _tells_apart(self, survey: Survey, base: int) -> bool:
        """Whether the file makes a truncated time step as well, or says what the discount of one is."""
        truncation = self._solver.find(External(_TRUNCATION))
        changing = {one.target for one in _attributes(survey) if one.name == _CHANGE}
        for call in survey.calls():
            if truncation in self._solver.held[base + call.called]:
                return True
            gives = any(keyword.name == _DISCOUNT for keyword in call.keywords)
            if gives and (call.called in changing or self._is_of_dm_env(base + call.called)):
                return True
        return False

    def _is_of_dm_env(self, called: int) -> bool:
        names = (self._solver.get(number, External).dotted for number in self._solver.all(called, External))
        return any(name.startswith(_PACKAGE) for name in names)

    def _sink(self, ending: Ending, path: str, test: int) -> Sink | None:
        flags = self._analysis.arrays.flat_flags(test)
        if not flags or not all(_ends_wrongly(flag, ending.holds) for flag in flags):
            return None
        leading, flag = Slice(self._provenance, test, _truncates), max(flags)
        if not leading.origins(path).visible:
            return None
        trace = self._provenance.trace(leading.entry(flag), flag)
        made = Related(path, ending.made, "the time step is made here")
        return Sink("ending", ending.at, "proven", (*trace, made))


def _attributes(survey: Survey) -> Iterator[Attribute]:
    return (one for named in survey.naming.values() for one in named if isinstance(one, Attribute))


def _ends_wrongly(flag: int, holds: bool) -> bool:
    """Whether an episode that may be truncated ends on the side of the test where it holds, or where it does not."""
    return _truncates(flag) and flag_lattice.keeps(flag) != holds


def _truncates(flag: int) -> bool:
    return bool(flag & flag_lattice.TRUNCATED)
