"""Propagates values over the joined graph of all surveys until nothing changes.

The solver is a field-sensitive points-to analysis in which flags, environments and objects are values in the same
nodes, and calls resolve on the fly. Every value is a small integer, its index in `Solver.interned`; the first of them
are the elements of the lattice of flags. A set of them is gone through in the order of the numbers: its own order
changes when a file that has nothing to do with it makes all numbers larger. Operations that take something away
(narrowings) wait in a second queue until the first is empty, because they are not monotone.
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Set
from itertools import islice
from typing import NamedTuple, NoReturn, TypeVar

from done_lint.analysis import flag_lattice
from done_lint.analysis.edges import Edges, with_edge
from done_lint.analysis.room import FEW, Room
from done_lint.analysis.values import (
    ChoiceMark,
    ChosenNone,
    Count,
    Environment,
    Flag,
    Instance,
    MaskedMark,
    Object,
    Passage,
    Pred,
    ProductMark,
    StepValue,
    Text,
    Value,
    Way,
)
from done_lint.knowledge.env_apis import Api

#: How an edge carries values.
ALL, VALUES, FLAGS, NEGATED, MARKS, ELEMENTS, TERMS, OTHERS, MADE = range(9)
#: Where a flag is another value behind the edge.
_CHANGING = (NEGATED, ELEMENTS)
#: Those that an annotation or a test may refuse.
_CHOSEN: frozenset[type[Value]] = frozenset({Environment, Instance})
#: Kinds of values of which is asked how they came to a node, as it is of flags.
_TRACED: frozenset[type[Value]] = frozenset({Text, ChosenNone})
_MARKS: frozenset[type[Value]] = frozenset({ProductMark, ChoiceMark, MaskedMark})
#: What an edge for values carries, beside flags.
_CARRIED = _MARKS | {Object, Count, StepValue}
#: What arithmetic leaves what it is.
_SCALED = _MARKS | {StepValue}
#: What an edge carries beside flags, where it does not carry all: a sum of rewards is not what one step gave.
_BY_MODE: dict[int, frozenset[type[Value]]] = {
    VALUES: _CARRIED,
    FLAGS: frozenset({StepValue}),
    NEGATED: frozenset({StepValue}),
    MARKS: _SCALED,
    ELEMENTS: frozenset(),
    TERMS: frozenset({ProductMark}),
    # all but environments and instances; nothing but these
    OTHERS: frozenset(),
    MADE: _CHOSEN,
}
#: So many bits have the numbers of values.
_BITS = 32

V = TypeVar("V", bound=Value)
_tuple = tuple.__new__

#: What a node has that has nothing: the same for all of them, and never changed.
_NO_VALUES: tuple[int, ...] = ()
_NO_EDGES: Edges = {}
_NO_PREDECESSORS: list[Pred] = []
_NO_WATCHERS: list[Callable[[int], None]] = []


def forbid(part: object, *methods: str) -> None:
    """Let a part refuse to be changed: attributes of the object cost nothing before they are set."""
    for name in methods:
        setattr(part, name, _refuse)


def _refuse(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("the graph is solved and frozen: it can only be read")


class Pin(NamedTuple):
    """The API that an annotation (or a test of the value itself) names, once it is known."""

    #: What is named; of a class whose bases are not known yet nothing is said.
    named: Callable[[], Api | None]
    tested: bool

    @property
    def api(self) -> Api | None:
        """The API, as far as it is known by now."""
        return self.named()

    def admits(self, api: Api) -> bool:
        """Whether an environment of another API may stand here all the same.

        What passed a test is what the test asked for. An annotation `gym.Env` is weaker than what visibly arrives:
        it is also written for environments that still answer as old Gym did.
        """
        named = self.api
        if named is None:
            return True
        if api.vector != named.vector:
            return False
        return api.step == named.step or (named.five and not self.tested)


class Solver:
    """Nodes, edges, values and the two queues; what operations mean stands in `transfer`.

    What belongs to a node stands in one list a question, not in an object a node: there are a hundred thousand of them.
    """

    def __init__(self) -> None:
        """An empty graph."""
        #: Every value by its number, and the other way round (but for flags, which are their own numbers).
        self.interned: list[Value] = [Flag(bits) for bits in range(flag_lattice.END)]
        self.numbers: dict[Value, int] = {}
        #: The numbers of the nodes.
        self._nodes: list[int] = []
        # By node. Most nodes never have any of these.
        #: The values of a node, each once, in order: a set of nine takes five times as much memory.
        self.held: list[tuple[int, ...]] = []
        #: By value, what all nodes hold that hold nothing else: the same for all of them.
        self._alone: dict[int, tuple[int, ...]] = {}
        self.successors: list[Edges] = []
        self.predecessors: list[list[Pred]] = []
        self.watchers: list[list[Callable[[int], None]]] = []
        #: The same of those that only objects matter to, by a number that tells `react_to_object` which one it is:
        #: thousands of operations may wait at one place, and half a million in a large library.
        self._object_watchers: dict[int, list[int]] = {}
        self.react_to_object: Callable[[int, int], None] | None = None
        #: By node, how it leads to those that load from it: the same for all of them.
        self._loads: dict[int, Pred] = {}
        #: By node, whether surveys have something that reacts to every value of it; and what does that.
        self.reacting = bytearray()
        self.react: Callable[[int, int], None] | None = None
        #: See `reason`: by node and value in one number, the node before, and what the value was there if it was not
        #: the same. There are half a million of them in a large library.
        self._reasons: dict[int, int | tuple[int, int]] = {}
        self.room = Room(self.interned)
        #: Nodes whose API an annotation or a test names, and those where an environment of another one arrived.
        self.pinned: dict[int, Pin] = {}
        self.refused: dict[int, set[int]] = {}
        #: Nodes where an annotation chooses one of the project's classes, and which instances may arrive there.
        self.chosen: dict[int, Callable[[Instance], bool]] = {}
        #: Nodes of the bases of classes, and how many values have come to them.
        self.ancestors: set[int] = set()
        self.ancestry = 0
        #: Values on their way: the node, the value, and how many of the node's edges and watchers wait for it.
        self._queue: deque[tuple[int, int, int, int, int]] = deque()
        self._later: list[int] = []
        self._waiting: set[int] = set()
        #: How many nodes the surveys have, which come first: files by path, in each file as it was surveyed.
        self.surveyed = 0
        #: Narrowings by the node of what they give.
        self.narrowings: dict[int, Callable[[], None]] = {}

    # --- nodes and values --------------------------------------------------------------------------

    def add_nodes(self, count: int) -> int:
        """Room for the nodes of one more survey; the number of the first."""
        self.held += [_NO_VALUES] * count
        self.successors += [_NO_EDGES] * count
        self.predecessors += [_NO_PREDECESSORS] * count
        self.watchers += [_NO_WATCHERS] * count
        self.reacting += bytes(count)
        self._nodes += range(len(self._nodes), len(self.held))
        self.surveyed = len(self.held)
        return self.surveyed - count

    def add_node(self) -> int:
        """Room for one more node: its number."""
        self.held.append(_NO_VALUES)
        self.successors.append(_NO_EDGES)
        self.predecessors.append(_NO_PREDECESSORS)
        self.watchers.append(_NO_WATCHERS)
        self.reacting.append(0)
        self._nodes.append(len(self._nodes))
        return self._nodes[-1]

    def intern(self, value: Value) -> int:
        """The number of a value."""
        # one look-up: values hash themselves in Python
        number = self.numbers.setdefault(value, len(self.interned))
        if number == len(self.interned):
            self.interned.append(value)
        return number

    def find(self, value: Value) -> int | None:
        """The number of a value, if it has one."""
        return self.numbers.get(value)

    def value(self, number: int) -> Value:
        """The value of a number."""
        return self.interned[number]

    def get(self, number: int, kind: type[V]) -> V:
        """The value of a number that is known to be of a kind."""
        value = self.interned[number]
        assert isinstance(value, kind)
        return value

    def all(self, node: int, kind: type[Value]) -> list[int]:
        """The numbers of the node's values of one kind, those that were known first before the others."""
        interned = self.interned
        return [number for number in self.held[node] if isinstance(interned[number], kind)]

    def values(self, node: int, kind: type[V]) -> list[V]:
        """The node's values of one kind, those that were known first before the others."""
        interned, held = self.interned, self.held[node]
        # most nodes hold nothing
        return [value for number in held if isinstance(value := interned[number], kind)] if held else []

    def of_kinds(self, *kinds: type[Value]) -> frozenset[int]:
        """The numbers of all values of some kinds: a node that holds none of them is passed over at once."""
        return frozenset(number for number, value in enumerate(self.interned) if isinstance(value, kinds))

    def chosen_of(self, kind: type[V], is_wanted: Callable[[V], bool]) -> frozenset[int]:
        """The numbers of those values of one kind that a question is about: one look for each call or argument."""
        every = enumerate(self.interned)
        return frozenset(number for number, value in every if isinstance(value, kind) and is_wanted(value))

    def holds(self, node: int, numbers: Set[int]) -> bool:
        """Whether a node has any of these values: most nodes hold nothing."""
        held = self.held[node]
        return bool(held) and not numbers.isdisjoint(held)

    def flags(self, node: int) -> list[int]:
        """The flags of a node itself."""
        return [t for t in self.held[node] if t < flag_lattice.END]

    def add(self, node: int, number: int, source: int = -1, origin: int = -1) -> None:
        """Put a value into a node; `source` and `origin` say where it came from."""
        held = self.held[node]
        place = bisect_right(held, number)
        if held and held[place - 1] == number:
            return
        kind = type(self.interned[number])
        if number < flag_lattice.END:
            self._reasons[node << _BITS | number] = source if origin in (number, -1) else (source, origin)
        else:
            if kind in _CHOSEN and self._refuses(node, number):
                return
            # there is room for all where there are few
            if len(held) >= FEW and not self.room.admits(node, number, held):
                return
            if kind in _TRACED:
                self._reasons[node << _BITS | number] = source if origin in (number, -1) else (source, origin)
        if held:
            self.held[node] = (*held[:place], number, *held[place:])
        else:
            alone = self._alone.get(number)
            self.held[node] = self._alone.setdefault(number, (number,)) if alone is None else alone
        if node in self.ancestors:
            self.ancestry += 1
        # what is connected to the node later asks for itself what the node holds
        edges, watchers = self.successors[node], self.watchers[node]
        objects = self._object_watchers.get(node, ()) if kind is Object else ()
        if edges or watchers or objects or self.reacting[node]:
            self._queue.append((node, number, len(edges), len(watchers), len(objects)))

    def _refuses(self, node: int, number: int) -> bool:
        """Whether an annotation or a test lets no such environment or instance stand at a node."""
        value = self.interned[number]
        if isinstance(value, Environment) and node in self.pinned and not self.pinned[node].admits(value.api):
            self.refused.setdefault(node, set()).add(number)
            return True
        return isinstance(value, Instance) and node in self.chosen and not self.chosen[node](value)

    def is_widened(self, node: int) -> bool:
        """Whether a node is widened to unknown, for it holds so many objects."""
        return self.room.is_used_up(self.held[node])

    def edge(
        self, source: int, target: int, mode: int = ALL, way: Way = "flow", passage: Passage | None = None
    ) -> None:
        """Values flow from `source` to `target` from now on."""
        known = self.successors[source]
        if target in known or source == target:
            return
        # each edge keeps both numbers: the same objects for all edges of a node
        source, target = self._nodes[source], self._nodes[target]
        self.successors[source] = with_edge(known, target, mode)
        self.precede(target, source, way, passage)
        for number in self.held[source]:
            self._carry(source, target, mode, number)

    def precede(self, target: int, source: int, way: Way, passage: Passage | None = None) -> None:
        """`target` depends on `source`, though no value flows from one to the other by itself."""
        if way == "load" and passage is None:
            known = self._loads.get(source)
            pred = self._loads.setdefault(source, Pred(source, way, None)) if known is None else known
        else:
            # the constructor of a named tuple is a call of its own
            pred = _tuple(Pred, (source, way, passage))
        if before := self.predecessors[target]:
            before.append(pred)
        else:
            self.predecessors[target] = [pred]

    def _carry(self, source: int, target: int, mode: int, number: int) -> None:
        if mode == ALL or (mode == OTHERS and type(self.interned[number]) not in _CHOSEN):
            self.add(target, number, source, number)
        elif number < flag_lattice.END:
            if mode == NEGATED:
                self.add(target, flag_lattice.negated(number), source, number)
            elif mode == ELEMENTS:
                self.add(target, number & ~flag_lattice.ARRAY, source, number)
            elif mode not in (MARKS, TERMS, MADE):
                self.add(target, number, source, number)
        elif type(self.interned[number]) in _BY_MODE[mode]:
            self.add(target, number, source, number)

    def origins(self, node: int, number: int) -> list[int]:
        """The nodes that a value came to a node from; none where it begins there."""
        return [edge.source for edge in self.predecessors[node] if number in self.held[edge.source]]

    def reason(self, node: int, number: int) -> tuple[int, int]:
        """Where a flag, a string or the None of a choice came from first: the node before, and what it was there.

        The node is negative where the value begins.
        """
        known = self._reasons.get(node << _BITS | number, -1)
        return known if isinstance(known, tuple) else (known, number)

    def is_carried(self, number: int) -> bool:
        """Whether an edge for values carries a value."""
        return number < flag_lattice.END or type(self.interned[number]) in _CARRIED

    def watch(self, node: int, react: Callable[[int], None]) -> None:
        """Call `react` with every value that the node holds or will hold."""
        watchers = self.watchers[node]
        if watchers:
            watchers.append(react)
        else:
            self.watchers[node] = [react]
        for number in self.held[node]:
            react(number)

    def watch_objects(self, node: int, watcher: int) -> None:
        """Call `react_to_object` with this number and every object that the node holds or will hold."""
        self._object_watchers.setdefault(node, []).append(watcher)
        for number in self.all(node, Object):
            self._tell([watcher], number)

    def _tell(self, watchers: list[int], number: int) -> None:
        if self.react_to_object is not None:
            for watcher in watchers:
                self.react_to_object(watcher, number)

    def freeze(self) -> None:
        """Refuse every change from now on: what is solved is only read, and nodes that hold the same share it.

        The reactions and choices are dropped: they hold the analysis, which is freed without them as soon as it was
        read.
        """
        self.watchers.clear()
        self._object_watchers.clear()
        self._loads.clear()
        self.react = self.react_to_object = None
        self.narrowings.clear()
        self.chosen.clear()
        self.pinned.clear()
        self._alone.clear()
        same: dict[tuple[int, ...], tuple[int, ...]] = {}
        self.held = [same.setdefault(held, held) for held in self.held]
        forbid(
            self,
            "add_nodes",
            "add_node",
            "intern",
            "add",
            "edge",
            "precede",
            "watch",
            "watch_objects",
            "narrowing",
            "postpone",
            "run",
        )

    # --- queues ------------------------------------------------------------------------------------

    def narrowing(self, result: int, inputs: Iterable[int], evaluate: Callable[[], None]) -> None:
        """An operation that must wait until its inputs are complete.

        Several that wait are done in the order of the surveys, not in that in which they were added. One may take away
        what another needs, so nodes that are added while solving, whose numbers depend on that, can have none.

        Raises:
            ValueError: the result is no node of a survey.
        """
        if result >= self.surveyed:
            raise ValueError(f"node {result} is of no survey")
        self.narrowings[result] = evaluate

        def wake(_: int) -> None:
            self._wait(result)

        for node in set(inputs):
            self.watch(node, wake)

    def postpone(self, node: int, evaluate: Callable[[], None]) -> None:
        """Do something about a node of a survey once all that is on its way now has arrived, after what waits there.

        Raises:
            ValueError: it is no node of a survey.
        """
        before = self.narrowings.get(node)

        def both() -> None:
            if before is not None:
                before()
            evaluate()

        self.narrowing(node, (), both)
        self._wait(node)

    def _wait(self, result: int) -> None:
        if result not in self._waiting:
            self._waiting.add(result)
            heapq.heappush(self._later, result)

    def run(self) -> None:
        """Propagate until nothing changes."""
        queue, later, reacting = self._queue, self._later, self.reacting
        while queue or later:
            while queue:
                node, number, edges, watchers, objects = queue.popleft()
                if edges:
                    self._flow(node, number, edges)
                if reacting[node] and self.react is not None:
                    self.react(node, number)
                if watchers:
                    for react in self.watchers[node][:watchers]:
                        react(number)
                if objects:
                    self._tell(self._object_watchers[node][:objects], number)
            self._narrow()

    def _flow(self, node: int, number: int, edges: int) -> None:
        """Carry a value along the first edges of a node: most of what is carried has arrived before."""
        held = self.held
        # carrying a value makes no edges
        for target, mode in islice(self.successors[node].items(), edges):
            if mode in _CHANGING:
                self._carry(node, target, mode, number)
            elif not (known := held[target]) or known[bisect_right(known, number) - 1] != number:
                if mode:
                    self._carry(node, target, mode, number)
                else:
                    self.add(target, number, node, number)

    def _narrow(self) -> None:
        """Do the first narrowing that waits, if there is one."""
        if self._later:
            number = heapq.heappop(self._later)
            self._waiting.discard(number)
            self.narrowings[number]()
