"""What tests put in the place of environments: mocks that are stepped, and what replaces the library's functions.

`mock.patch("gym.make", return_value=Fake())`, `monkeypatch.setattr(gym, "make", fake)`, `gym.make = fake`: nothing
shows that a fake arrives where the program steps, and what it answers was written for old Gym. So it is with a method
that a class gets from outside: `CartPoleEnv.step = traced`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import replaced_makes
from done_lint.analysis.values import External
from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.flowgraph.schema import Survey

_STEPS = ("step", "_step")
#: Methods whose results change.
_METHODS = ("step", "reset")
_MODULES = ("unittest.mock.", "mock.")
#: Arguments of mocks that say which class they look like, and what they are called.
_LIKE = frozenset({"spec", "spec_set", "name", "autospec"})
_MOCKED = "also steps a mock, and what the program makes it answer may be made for old Gym"
_REPLACES = "replaces `{}`, and nothing shows how what it gives then is used"

_GIVES = "gives the class `{}` another `{}`, and nothing shows who calls that"


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
        if not self._answers:
            return  # a mock that nothing is said of gives another mock, which nobody takes apart
        base = self._program.bases[survey.path]
        for read in survey.telling:
            if read.name not in _STEPS or not any(map(_is_mock, self._solver.values(base + read.source, External))):
                continue
            calls = [one for one in survey.waiting.get(read.target, ()) if isinstance(one, ops.Call)]
            yield from (StandIn(one.at, one.result, _MOCKED, base + read.source) for one in calls[:1])

    @cached_property
    def _answers(self) -> bool:
        """Whether some file makes the `step` of a mock answer, or makes a mock with more than a class to look like."""
        return any(map(self._makes_answer, self._program.surveys.values()))

    def _makes_answer(self, survey: Survey) -> bool:
        base = self._program.bases[survey.path]
        steps = {one.target for one in survey.telling if one.name in _STEPS}
        if any(one.name in _STEPS or one.owner in steps for one in survey.waits(ops.SetAttribute)):
            return True
        return any(
            any(one.name not in _LIKE for one in call.keywords)
            for call in survey.calls()
            if any(map(_makes_mock, self._solver.values(base + call.called, External)))
        )

    def _replaced(self, survey: Survey) -> Iterator[StandIn]:
        base = self._program.bases[survey.path]
        for one in survey.waits(ops.SetAttribute):
            if one.name == replaced_makes.MAKE and "gym" in replaced_makes.roots(self._solver, base + one.owner):
                yield StandIn(one.at, one.owner, _REPLACES.format("gym.make"))
            elif one.name in _METHODS and (name := self._class_name(base + one.owner)):
                yield StandIn(one.at, one.owner, _GIVES.format(name, one.name))
        for call, name in replaced_makes.calls(self._solver, self._program, survey):
            if name.startswith("gym."):
                yield StandIn(call.at, call.result, _REPLACES.format(name))

    def _class_name(self, node: int) -> str:
        """The name of a class of Gym's that a node holds; empty if it holds none. Those of the project are followed."""
        names = (one.dotted for one in self._solver.values(node, External) if one.dotted.startswith("gym."))
        lasts = (one.rpartition(".")[2] for one in names)
        return next((one for one in lasts if one[:1].isupper() and not one.endswith(")")), "")


def _makes_mock(value: External) -> bool:
    """`Mock`, `mock.MagicMock`, and their methods: `configure_mock`."""
    return value.dotted.startswith(_MODULES)


def _is_mock(value: External) -> bool:
    """`Mock()`, `mock.MagicMock()`."""
    return value.dotted.startswith(_MODULES) and value.dotted.endswith("Mock()")
