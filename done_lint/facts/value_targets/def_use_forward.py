"""What else a stored flag is used for than to cut a value target: uses that *terminated* in its place would break."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import flag_lattice
from done_lint.analysis.solver import ALL, VALUES
from done_lint.analysis.values import ChosenNone, Object, Place
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.provenance import FORWARD
from done_lint.facts.value_targets.names_of_truncation import NamesOfTruncation
from done_lint.facts.value_targets.target_masks import Cut
from done_lint.facts.value_targets.unknown_readings import UnknownReadings
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import array_functions

if TYPE_CHECKING:
    from done_lint.analysis.call_graph import CallGraph
    from done_lint.analysis.context import Analysis


class SecondUses:
    """Follows a flag forward from where it is stored."""

    def __init__(self, analysis: Analysis, running: CallGraph, cuts: Iterable[Cut]) -> None:
        """Of a solved graph: what runs together, and all places that cut something, once they are found."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._arrays = analysis.arrays
        self._program = analysis.program
        self._flags = analysis.flags
        self._names = NamesOfTruncation(analysis)
        self._unknown = UnknownReadings(analysis, running, cuts)
        #: What `hindrance` found: each mask of a stored flag asks for it again.
        self._known: dict[tuple[Place, int], str] = {}
        self._doubts: dict[tuple[Place, int], str] = {}

    def hindrance(self, site: Place, source: int) -> str:
        """Why the flag of `source`, stored at `site`, cannot become *terminated*, in one clause; empty: it can."""
        if (site, source) not in self._known:
            stored = [target for target in self._solver.successors[source] if self._is_stored(source, target, site)]
            self._known[site, source] = self._follow("the stored flag", stored)
        return self._known[site, source]

    def doubt(self, site: Place, source: int) -> str:
        """A use of the stored flag of which nothing is known, in one clause; empty: each is known."""
        if (site, source) not in self._doubts:
            stored = [target for target in self._solver.successors[source] if self._is_stored(source, target, site)]
            reached = self._reached(stored)
            use = self._unknown.first(source, set(reached))
            self._doubts[site, source] = f"the stored flag also {use}" if use else self._names.first(reached)
        return self._doubts[site, source]

    def _is_stored(self, source: int, target: int, place: Place) -> bool:
        """Whether a value goes from one node to the other at a place."""
        passages = (passage for before, _, passage in self._solver.predecessors[target] if before == source)
        return any(passage is not None and passage.place == place for passage in passages)

    def use(self, node: int) -> str:
        """What a flag at a node is used for, beside cutting a value target; empty: for nothing that is seen."""
        return self._uses.get(node, "")

    def of_none(self, test: int) -> tuple[str, str]:
        """The hindrance and the doubt, where a flag decides by `test` whether something is None."""
        solver = self._solver
        chosen = ((number, solver.get(number, ChosenNone)) for number in solver.of_kinds(ChosenNone))
        nones = frozenset(number for number, one in chosen if one.test == test)
        asked = [asking for asking, about in self._flags.absences.items() if nones.intersection(solver.held[about])]
        use = self._unknown.first(test, self._reached(asked), nones)
        return self._follow("what is None here", asked), f"what is None here also {use}" if use else ""

    def _reached(self, starts: Iterable[int]) -> list[int]:
        """Where a flag with truncation goes that starts at these nodes, nearest first."""

        def mixed(nodes: Iterable[int]) -> list[int]:
            return [node for node in nodes if any(map(flag_lattice.mixed, self._solver.flags(node)))]

        def behind(node: int) -> list[int]:
            return mixed((*self._solver.successors[node], *self._combined.get(node, ())))

        return list(reach(mixed(starts), behind, bound=FORWARD, breadth_first=True))

    def _follow(self, subject: str, starts: Iterable[int]) -> str:
        """What a flag is used for that starts at these nodes."""
        reached = self._reached(starts)
        uses = (self._uses.get(node) for node in reached)
        use = next((use for use in uses if use is not None), "")
        if not use and any(map(self._lost_fields.__contains__, reached)):
            use = "goes where more stores meet than can be told apart"
        return f"{subject} also {use}" if use else ""

    @cached_property
    def _lost_fields(self) -> set[int]:
        """The fields of stores that a node which is widened to unknown had no room for: what reads them is not seen."""
        solver, owned = self._solver, self._objects.owned
        lost: set[int] = set()
        for node in filter(solver.is_widened, range(len(solver.held))):
            for before, _, _ in solver.predecessors[node]:
                if solver.successors[before].get(node) in (ALL, VALUES):
                    lost.update(set(solver.held[before]).difference(solver.held[node]))
        stores = (number for number in lost if isinstance(solver.value(number), Object))
        return {field for number in stores for _, field in owned.get(number, ())}

    @cached_property
    def _uses(self) -> dict[int, str]:
        """What flags are used for at a node, beside cutting a value target."""
        surveys, bases = self._program.surveys, self._program.bases
        tested = {bases[path] + local for path, survey in surveys.items() for local in _tested(survey)}
        asked = {bases[path] + one.array for path, survey in surveys.items() for one in located(survey)}
        counting = {bases[path] + one.test for path, survey in surveys.items() for one in survey.branches if one.counts}
        products = self._flags.products.items()
        carried = {n for (path, i), (_, nodes) in products if surveys[path].products[i].carried for n in nodes}
        carried |= {bases[path] + local for path, survey in surveys.items() for local in _cutting_carries(survey)}
        uses = {
            "cuts a recursion over time": self._with_elements(carried),
            "decides what is done once an episode": self._with_elements(counting),
            "tells where in the store episodes end": self._with_elements(asked) | self._inside(asked),
            "decides where an episode ends": self._with_elements(tested),
        }
        # of several uses of a node, the last one is reported
        return {node: use for use, nodes in uses.items() for node in nodes}

    def _inside(self, nodes: Iterable[int]) -> set[int]:
        """What the arrays hold that arrive at these nodes."""
        arrays = {
            number for node in nodes for number in self._solver.all(node, Object) if self._objects.is_array(number)
        }
        return {field for number in arrays for _, field in self._objects.owned.get(number, ())}

    @cached_property
    def _combined(self) -> dict[int, list[int]]:
        """Where a flag goes through an operation that is no edge: unions, choices."""
        found: dict[int, list[int]] = {}
        ways = [(node, target) for target, one in self._flags.combinations.items() for node in one.inputs]
        for test, a, ca, b, cb, c in self._flags.conditions.values():
            ways += [(node, c) for node in ((test,) if ca and cb else (a, b))]
        for node, target in ways:
            if node in self._arrays.flats:
                found.setdefault(self._arrays.flats[node], []).append(target)
        return found

    def _with_elements(self, nodes: set[int]) -> set[int]:
        """And the nodes at which the flags in arrays arrive that these hold."""
        return nodes | {self._arrays.flats[node] for node in nodes if node in self._arrays.flats}


