"""How well the reader of a flag fits the batch that it is read from: by the other keys that it asks the batch for.

A trainer hands the batches of all its loops to `agent.update(batch)`. Of several agents, one that asks for a key that
is not there cannot be the one that is given this batch, and one that asks for all of them is the likeliest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import Object, Place
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Fewer keys that are not there, and then more that are.
Fit = tuple[int, int]


class BatchReaders:
    """Reads them from a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._program = analysis.program
        #: By store, the first reader, and how well the best one fits once there are two.
        self._first: dict[Place, tuple[Sequence[int], Place]] = {}
        self._best: dict[Place, Fit] = {}

    def is_better(self, store: Place, way: Sequence[int], cut: Place) -> bool:
        """Whether a reader of what is stored at a place fits better than all that were asked about before.

        Args:
            store: the place.
            way: the nodes by which the flag came from there, back from the mask.
            cut: where the reader masks with it.
        """
        first = self._first.setdefault(store, (way, cut))
        if first[0] is way:
            return True
        if store not in self._best:
            self._best[store] = next(self._fits(*first), (0, 0))
        fit = next(self._fits(way, cut), (0, 0))
        better = fit > self._best[store]
        self._best[store] = max(fit, self._best[store])
        return better

    def _fits(self, way: Sequence[int], cut: Place) -> Iterator[Fit]:
        """How the function with a mask fits each batch that it can have the flag from."""
        survey, base = self._program.surveys[cut.path], self._program.bases[cut.path]
        reads = [(one.keys[0], one) for one in survey.waits(ops.Item) if one.keys and isinstance(one.keys[0], TextKey)]
        for column in (self._columns[node] for node in way if node in self._columns):
            for batch in self._batches.get(column, ()):
                mine = [(key, one) for key, one in reads if batch in self._solver.held[base + one.source]]
                homes = {
                    survey.homes.get(one.target, -1)
                    for _, one in mine
                    if column in self._solver.held[base + one.target]
                }
                around = [home for home in homes if home >= 0 and survey.functions[home].row <= cut.span.row]
                if around:
                    home = max(around, key=lambda number: survey.functions[number].row)
                    there = {key for key, _ in self._objects.owned[batch]}
                    asked = {key for key, one in mine if survey.homes.get(one.target) == home}
                    yield -len(asked - there), len(asked & there)

    @cached_property
    def _columns(self) -> dict[int, int]:
        """By what an object holds, the object."""
        return {node: owner for (owner, _), node in self._objects.fields.items()}

    @cached_property
    def _batches(self) -> dict[int, list[int]]:
        """By an object that another one holds under a name, the other ones."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        for (owner, key), node in self._objects.fields.items():
            for column in self._solver.all(node, Object) if isinstance(key, TextKey) else ():
                found[column].append(owner)
        return dict(found)
