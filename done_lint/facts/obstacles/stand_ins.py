"""What tests put in the place of environments: mocks that are stepped, and what replaces the library's functions.

`mock.patch("gym.make", return_value=Fake())`, `monkeypatch.setattr(gym, "make", fake)`, `gym.make = fake`: nothing
shows that a fake arrives where the program steps, and what it answers was written for old Gym.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import replaced_makes
from done_lint.analysis.values import External
from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.flowgraph.schema import Survey

_STEPS = ("step", "_step")
_MOCKED = "also steps a mock, whose answers the program has written for old Gym"
_REPLACES = "replaces `{}`, and nothing shows how what it gives then is used"


class StandIn(NamedTuple):
    """A place where something of the program stands for an environment or for what makes one."""

    at: Span
    #: Where this is, as a node of the file.
    result: int
    which: str
    #: The node of what is stepped; None: any environment of the program may be replaced.
    node: int | None = None


class StandIns:
    """Looks for them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._program = analysis.program

    def of(self, path: str) -> Iterator[StandIn]:
        """Those of a file, but for pages."""
        survey = self._program.surveys[path]
        if not survey.page:
            yield from self._mocks(survey)
            yield from self._replaced(survey)

    def _mocks(self, survey: Survey) -> Iterator[StandIn]:
        base = self._program.bases[survey.path]
        for read in survey.telling:
            if read.name not in _STEPS or not any(map(_is_mock, self._solver.values(base + read.source, External))):
                continue
            calls = [one for one in survey.waiting.get(read.target, ()) if isinstance(one, ops.Call)]
            yield from (StandIn(one.at, one.result, _MOCKED, base + read.source) for one in calls[:1])

    def _replaced(self, survey: Survey) -> Iterator[StandIn]:
        base = self._program.bases[survey.path]
        for one in survey.waits(ops.SetAttribute):
            if one.name == replaced_makes.MAKE and "gym" in replaced_makes.roots(self._solver, base + one.owner):
                yield StandIn(one.at, one.owner, _REPLACES.format("gym.make"))
        for call, name in replaced_makes.calls(self._solver, self._program, survey):
            if name.startswith("gym."):
                yield StandIn(call.at, call.result, _REPLACES.format(name))


def _is_mock(value: External) -> bool:
    """`Mock()`, `mock.MagicMock()`."""
    return value.dotted.startswith(("unittest.mock.", "mock.")) and value.dotted.endswith("Mock()")
