"""Whether all that is done with a stored flag, or the None that stands for it, is known.

What cuts one-step targets, and what hands it on. *terminated* in the place of a flag is a promise only if nothing else
asks the flag, or something of unknown purpose. So everything that reads it has to be of a known kind; what is of none
is told with its place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import chain
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from done_lint.analysis.solver import ALL, VALUES
from done_lint.analysis.transfer.library_functions import knows
from done_lint.analysis.values import (
    ClassRef,
    ContainerMethod,
    External,
    FunctionRef,
    Instance,
    Object,
    Partial,
    Place,
    RecordClass,
    ReplayMethod,
    Shape,
    Text,
    Value,
)
from done_lint.core.findings import Span
from done_lint.facts.provenance import FORWARD
from done_lint.facts.value_targets.target_masks import Cut
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY_NAME
from done_lint.flowgraph.readings import AS_TRUTH, AS_VALUE, FOR_TARGET, LEAVING_OUT, PRESENT
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import array_functions

if TYPE_CHECKING:
    from done_lint.analysis.call_graph import CallGraph
    from done_lint.analysis.context import Analysis

_FAR = "goes further than it is followed"
_OTHER = "is read for something else"
_DECIDES = "decides something else"
_STARRED = "is in rows that a star takes apart"
_PUT = "is put into what is not followed"
#: Functions that ask a value for nothing but its size or its type.
_SIZES = frozenset({"len", "isinstance", "type", "id"})
#: Attributes that tell of an array what it is, and nothing of what is in it.
_SHAPES = frozenset("shape dtype device ndim dim size numel maxlen clear T mT data values".split())
#: Of an object: the methods that `transfer.containers` follows, or that tell nothing.
_METHODS = (
    _SHAPES
    | array_functions.PASSING_METHODS
    | array_functions.PUTTING
    | array_functions.TAKING
    | array_functions.OVERWRITING
    | frozenset("items keys update setdefault _replace empty full qsize close join start rotate".split())
)
#: Methods that put what is in their argument into a container.
_ADDING = frozenset({"extend", "extendleft", "update"})
#: Functions that read all that an object has.
_WHOLE = array_functions.WRITING | {"vars", "asdict", "astuple"}
#: What a node holds of what changes: the flag itself, the None that stands for it, or a container of either.
_What = Literal["flag", "none", "box"]
#: How it may not be read, unless it cuts a target there.
_ASKED: dict[_What, tuple[int, ...]] = {
    "flag": (AS_VALUE, AS_TRUTH, FOR_TARGET),
    "none": (AS_VALUE, AS_TRUTH),
    "box": (AS_VALUE,),
}
#: What is called, where arguments reach parameters or stores.
_OWN = (ClassRef, ContainerMethod, FunctionRef, Partial, RecordClass, ReplayMethod)


class UnknownReadings:
    """Looks for readings of a flag of which nothing is known."""

    def __init__(self, analysis: Analysis, running: CallGraph, cuts: Iterable[Cut]) -> None:
        """Of a solved graph: what runs together, and all places that cut something."""
        self._running = running
        self._is_test = analysis.imports.is_test
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._arrays = analysis.arrays
        self._program = analysis.program
        self._all_cuts = cuts
        #: Tests among them run what the program does in an environment, and look at what it keeps.
        self._making = {made.place.path for made in analysis.envs.makes.values()}

    def first(self, source: int, reached: Collection[int], nones: frozenset[int] = frozenset()) -> str:
        """A reading of unknown purpose at nodes that the flag of `source` reaches, in one clause; empty: all are known.

        `nones` are the numbers of the Nones that it decides about. Not in tests, pages, and files that no program runs
        together with the flag's: they fill stores of their own, but for tests that make an environment.
        """
        if len(reached) >= FORWARD:
            return _FAR
        absent = {node for node, held in enumerate(self._solver.held) if nones.intersection(held)} if nones else set()
        if any(map(self._loses, absent)):
            return _FAR
        boxes = self._boxes({*reached, *absent})
        flags = {*reached, *(node for node, flat in self._arrays.flats.items() if flat in reached)}
        known = flags | absent | self._holding(boxes, Object)
        for node in sorted(known | self._holding(boxes, Instance)):
            owner = self._program.owner(node)
            if owner is not None and self._meets(source, owner.path):
                survey, base = self._program.surveys[owner.path], self._program.bases[owner.path]
                what: _What = "flag" if node in flags else "none" if node in absent else "box"
                found = self._unknown(survey, base, owner.node, known, what) if node in known else ()
                for at, word in chain(found, self._shown_whole(survey, base, owner.node)):
                    where = "" if at is None else f" ({PurePath(owner.path).name}:{at.row})"
                    return f"{word}{where}"
        return ""

    def _loses(self, node: int) -> bool:
        """Whether a None goes on to where too much meets to follow it."""
        ways = self._solver.successors[node].items()
        return any(mode in (ALL, VALUES) and self._solver.is_widened(after) for after, mode in ways)

    def _meets(self, source: int, path: str) -> bool:
        """Whether the code of a file may read what comes from a node."""
        if (self._is_test(path) and path not in self._making) or self._program.surveys[path].page:
            owner = self._program.owner(source)
            return owner is not None and owner.path == path
        return self._running.with_file(source, path)

    # --- what holds the flag -----------------------------------------------------------------------

    def _holding(self, boxes: Iterable[int], kind: type[Value]) -> set[int]:
        """The nodes that hold what holds the flag, of one kind."""
        return {node for box in boxes if isinstance(self._solver.value(box), kind) for node in self._holders[box]}

    def _boxes(self, reached: Collection[int]) -> set[int]:
        """The containers and the instances that hold the flag, and those that hold these."""
        found: set[int] = set()
        waiting = list(reached)
        while waiting:
            box = self._owners.get(waiting.pop())
            if box is not None and box not in found:
                found.add(box)
                waiting += self._holders[box]
        return found

    @cached_property
    def _owners(self) -> dict[int, int]:
        """The container or instance that a field belongs to."""
        return {field: number for number, fields in self._objects.owned.items() for _, field in fields}

    @cached_property
    def _holders(self) -> dict[int, list[int]]:
        """The nodes that hold each container, or instance."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        objects = self._solver.of_kinds(Object, Instance)
        for node, held in enumerate(self._solver.held):
            for number in objects.intersection(held) if held else ():
                found[number].append(node)
        return found

    # --- what is done with it ----------------------------------------------------------------------

    def _unknown(
        self, survey: Survey, base: int, node: int, known: set[int], what: _What
    ) -> Iterator[tuple[Span | None, str]]:
        """The readings of a node that are of no known kind."""
        is_flag = what == "flag"
        readings = self._read.get(base + node, ())
        spared = {at for how, at in readings if how == LEAVING_OUT or (how == PRESENT and what == "none")}
        for how, at in readings:
            cuts = how == FOR_TARGET and is_flag and self._is_cut(survey.path, base + node, at)
            if not cuts and at not in spared and how in _ASKED[what]:
                yield at, _OTHER if how == AS_VALUE else _DECIDES
        for one in survey.waiting.get(node, ()):
            if isinstance(one, ops.Unpack):
                yield from [(one.at, _STARRED)] if one.star >= 0 and not is_flag else ()
            elif isinstance(one, (ops.Combination, ops.Rounded)) and not (what == "box" and _asks_for_any(node, one)):
                followed = base + one.result in known or self._cuts(survey, base, node, one)
                word = _DECIDES if isinstance(one, ops.Choice) and one.test == node else _OTHER
                yield from () if followed else [(survey.places.get(one.result), word)]
        # a None has no attributes: what asks for them knows that none stands there
        for read in survey.naming.get(node, ()) if what != "none" else ():
            if isinstance(read, ops.Attribute) and not self._is_followed(read, base, is_flag=is_flag):
                yield survey.places.get(read.target), f"is asked for its `{read.name}`"
        yield from self._handed(survey, base, node, known, what)

    def _handed(
        self, survey: Survey, base: int, node: int, known: set[int], what: _What
    ) -> Iterator[tuple[Span | None, str]]:
        """Where it is handed to what nobody follows."""
        for call, at in self._given.get(base + node, ()):
            if what == "none" and (PRESENT, at) in self._read.get(base + node, ()):
                continue
            places = (at, call.at)  # that of `setattr(row, "done", done)` is the whole call
            followed = base + call.result in known or any(self._goes_on(survey, base + node, one) for one in places)
            followed = followed or self._takes(base, call, what)
            if not followed or self._asks(base, call):
                yield call.at, f"is handed to `{self._name(survey, base, call)}`, which is not followed"
        for at in self._set.get(base + node, ()):
            if not self._goes_on(survey, base + node, at):
                yield at, _PUT

    def _shown_whole(self, survey: Survey, base: int, node: int) -> Iterator[tuple[Span | None, str]]:
        """Where all attributes of what holds the flag are read at once, or one whose name is computed."""
        for read in survey.naming.get(node, ()):
            if isinstance(read, ops.Attribute) and read.name == "__dict__":
                yield survey.places.get(read.target), "is asked for its `__dict__`"
        for call, _ in self._given.get(base + node, ()):
            name = self._name(survey, base, call)
            asked = call.args[1].node if name == "getattr" and len(call.args) > 1 else 0
            if name in _WHOLE or (asked and not self._solver.all(base + asked, Text)):
                yield call.at, f"is handed to `{name}`, which is not followed"

    def _cuts(self, survey: Survey, base: int, node: int, one: ops.Combination | ops.Rounded) -> bool:
        """Whether an operation masks or chooses a one-step target by a node."""
        if isinstance(one, ops.Times):
            spans = [factor.span for factor in survey.products[one.index].factors if factor.node == node]
            return any(self._is_cut(survey.path, base + node, at) for at in spans)
        return isinstance(one, ops.Choice) and one.test == node and self._is_cut(survey.path, base + node, one.at)

    def _is_cut(self, path: str, node: int, at: Span) -> bool:
        """Whether a one-step target is cut by a node at a place."""
        return any(cut.within(at) or at.within(cut) for cut in self._targets.get((path, node), ()))

    @cached_property
    def _targets(self) -> dict[tuple[str, int], list[Span]]:
        found: defaultdict[tuple[str, int], list[Span]] = defaultdict(list)
        for cut in self._all_cuts:
            if cut.kind != "recursion" and cut.form:
                found[cut.place.path, cut.node].append(cut.place.span)
        return found

    def _is_followed(self, read: ops.Attribute, base: int, *, is_flag: bool) -> bool:
        """Whether an attribute of a flag, or of what holds it, tells nothing else."""
        if is_flag:
            return read.name in array_functions.PASSING_METHODS or read.name in _METHODS
        objects = (self._solver.get(one, Object) for one in self._solver.all(base + read.source, Object))
        record = all(one.shape is Shape.RECORD for one in objects) and not read.name.startswith("_")
        return record or read.name in _METHODS

    def _takes(self, base: int, call: ops.Call | ops.LibraryCall, what: _What) -> bool:
        """Whether a call asks for no flag, or what it asks for is followed from what holds the flag."""
        held = self._solver.held[base + call.called]
        called = [self._solver.value(number) for number in held]
        names = {one.dotted.rpartition(".")[2] for one in called if isinstance(one, External)}
        if what == "none" and names & _SIZES:
            return False
        if what == "flag" or not called:
            # what is added to a list goes into its fields, one by one
            adds = any(isinstance(one, ContainerMethod) and one.name in _ADDING for one in called)
            return adds or (bool(names) and names <= _SIZES)
        if "setattr" in names:
            # columns whose names are computed
            return bool(self._solver.all(base + call.args[0].node, Instance))
        followed = all(name in _SIZES or (knows(name) and name not in array_functions.CONDENSING) for name in names)
        return followed and (bool(names) or any(isinstance(one, _OWN) for one in called))

    def _asks(self, base: int, call: ops.Call | ops.LibraryCall) -> bool:
        """`sorted(rows, key=is_last)`, `map(itemgetter(4), rows)`: a library gets a function that nobody follows."""
        if not self._solver.values(base + call.called, External):
            return False
        asking = self._solver.values(base + call.args[0].node, External) if call.args and call.args[0].node else ()
        names = (one.dotted.rpartition(".")[2] for one in asking)
        return any(one.name == "key" for one in call.keywords) or not all(map(knows, names))

    def _goes_on(self, survey: Survey, node: int, at: Span | None) -> bool:
        """Whether a node is handed on at a place."""
        targets = (self._solver.predecessors[target] for target in self._solver.successors[node])
        passages = (edge.passage for edges in targets for edge in edges if edge.source == node)
        return any(one is not None and one.place == Place(survey.path, at) for one in passages if at is not None)

    def _name(self, survey: Survey, base: int, call: ops.Call | ops.LibraryCall) -> str:
        names = (one.dotted.rpartition(".")[2] for one in self._solver.values(base + call.called, External))
        return survey.names.get(call.called) or next(names, "a function")

    # --- by node, what surveys do not file there ---------------------------------------------------

    @cached_property
    def _read(self) -> dict[int, list[tuple[int, Span]]]:
        """How expressions are read that are not handed on."""
        found: defaultdict[int, list[tuple[int, Span]]] = defaultdict(list)
        for path, survey in self._program.surveys.items():
            how = defaultdict[Span, list[int]](list)
            for at, one in survey.readings:
                how[at].append(one)
            rows = [*survey.uses, *((survey.places.span(row), one) for row, one in enumerate(survey.places.nodes))]
            for at, node in dict.fromkeys((at, node) for at, node in rows if at in how):
                found[self._program.bases[path] + node] += ((one, at) for one in how[at])
        return found

    @cached_property
    def _given(self) -> dict[int, list[tuple[ops.Call | ops.LibraryCall, Span | None]]]:
        """The calls that a node is an argument of."""
        found: defaultdict[int, list[tuple[ops.Call | ops.LibraryCall, Span | None]]] = defaultdict(list)
        for path, survey in self._program.surveys.items():
            for call in survey.calls():
                given = [(one.node, one.span) for one in call.args] + [(one.node, one.span) for one in call.keywords]
                for node, at in given:
                    if node:
                        found[self._program.bases[path] + node].append((call, at))
        return found

    @cached_property
    def _set(self) -> dict[int, list[Span]]:
        """Where a node is put into an attribute, or an item."""
        found: defaultdict[int, list[Span]] = defaultdict(list)
        for path, survey in self._program.surveys.items():
            # a name that is computed stands in a call
            puts = [(one.value, one.at) for one in survey.waits(ops.SetAttribute) if one.name != ANY_NAME]
            for node, at in puts + [(one.value, one.at) for one in survey.waits(ops.SetItem)]:
                found[self._program.bases[path] + node].append(at)
        return found


def _asks_for_any(node: int, one: ops.Combination | ops.Rounded) -> bool:
    """Whether an operation asks a container of rows only whether there are any: `max(w) if self.rows else 1.0`."""
    if isinstance(one, ops.Choice):
        return one.test == node and node not in (one.a, one.b)
    return isinstance(one, ops.Not)