def _tested(survey: Survey) -> Iterator[int]:
    """What an `if` or `while` tests, where the test is no sink itself."""
    sinks = {branch.span for branch in survey.branches}
    return (node for node, at in survey.tests if at not in sinks)


def _cutting_carries(survey: Survey) -> Iterator[int]:
    """The tests around the sums that a loop carries on."""
    for branch in survey.branches:
        if any(survey.products[index].summed for index in (*branch.body, *branch.orelse)):
            yield branch.test


class Located(NamedTuple):
    """An array in which the place of a flag is asked for: `np.cumsum(dones)`, `dones.nonzero()`."""

    array: int
    at: Span | None
    #: The node of the answer; 0, where the function is not called.
    result: int
    #: It is told of each place how many flags came before.
    counts: bool


def located(survey: Survey) -> Iterator[Located]:
    """The arrays of a file in which the places of flags are asked for."""
    results = {call.called: call.result for call in survey.calls()}
    asking: dict[int, str] = {}
    for operation in (*survey.bindings, *(asked for waiting in survey.naming.values() for asked in waiting)):
        if isinstance(operation, ops.Attribute) and operation.name in array_functions.LOCATING:
            target, name = operation.target, operation.name
            asking[target] = name
            at = survey.places.get(target)
            yield Located(operation.source, at, results.get(target, 0), name in array_functions.COUNTING)
        elif isinstance(operation, ops.External):
            name = operation.dotted.rpartition(".")[2]
            if name in array_functions.LOCATING:
                asking[operation.target] = name
    for call in survey.calls():
        # `np.where` of three is a choice
        if call.called in asking and 1 <= len(call.args) <= 2:
            counts = asking[call.called] in array_functions.COUNTING
            yield Located(call.args[0].node, call.at, call.result, counts)
