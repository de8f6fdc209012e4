"""Whether the pair that a `reset` returns is the observation itself: of two players, say, and not one with an info."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from done_lint.analysis.values import Object, Shape
from done_lint.flowgraph.keys import IndexKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.env_method_results import OwnResults

_OBSERVATION, _INFO = IndexKey(0), IndexKey(1)
#: What holds the values of an observation, and no info.
_PLAIN = frozenset({Shape.ARRAY, Shape.LIST})
#: Parameters of a `reset` that was written for a Gym whose resets return pairs.
_OF_TODAY = frozenset({"seed", "options", "return_info"})
_OLD_STEP = frozenset({4})


class ObservedPairs:
    """Reads the pairs of one program."""

    def __init__(self, analysis: Analysis, results: OwnResults) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        self._results = results

    def are_observations(self, path: str, methods: Mapping[str, int], pairs: Iterable[int], *, mixed: bool) -> bool:
        """Whether the pairs that the `reset` of a class returns are its observations.

        Args:
            path: of the file.
            methods: of the class.
            pairs: the nodes in that file, at least one.
            mixed: the same `reset` returns something else than a pair, too.
        """
        nodes = [self._program.bases[path] + local for local in pairs]
        old = self._is_old(path, methods)
        if self._observes_pairs(path, methods.get("step")):
            second = _PLAIN if old else frozenset({Shape.ARRAY})
            if all(self._is_plain(node, second) for node in nodes):
                return True
        return old and all(self._is_without_info(node, mixed=mixed) for node in nodes)

    def _is_old(self, path: str, methods: Mapping[str, int]) -> bool:
        """The class is one for old Gym: its steps return four values, and its `reset` takes nothing of today."""
        functions = self._program.surveys[path].functions
        reset = functions[methods["reset"]]
        takes = reset.kwarg >= 0 or not _OF_TODAY.isdisjoint(name for name, _ in reset.params)
        return not takes and "step" in methods and set(functions[methods["step"]].arities) == _OLD_STEP

    def _observes_pairs(self, path: str, step: int | None) -> bool:
        """The observation that the class's own `step` returns is itself a tuple of two."""
        if step is None:
            return False
        result = self._program.bases[path] + self._program.surveys[path].functions[step].result
        tuples = [one for one in self._solver.all(result, Object) if self._objects.widths.get(one) in (4, 5)]
        observations = [self._objects.fields.get((one, _OBSERVATION)) for one in tuples]
        return any(one is not None and self._results.is_pair(one) for one in observations)

    def _is_plain(self, node: int, second: frozenset[Shape]) -> bool:
        """A pair of two plain values: neither holds another pair, and the second is nothing like an info."""
        pairs = self._pairs(node)
        return bool(pairs) and all(
            self._shapes(pair, _OBSERVATION) <= _PLAIN and self._shapes(pair, _INFO) <= second for pair in pairs
        )

    def _is_without_info(self, node: int, *, mixed: bool) -> bool:
        """Whether the second of two values is known, and no info: an array, or what one branch alone returns."""
        shapes = [self._shapes(pair, _INFO) for pair in self._pairs(node)]
        return bool(shapes) and all(one and (one <= _PLAIN or (mixed and Shape.DICT not in one)) for one in shapes)

    def _pairs(self, node: int) -> list[int]:
        return [number for number in self._solver.all(node, Object) if self._objects.widths.get(number) == 2]

    def _shapes(self, pair: int, place: IndexKey) -> frozenset[Shape]:
        """How what is known of one half of a pair keeps its elements."""
        half = self._objects.fields.get((pair, place))
        return frozenset(one.shape for one in self._solver.values(half, Object)) if half is not None else frozenset()
