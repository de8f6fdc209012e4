"""Whether the pair that a `reset` returns is the observation itself: of two players, say, and not one with an info."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from done_lint.analysis.values import Object, Shape
from done_lint.flowgraph.keys import IndexKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_OBSERVATION, _INFO = IndexKey(0), IndexKey(1)
#: Parameters of a `reset` that was written for a Gym whose resets return pairs.
_OF_TODAY = frozenset({"seed", "options", "return_info"})
_FOUR = 4
_FOURTH = IndexKey(3)


class ObservedPairs:
    """Reads the pairs of one program."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program

    def are_observations(
        self, path: str, methods: Mapping[str, int], pairs: Iterable[int], is_pair: Callable[[int], bool]
    ) -> bool:
        """Whether the pairs that the `reset` of a class returns are its observations.

        In a class for old Gym they are, for its `reset` has nothing else to return, unless they look like today's.

        Args:
            path: of the file.
            methods: of the class.
            pairs: the nodes in that file, at least one.
            is_pair: whether a tuple of two arrives at a node.
        """
        nodes = [self._program.bases[path] + local for local in pairs]
        if self._is_old(path, methods):
            infos = self._infos_of_step(path, methods["step"])
            if all(self._is_without_info(node, infos) for node in nodes):
                return True
        return self._observes_pairs(path, methods.get("step"), is_pair) and all(map(self._is_plain, nodes))

    def _is_old(self, path: str, methods: Mapping[str, int]) -> bool:
        """The class is one for old Gym: its steps return four values, and its `reset` takes nothing of today."""
        functions = self._program.surveys[path].functions
        reset = functions[methods["reset"]]
        takes = reset.kwarg >= 0 or not _OF_TODAY.isdisjoint(name for name, _ in reset.params)
        return not takes and "step" in methods and set(functions[methods["step"]].arities) == {_FOUR}

    def _observes_pairs(self, path: str, step: int | None, is_pair: Callable[[int], bool]) -> bool:
        """The observation that the class's own `step` returns is itself a tuple of two."""
        if step is None:
            return False
        result = self._program.bases[path] + self._program.surveys[path].functions[step].result
        tuples = [one for one in self._solver.all(result, Object) if self._objects.widths.get(one) in (4, 5)]
        observations = [self._objects.fields.get((one, _OBSERVATION)) for one in tuples]
        return any(one is not None and is_pair(one) for one in observations)

    def _is_plain(self, node: int) -> bool:
        """A pair of two plain values: neither holds another pair, and the second is nothing like an info."""
        pairs = self._pairs(node)
        return bool(pairs) and all(
            self._shapes(pair, _OBSERVATION) <= {Shape.ARRAY, Shape.LIST} and self._shapes(pair, _INFO) <= {Shape.ARRAY}
            for pair in pairs
        )

    def _infos_of_step(self, path: str, step: int) -> frozenset[str]:
        """What a `step` calls the infos that it returns."""
        result = self._program.bases[path] + self._program.surveys[path].functions[step].result
        tuples = [one for one in self._solver.all(result, Object) if self._objects.widths.get(one) == _FOUR]
        infos = (self._objects.fields.get((one, _FOURTH)) for one in tuples)
        return frozenset(name for one in infos if one is not None for name in self._names(one))

    def _is_without_info(self, node: int, infos: frozenset[str]) -> bool:
        """Whether the second of two values is nothing like an info: no dictionary, and called otherwise."""
        halves = [self._objects.fields.get((pair, _INFO)) for pair in self._pairs(node)]
        names = {name for half in halves if half is not None for name in self._names(half)}
        named = any("info" in name.lower() or name in infos for name in names)
        return (
            bool(halves)
            and not named
            and not any(Shape.DICT in self._shapes(pair, _INFO) for pair in self._pairs(node))
        )

    def _names(self, half: int) -> Iterator[str]:
        """What a value is called where it is written: `info`, `self.info`, `self._get_info()`."""
        for node in (half, *(edge.source for edge in self._solver.predecessors[half])):
            owner, call = self._program.owner(node), self._program.call_at(node)
            read = (self._program.attribute_at(one) for one in (node, call[1] if call is not None else node))
            yield from (one[1] for one in read if one is not None)
            if owner is not None and owner.node in (names := self._program.surveys[owner.path].names):
                yield names[owner.node]

    def _pairs(self, node: int) -> list[int]:
        return [number for number in self._solver.all(node, Object) if self._objects.widths.get(number) == 2]

    def _shapes(self, pair: int, place: IndexKey) -> frozenset[Shape]:
        """How what is known of one half of a pair keeps its elements."""
        half = self._objects.fields.get((pair, place))
        return frozenset(one.shape for one in self._solver.values(half, Object)) if half is not None else frozenset()
