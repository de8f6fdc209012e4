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
from done_lint.analysis.values import ClassRef, FunctionRef, Instance, Object, Way
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops

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
    #: The same of objects whose methods gave away a list that was read elsewhere: until the way goes into another one.
    lent: frozenset[int] = _UNKNOWN


class Receivers:
    """Follows ways into objects and out of them, once all is solved."""

    def __init__(self, at: Analysis, running: CallGraph) -> None:
        """Of a solved graph."""
        self._at = at
        self._running = running
        self._homes: dict[int, FunctionId | None] = {}
        self._asked: dict[tuple[FunctionId, FunctionId, int], frozenset[int]] = {}
        self._lending: dict[tuple[FunctionId, int], frozenset[int] | None] = {}
        self._held: dict[int, dict[FunctionId, list[int]]] = {}

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
        if home is None:
            container = self._containers.get(source)
            return passed if container is None else passed._replace(lent=self._lent(passed.home, container))
        if home == passed.home:
            return passed
        if way == "argument":
            written = self._objects(home, passed.home, source)
            classes = {self._makers[one] for one in written}
            read = frozenset(one for one in made | passed.lent if self._makers[one] in classes)
            if read and not read & written:
                return None
            return Passed(home, made - read, passed.lent - read)
        # where it is known whose list is read, who reads it may store in others
        called = _UNKNOWN if way == "store" and passed.lent else self._objects(passed.home, home)
        return Passed(home, made | called, passed.lent)

    def _lent(self, home: FunctionId, container: int) -> frozenset[int]:
        """Where the objects are made whose methods gave a list to a function; nothing: it has it from elsewhere, too.

        Nothing either where some function may put elements of one object's list into another's.
        """
        found = self._lenders(home, container) if home in self._holders(container) else None
        if not found:
            return _UNKNOWN
        others = (self._lenders(one, container) for one in self._holders(container))
        return found if all(one is not None and (one <= found or not one & found) for one in others) else _UNKNOWN

    def _lenders(self, home: FunctionId, container: int) -> frozenset[int] | None:
        """The objects that gave a list to a function; none: a method has its own one's; None: not all are known."""
        if (home, container) not in self._lending:
            self._lending[home, container] = self._find_lenders(home, container)
        return self._lending[home, container]

    def _find_lenders(self, home: FunctionId, container: int) -> frozenset[int] | None:
        program, survey = self._at.program, self._at.program.surveys[home.path]
        is_method = home.number >= 0 and survey.functions[home.number].owner >= 0
        found: set[int] = set()

        def inside(node: int) -> bool:
            return self._home(node) in (None, home)

        def before(node: int) -> list[int]:
            own = not inside(node) or program.attribute_at(node) is not None
            # a slice is the list that it is read of
            return [] if own else self._at.solver.origins(node, container) or self._at.program.wholes.get(node, [])

        for count, node in enumerate(reach(self._holders(container)[home], before)):
            if count == _BOUND:
                return None
            if not inside(node):
                method = self._home(node)
                objects = self._objects(home, method) if method is not None else _UNKNOWN
                if not objects:
                    return None
                found |= objects
            elif (read := program.attribute_at(node)) is not None:
                if not program.method_with(read[0]):
                    return None
            elif not is_method and not before(node):
                return None  # each object has a list of its own, unless it is made outside of them
        return frozenset(found)

    def _holders(self, container: int) -> dict[FunctionId, list[int]]:
        """By function, its nodes that hold a list."""
        if container not in self._held:
            found = self._held[container] = dict[FunctionId, list[int]]()
            held = self._at.solver.held
            for path, base in self._at.program.bases.items():
                for node in range(base, base + self._at.program.surveys[path].size):
                    if container in held[node] and (home := self._home(node)) is not None:
                        found.setdefault(home, []).append(node)
        return self._held[container]

    def _objects(self, caller: FunctionId, method: FunctionId, argument: int = -1) -> frozenset[int]:
        """Where the objects are made whose method a function calls (with this argument); nothing: not all are known."""
        key = (caller, method, argument)
        if key not in self._asked:
            nodes = self._methods.get(method, {}).get(caller, ())
            taking = [node for node in nodes if argument in self._arguments.get(node, ())]
            found = [self._made(node) for node in taking or nodes]
            self._asked[key] = _UNKNOWN.union(*found) if all(found) else _UNKNOWN
        return self._asked[key]

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
    def _containers(self) -> dict[int, int]:
        """By the node of a field: the container that it is of, where it is no instance."""
        value = self._at.solver.value
        return {node: owner for (owner, _), node in self._at.objects.fields.items() if isinstance(value(owner), Object)}

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
    def _arguments(self) -> dict[int, set[int]]:
        """By the nodes of objects: what their methods are called with."""
        found: dict[int, set[int]] = {}
        program = self._at.program
        for path, survey in program.surveys.items():
            base = program.bases[path]
            for op in survey.waits(ops.Call):
                if (read := program.attribute_at(base + op.called)) is not None:
                    given = (*(one.node for one in op.args), *(one.node for one in op.keywords))
                    found.setdefault(read[0], set()).update(base + node for node in given)
        return found

    @cached_property
    def _several(self) -> set[Instance]:
        """The instances that are made in several places."""
        counts = Counter(one for made in self._makers.values() for one in made)
        return {one for one, count in counts.items() if count > 1}
