"""Whether a flag that is read out of an object was put into this object, or into another one of the same class.

All instances of a class are one value of the solver, so that what one agent puts into its buffer seems to come out of
every buffer of that class. The objects are told apart here, by where they are made: who reads calls a method of the
one, and who writes a method of the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import ClassRef, FunctionRef, Instance, Way
from done_lint.core.reach import reach

if TYPE_CHECKING:
    from done_lint.analysis.call_graph import CallGraph
    from done_lint.analysis.context import Analysis

#: How far back it is looked for where an object is made.
_BOUND = 500
_UNKNOWN: frozenset[int] = frozenset()


class Passed(NamedTuple):
    """Where a way back from a mask stands."""

    #: The function of the last node; a field is in none.
    home: FunctionId
    #: Where the objects are made that the way is inside of; of those of other classes nothing is known.
    made: frozenset[int] = _UNKNOWN


class Receivers:
    """Follows ways into objects and out of them, once all is solved."""

    def __init__(self, at: Analysis, running: CallGraph) -> None:
        """Of a solved graph."""
        self._at = at
        self._running = running
        self._homes: dict[int, FunctionId | None] = {}
        self._asked: dict[tuple[FunctionId, FunctionId], frozenset[int]] = {}

    def start(self, node: int, nodes: Iterable[int]) -> Passed | None:
        """The beginning of a way back from a mask, if it matters by what objects it goes.

        Args:
            node: the mask.
            nodes: all that lies on some such way.
        """
        home = self._home(node)
        if home is None or not self._methods or not any(self._home(one) in self._methods for one in nodes):
            return None
        return Passed(home)

    def back(self, passed: Passed, source: int, way: Way) -> Passed | None:
        """One edge back, to its source; None: what is there was put into another object."""
        home, made = self._home(source), passed.made
        if home is None or home == passed.home:
            return passed
        if way == "argument":
            written = self._objects(home, passed.home)
            classes = {self._makers[one] for one in written}
            read = frozenset(one for one in made if self._makers[one] in classes)
            if read and not read & written:
                return None
            return Passed(home, made - read)
        return Passed(home, made | self._objects(passed.home, home))

    def _objects(self, caller: FunctionId, method: FunctionId) -> frozenset[int]:
        """Where the objects are made whose method a function calls; nothing: not all can be told."""
        if (caller, method) not in self._asked:
            found = [self._made(node) for node in self._methods.get(method, {}).get(caller, ())]
            self._asked[caller, method] = _UNKNOWN.union(*found) if all(found) else _UNKNOWN
        return self._asked[caller, method]

    def _made(self, node: int) -> frozenset[int]:
        """The calls of classes that the instances at a node come from; nothing: some come from elsewhere."""
        solver = self._at.solver
        found: set[int] = set()
        for number in solver.all(node, Instance):
            for count, at in enumerate(reach([node], partial(self._origins, number))):
                if solver.value(number) in self._makers.get(at, ()):
                    found.add(at)
                elif count == _BOUND or not solver.origins(at, number):
                    return _UNKNOWN
        return frozenset(found)

    def _origins(self, number: int, node: int) -> list[int]:
        return self._at.solver.origins(node, number)

    def _home(self, node: int) -> FunctionId | None:
        """The function that a node was made in; None: it is a field."""
        if node not in self._homes:
            owner = self._at.program.owner(node)
            self._homes[node] = self._running.home(*owner) if owner is not None else None
        return self._homes[node]

    @cached_property
    def _makers(self) -> dict[int, frozenset[Instance]]:
        """By the node of what a call of a class gives: the instances."""
        found: dict[int, frozenset[Instance]] = {}
        for node, _, called in self._at.program.calls():
            if classes := self._at.solver.values(called, ClassRef):
                found[node] = frozenset(Instance(one.path, one.index) for one in classes)
        return found

    @cached_property
    def _methods(self) -> dict[FunctionId, dict[FunctionId, list[int]]]:
        """The methods of classes of which several objects are made: by who calls them, the nodes of these objects."""
        program, found = self._at.program, dict[FunctionId, dict[FunctionId, list[int]]]()
        several = self._several
        for node, _, called in program.calls() if several else ():
            functions = self._at.solver.values(called, FunctionRef)
            bound = [one for one in functions if one.bound is not None and self._at.solver.value(one.bound) in several]
            read, caller = program.attribute_at(called), self._home(node)
            if bound and read is not None and caller is not None:
                for one in bound:
                    found.setdefault(FunctionId(one.path, one.index), {}).setdefault(caller, []).append(read[0])
        return found

    @cached_property
    def _several(self) -> set[Instance]:
        """The instances that are made in several places."""
        counts = Counter(one for made in self._makers.values() for one in made)
        return {one for one, count in counts.items() if count > 1}
