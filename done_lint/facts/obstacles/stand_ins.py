"""What tests put in the place of environments: mocks that are stepped, and what replaces the library's functions.

`mock.patch("gym.make", return_value=Fake())`, `monkeypatch.setattr(gym, "make", fake)`, `gym.make = fake`: nothing
shows that a fake arrives where the program steps, and what it answers was written for old Gym.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis.values import External, Text
from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.flowgraph.schema import Survey

_STEPS = ("step", "_step")
_MAKE = "make"
_MOCKED = "also steps a mock, whose answers the program has written for old Gym"
_REPLACES = "replaces `{}`, and nothing shows how what it gives then is used"
#: The last names of functions that replace an attribute while a test runs.
_REPLACING = frozenset({"patch", "setattr", "object"})
#: `gym.make`, `train.gym.make`.
_OF_GYM = re.compile(r"(?:\w+\.)*?(gym\.(?:\w+\.)*\w+)")


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
            if one.name == _MAKE and any(map(_is_of_gym, self._solver.values(base + one.owner, External))):
                yield StandIn(one.at, one.owner, _REPLACES.format("gym.make"))
        names = {
            one.target: one.name
            for found in survey.naming.values()
            for one in found
            if isinstance(one, ops.Attribute) and one.name in _REPLACING
        }
        for call in survey.calls():
            if call.args and (call.called in names or self._is_replacing(base + call.called)):
                given = [base + one.node for one in call.args[:2]]
                if name := self._named(given):
                    yield StandIn(call.at, call.result, _REPLACES.format(name))

    def _is_replacing(self, called: int) -> bool:
        """`patch`, `setattr`, `mock.patch.object`."""
        found = (one.dotted for one in self._solver.values(called, External))
        return any(one.rpartition(".")[2] in _REPLACING for one in found)

    def _named(self, given: list[int]) -> str:
        """What of the library is replaced, by its whole name, or as an attribute that the second argument names."""
        texts = [[one.text for one in self._solver.values(node, Text)] for node in given]
        whole = next((found for one in texts[0] if (found := _OF_GYM.fullmatch(one))), None)
        if whole is not None:
            return whole[1]
        of_gym = any(map(_is_of_gym, self._solver.values(given[0], External)))
        return f"gym.{_MAKE}" if of_gym and len(texts) > 1 and _MAKE in texts[1] else ""


def _is_mock(value: External) -> bool:
    """`Mock()`, `mock.MagicMock()`."""
    return value.dotted.startswith(("unittest.mock.", "mock.")) and value.dotted.endswith("Mock()")


def _is_of_gym(value: External) -> bool:
    """The library, or a module of it."""
    return value.dotted.partition(".")[0] == "gym"
