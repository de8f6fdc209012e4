"""How a value came to a place: the evidence that a finding shows, and what a sink is judged by."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import flag_lattice
from done_lint.analysis.call_graph import CallGraph
from done_lint.analysis.objects import DEEPEST
from done_lint.analysis.text_places import text_places
from done_lint.analysis.values import ChosenNone, Object, Passage, Place, Pred, Site
from done_lint.core.findings import Related, Span
from done_lint.core.reach import reach
from done_lint.facts.receivers import Passed, Receivers
from done_lint.knowledge import naming_conventions

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: How far a flag is followed. Programs need a few hundred nodes; the bounds keep the cost of one sink small in
#: generated code and in libraries where everything is connected with everything.
BACKWARD = 20000
FORWARD = 2000
#: The same where no flag arrives, and where a reward is looked for: what is farther away is no evidence for the place.
UNFLAGGED = 500
REWARDS = 200
_NOWHERE = Place("", Span(1, 0, 1, 0))


class Provenance:
    """Reads the reasons that the solver kept, backwards."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self.analysis = analysis
        self.running = CallGraph(analysis)
        self.receivers = Receivers(analysis, self.running)
        #: What `trace` found: each is the one of the node before, and at most one step more.
        self._traces: dict[tuple[int, int], tuple[Related, ...]] = {}

    def related(self, site: Site, message: str) -> Related:
        """A place with a word about it."""
        return Related(*(site or _NOWHERE), message)

    def evidence(self, node: int) -> tuple[Related, ...]:
        """Why an environment is taken to have its API, where there is a place that shows it."""
        site, message = self.analysis.envs.evidence.get(node, (None, ""))
        site = site or self.place(node)
        return (self.related(site, message),) if site is not None and message else ()

    def place(self, node: int) -> Site:
        """Where a node was made."""
        owner = self.analysis.program.owner(node)
        if owner is None:
            return None
        path, local = owner
        span = self.analysis.program.surveys[path].places.get(local)
        return Place(path, span) if span is not None else None

    def name(self, node: int) -> str:
        """The name a node was given."""
        owner = self.analysis.program.owner(node)
        if owner is None:
            return ""
        path, local = owner
        return self.analysis.program.surveys[path].names.get(local, "")

    def texts(self, node: int, text: int) -> list[Place]:
        """Where the strings of this value stand that arrive at a node."""
        return text_places(self.analysis, node, text)

    # --- the way of one flag -----------------------------------------------------------------------

    def steps(self, node: int, flag: int) -> Iterator[tuple[int, int]]:
        """The nodes that a flag came by first, from a node back to its source, and what it was at each."""
        seen: set[tuple[int, int]] = set()
        while (node, flag) not in seen and node >= 0:
            seen.add((node, flag))
            yield node, flag
            node, flag = self.analysis.solver.reason(node, flag)

    def trace(self, node: int, flag: int) -> tuple[Related, ...]:
        """The way of a flag to a node in words: where it comes from, where it is combined."""
        passed: list[tuple[int, int]] = []
        trace: tuple[Related, ...] = ()
        for step in self.steps(node, flag):
            known = self._traces.get(step)
            if known is None and (source := self._source(*step)) is not None and not self._is_last_of_inner(*step):
                known = self._traces[step] = (source,)
            if known is not None:
                trace = known
                break
            passed.append(step)
        for step in reversed(passed):
            if (joint := self._joint(*step)) is not None:
                trace = (*trace, joint)
            self._traces[step] = trace
        return trace

    def _source(self, node: int, _: int) -> Related | None:
        """The step, or the comparison, that a flag comes from."""
        if node not in self.analysis.flags.sources:
            return None
        site, word = self.analysis.flags.sources[node]
        place = self.place(node) or site
        if place is None:
            return None
        return Related(*place, f"`{word}` comes from this step" if " " not in word else f"{word} is tested here")

    def _is_last_of_inner(self, node: int, flag: int) -> bool:
        """Whether a step of the project's own gave `last()` of one of dm_env in it: that is where the flag begins."""
        lasts = self.analysis.flags.lasts
        return bool(lasts) and node not in lasts and any(one in lasts for one, _ in self.steps(node, flag))

    def _joint(self, node: int, flag: int) -> Related | None:
        """Where a flag with truncation was combined."""
        combined = self.analysis.flags.combinations.get(node)
        site = combined.place if combined is not None else None
        if site is None or flag >= flag_lattice.END or not flag_lattice.mixed(flag):
            return None
        return Related(*site, "termination and truncation are combined here")

    @cached_property
    def fields(self) -> frozenset[int]:
        """The nodes of what objects hold."""
        return frozenset(self.analysis.objects.fields.values())

    @cached_property
    def arrays(self) -> dict[int, int]:
        """By the node of the flags of an array's elements: that of the array."""
        return {flat: node for node, flat in self.analysis.arrays.flats.items()}

    # --- masks that no flag arrives at -------------------------------------------------------------

    def open_origin(self, node: int, negated: bool, here: Place) -> Site:
        """The place of the mask, when all that arrives there are parameters called like done that nobody fills."""
        analysis = self.analysis
        made: Site = None
        # by node: whether the way to it leads through a negation, and the first one's place
        ways: dict[int, tuple[bool, Site]] = {node: (negated, None)}

        def before(at: int) -> list[int]:
            through, place = ways[at]
            sources = analysis.inputs(at)
            if (negation := analysis.program.negation_at(at)) is not None:
                operand, site = negation
                sources, through, place = [operand], True, place or site
            ways.update(dict.fromkeys(sources, (through, place)))
            return sources

        for number, at in enumerate(reach([node], before)):
            if analysis.solver.is_widened(at) or number == UNFLAGGED:
                return None
            owner = analysis.program.owner(at)
            if before(at) or owner is None or (analysis.solver.held[at] and not analysis.solver.all(at, Object)):
                continue
            path, local = owner
            through, place = ways[at]
            survey = analysis.program.surveys[path]
            if local in survey.parameters and through and naming_conventions.done(survey.names.get(local, "")):
                made = made or place or here
            elif not analysis.solver.held[at]:
                return None
        return made


