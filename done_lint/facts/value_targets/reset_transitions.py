"""Transitions that are stored behind the reset: the next observation of an episode's end is the next one's first.

A program whose `step` also resets hands on the first observation of the next episode: with `done` nothing asks for its
value, with *terminated* the target would take it at every truncation.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import EnvMethod, FunctionRef, Object, Observation, Place, ResetResult, Shape
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.operations import Placed
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_REASON = "the next observation may come from a reset: the final one, whose value is missing, is lost then"
#: How far an observation is followed back.
_WAY = 200
#: What an observation is handed on in as it is; the elements of other containers are not told apart.
_HANDED_ON = frozenset({Shape.TUPLE, Shape.RETURNED})


class ResetTransitions:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._rows: dict[str, dict[Place, tuple[Placed, ...]]] = {}
        #: What `hindrance` found: each target that reads a store asks for it again.
        self._known: dict[Place, str] = {}

    def hindrance(self, site: Place) -> str:
        """Why *terminated* cannot be stored at a place, in one clause; empty: nothing of this kind.

        Of the observations beside the flag, one is that before the step, which a reset may always have given.
        """
        if site not in self._known:
            self._known[site] = _REASON if self._is_behind_reset(site) else ""
        return self._known[site]

    def _is_behind_reset(self, site: Place) -> bool:
        base = self._program.bases[site.path]
        beside = [base + one.node for one in self._row(site) if one.node]
        observed = [one for one in beside if self._solver.all(one, Observation)]
        if len(observed) < 2 or self._steps_last(site, base):
            return False
        return all(map(self._may_be_first, observed))

    def _steps_last(self, site: Place, base: int) -> bool:
        """Whether the function steps before the place, and then calls no reset and nothing of the project.

        An attribute holds what it is given anywhere: there the order of the calls says what it has at the place.
        """
        survey = self._program.surveys[site.path]
        calls = [(one.at, one) for one in survey.waits(ops.Call)]
        store = max(((at, one) for at, one in calls if site.span.within(at)), key=_start, default=None)
        if store is None:
            return False
        home = survey.homes.get(store[1].result)
        here = ((at, one) for at, one in calls if at < store[0] and survey.homes.get(one.result) == home)
        before = ((at, self._called(base + one.called)) for at, one in here)
        _, last = max((one for one in before if one[1]), key=_start, default=(site.span, ""))
        return last == "step"

    def _called(self, node: int) -> str:
        """The name of an environment's method that is called; of the project's own code "own"; or empty."""
        if self._solver.all(node, FunctionRef):
            return "own"
        return next((one.name for one in self._solver.values(node, EnvMethod) if one.name in ("step", "reset")), "")

    def _row(self, site: Place) -> tuple[Placed, ...]:
        """The values that a flag is stored or passed with, by its place."""
        if site.path not in self._rows:
            rows = _rows(self._program.surveys[site.path])
            self._rows[site.path] = {Place(site.path, one.span): row for row in rows for one in row if one.span}
        return self._rows[site.path].get(site, ())

    def _may_be_first(self, node: int) -> bool:
        """Whether what a node holds may be the observation of a reset."""
        return any(map(self._is_of_reset, reach([node], self._before, bound=_WAY, breadth_first=True)))

    def _before(self, node: int) -> list[int]:
        edges = self._solver.predecessors[node]
        return [one.source for one in edges if one.way != "combined" and one.source not in self._elements]

    def _is_of_reset(self, node: int) -> bool:
        return node in self._taken or bool(self._solver.all(node, ResetResult))

    @cached_property
    def _taken(self) -> frozenset[int]:
        """The observations that resets are taken apart for."""
        return frozenset(node for path in self._program.surveys for node in self._taken_in(path))

    def _taken_in(self, path: str) -> Iterator[int]:
        survey, base = self._program.surveys[path], self._program.bases[path]
        for one in survey.waits(ops.Unpack):
            if one.targets and self._solver.all(base + one.source, ResetResult):
                yield base + one.targets[0]

    @cached_property
    def _elements(self) -> frozenset[int]:
        """What containers hold that are read as a whole, or at any place."""
        held = ((self._solver.value(number), node) for (number, _), node in self._objects.fields.items())
        return frozenset(node for one, node in held if isinstance(one, Object) and one.shape not in _HANDED_ON)


def _start(one: tuple[Span, object]) -> Span:
    return one[0]


def _rows(survey: Survey) -> Iterator[tuple[Placed, ...]]:
    """What tuples and lists are made of, and calls are given."""
    for one in survey.operations:
        if isinstance(one, ops.Allocate):
            yield one.elements
    for call in survey.calls():
        named = (Placed(one.node, one.span) for one in call.keywords)
        yield (*call.args, *named)
