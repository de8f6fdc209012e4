"""Which strings reach a `make` that reads its id from an attribute of its own object.

All instances of a class, and of those below it, have one node for an attribute that a base's constructor sets, so that
the id which one subclass hands to that constructor seems to arrive at the methods of every other one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import Place
from done_lint.core.reach import reach

if TYPE_CHECKING:
    from done_lint.facts.provenance import Provenance


class _State(NamedTuple):
    """A node on the way back from a `make`."""

    node: int
    #: The attributes that the way went through.
    fields: int = 0


class OwnMakes:
    """Tells by the classes whose constructors hand a string on whether their objects run the method with the `make`."""

    def __init__(self, provenance: Provenance) -> None:
        """Of a solved graph."""
        self._provenance = provenance
        self._at = provenance.analysis
        self._running: dict[tuple[FunctionId, ClassId], bool] = {}

    def texts(self, node: int, text: int) -> list[Place]:
        """Where the strings of this value stand that arrive at a node, like `Provenance.texts`."""
        method = self._method(node)
        if method is None:
            return self._provenance.texts(node, text)
        solver, made_of = self._at.solver, self._at.envs.texts

        def before(state: _State) -> list[_State]:
            reason, _ = solver.reason(state.node, text)
            edges = solver.predecessors[state.node]
            fields = min(state.fields + (state.node in self._provenance.fields), 2)
            sources = [
                one.source for one in edges if not (fields == 1 and self._is_of_others(method, one.source, state))
            ]
            if reason not in (one.source for one in edges):
                sources.append(reason)
            return [_State(one, fields) for one in sources if one >= 0 and text in solver.held[one]]

        places = (made_of.get(state.node) for state in reach([_State(node)], before))
        return list(dict.fromkeys(place for place in places if place is not None))

    def _method(self, node: int) -> FunctionId | None:
        """The method that reads a node from an attribute of its own object: `gym.make(self.name)`."""
        read = self._at.program.attribute_at(node)
        if read is None or not self._at.program.method_with(read[0]):
            return None
        return self._home(read[0])

    def _home(self, node: int) -> FunctionId | None:
        """The method that a node was made in."""
        owner = self._at.program.owner(node)
        home = self._provenance.running.home(*owner) if owner is not None else None
        return home if home is not None and home.number >= 0 and self._owner(home).number >= 0 else None

    def _owner(self, method: FunctionId) -> ClassId:
        return ClassId(method.path, self._at.program.function_at(method).owner)

    def _is_of_others(self, method: FunctionId, source: int, state: _State) -> bool:
        """Whether a constructor hands a value to one above it, and its objects never run the method."""
        giver, taker = self._home(source), self._home(state.node)
        if giver is None or taker is None or giver == taker:
            return False
        if {self._at.program.function_at(one).name for one in (giver, taker)} != {"__init__"}:
            return False
        made, above = self._owner(giver), self._owner(taker)
        lineage, owner = self._at.classes.lineage, self._owner(method)
        # else it is the constructor of another object, which the attribute is read from
        is_same = above in lineage(*owner) or owner in lineage(*above)
        return is_same and above in lineage(*made) and not self._runs(method, made)

    def _runs(self, method: FunctionId, made: ClassId) -> bool:
        """Whether objects of a class, or of one below it, run a method, at once or by `super()` of their own one."""
        key = (method, made)
        if key not in self._running:
            name = self._at.program.function_at(method).name
            classes, callers = self._at.classes, self._provenance.running.callers
            owner = self._owner(method)
            kinds = [one for one in (made, *classes.below(*made)) if owner in classes.lineage(*one)]

            def calling(one: FunctionId) -> list[FunctionId]:
                homes = [home for home in callers.get(one, {}).values() if home.number >= 0]
                return [home for home in homes if self._at.program.function_at(home).name == name]

            found = {*reach([method], calling)}
            self._running[key] = any(classes.method_of(*one, name) in found for one in kinds)
        return self._running[key]