@dataclass(frozen=True, slots=True)
class Origins:
    """Where the flag of a mask comes from."""

    #: Where the mask is made, nearest first; None: a negation that takes a mask back to the flag.
    masks: list[Site]
    #: The stores that are nearest to the flag, or else what other files hand over, each with the flag's node.
    stores: list[tuple[Place, int]]
    #: Whether any flag comes from a program that runs the sink's file too.
    visible: bool
    #: They hand it over to be used at once: nothing keeps it.
    at_once: bool


class _State(NamedTuple):
    """A node on the way back from a mask, and what lies between."""

    node: int
    #: A store.
    stored: bool = False
    #: The end of a function that gave the flag back, but not yet its beginning.
    inside: bool = False
    #: The last store or argument so far.
    giver: Passage | None = None
    #: The objects that the way goes through; None: they do not matter.
    passed: Passed | None = None


class Slice:
    """What leads to a mask: found once, and asked by whoever judges the mask."""

    def __init__(self, provenance: Provenance, mask: int, leads: Callable[[int], bool] = flag_lattice.mixed) -> None:
        """Find where flags come into a mask; those count which `leads` is true of."""
        self._provenance = provenance
        self._analysis = provenance.analysis
        self._runs = provenance.running.with_file
        self._mask = mask
        self._leads = leads
        flat = self._analysis.arrays.flats.get(mask)
        self._entries = (
            list(dict.fromkeys(self._with_elements(mask, DEEPEST)))
            if flat is None
            else [edge.source for edge in self._analysis.solver.predecessors[flat]]
        )

    def _with_elements(self, node: int, depth: int) -> Iterator[int]:
        """A node, and the elements of the arrays it holds."""
        yield node
        for number in filter(self._analysis.objects.is_array, self._analysis.solver.all(node, Object)) if depth else ():
            for _, field in self._analysis.objects.owned.get(number, ()):
                yield from self._with_elements(field, depth - 1)

    # --- one flag ----------------------------------------------------------------------------------

    def entry(self, flag: int) -> int:
        """The node by which a flag came into the mask first."""
        flat = self._analysis.arrays.flats.get(self._mask)
        if flat is None:
            return next(node for node in self._entries if flag in self._analysis.solver.held[node])
        entry, _ = self._analysis.solver.reason(flat, flag)
        return entry

    def read_back(self, way: list[int]) -> Related | None:
        """Where a stored flag was last read out of what it was stored in, on its way to the mask."""
        for reader, node in zip((self._mask, *way), way):
            if node in self._provenance.fields:
                # the flags of an array are read where the array is
                reader = self._provenance.arrays.get(reader, reader)
                place, name = self._provenance.place(reader), self._provenance.name(reader)
                if place is not None:
                    return Related(*place, f"`{name}` is read back here" if name else "read back here")
        return None

    # --- all flags ---------------------------------------------------------------------------------

    def _leading(self, holds: Callable[[int], bool], bound: int = sys.maxsize) -> dict[int, list[Pred]]:
        """The nodes that bring such flags to the mask, depth-first, and the edges by which they come to each."""
        flags, predecessors = self._analysis.solver.flags, self._analysis.solver.predecessors
        edges: dict[int, list[Pred]] = {}

        def holding(node: int) -> bool:
            return any(map(holds, flags(node)))

        def before(node: int) -> list[int]:
            edges[node] = [edge for edge in predecessors[node] if holding(edge.source)]
            return [edge.source for edge in edges[node]]

        for _ in reach(filter(holding, self._entries), before, bound=bound):
            pass
        return edges

    @cached_property
    def _wrong(self) -> dict[int, list[Pred]]:
        """What brings the flags that count: as a rule, those that hold truncation, or a limit, beside termination."""
        return self._leading(self._leads)

    def wrong_nodes_before(self, stops: Callable[[int], bool]) -> Iterator[tuple[int, bool]]:
        """The nodes by which flags that count come to the mask, up to those that stop the search.

        Each comes with whether such a flag does not come to it from another one: it comes to be there.
        """

        def before(node: int) -> list[int]:
            return [] if stops(node) else [edge.source for edge in self._wrong[node]]

        nearest = reach(filter(self._wrong.__contains__, self._entries), before)
        return ((node, not self._wrong[node]) for node in nearest if not stops(node))

    def flag_sources(self, path: str) -> Iterator[int]:
        """The nodes that any flag comes from, in programs that run the file of this path too."""
        sources, nodes = self._analysis.flags.sources, self._leading(lambda _: True, BACKWARD)
        return (node for node in nodes if node in sources and self._runs(node, path))

    def nodes(self) -> list[int]:
        """The nodes by which flags come to the mask."""
        return list(self._leading(lambda _: True, BACKWARD))

    def terminated_arrives(self, path: str) -> bool:
        """Whether a flag that is *terminated* alone arrives, from a program that runs the file of this path too."""
        edges = self._leading(lambda flag: flag & flag_lattice.CAUSES == flag_lattice.TERMINATED)
        return any(self._runs(node, path) for node, before in edges.items() if not before)

    def choices_of_none(self, path: str, is_idle: Callable[[int, int], bool]) -> list[tuple[int, Place]]:
        """The tests, with their places, by which something is None that the mask asks for: `s is not None`.

        Args:
            path: of the file from which this is seen.
            is_idle: whether a value, by its number, comes to a node by ways alone that no program takes.
        """
        analysis = self._analysis
        if not analysis.flags.absences:
            return []
        asked = [
            edge.source for node in self._wrong for edge in analysis.solver.predecessors[node] if edge.way == "none"
        ]
        held = ((source, one) for source in asked for one in analysis.solver.all(source, ChosenNone))
        nones = [analysis.solver.get(number, ChosenNone) for source, number in held if not is_idle(source, number)]
        return sorted({(none.test, none.place) for none in nones if self._runs(none.test, path)})

    def origins(self, path: str) -> Origins:
        """Where the mask is made, and who stores the flag or hands it over, seen from the file of this path."""
        masks: list[Site] = []
        stores: dict[Place, int] = {}
        handed: dict[Place, int] = {}
        passed = self._provenance.receivers.start(self._mask, self._wrong)
        starts = [_State(node, passed=passed) for node in self._entries if node in self._wrong]
        # a limit alone is mixed with nothing
        visible = not starts
        for state in reach(starts, lambda one: self._before(one, path), bound=BACKWARD, breadth_first=True):
            if self._analysis.solver.is_widened(state.node):
                continue
            edges = self._wrong[state.node]
            for _, way, passage in edges:
                if way == "not" and passage is not None and not (masks and state.giver):
                    # a negation that takes a mask back to the flag makes no mask
                    is_mask = any(map(flag_lattice.keeps, self._analysis.solver.flags(state.node)))
                    masks.append(passage.place if is_mask else None)
            if not edges and self._runs(state.node, path):
                visible = True
                giver = state.giver
                # what another program gives to a store that both use is masked in that program's own files
                if giver is not None and giver.place is not None and self._runs(giver.node, path):
                    (stores if state.stored else handed).setdefault(giver.place, giver.node)
        # what another file hands over to be used at once is reported there, like what it stores
        return Origins(masks, sorted((stores or handed).items()), visible, at_once=not stores)

    def _before(self, state: _State, path: str) -> Iterator[_State]:
        """One step back. Whoever hands over what was read from a store has no part in it."""
        for source, way, passage in () if self._analysis.solver.is_widened(state.node) else self._wrong[state.node]:
            passed = self._provenance.receivers.back(state.passed, source, way) if state.passed else None
            if state.passed and not passed:
                continue  # it was put into another object than the one it is read from
            giver = passage if passage is not None and passage.place is not None else None
            if way == "store" and not state.stored:
                yield _State(source, stored=True, passed=passed)
                if giver is not None:
                    yield _State(source, stored=True, giver=giver, passed=passed)
                continue
            inside = way in ("return", "hand") or (state.inside and way not in ("argument", "store", "set"))
            gives = way == "store" or (way == "argument" and self._hands_over(state, giver, path))
            yield _State(source, state.stored, inside, giver if giver is not None and gives else state.giver, passed)

    def _hands_over(self, state: _State, giver: Passage | None, path: str) -> bool:
        """Whether the flag comes from this argument, seen from the file of this path."""
        elsewhere = giver is not None and giver.place is not None and giver.place.path != path
        return not state.inside and (state.stored or elsewhere)
