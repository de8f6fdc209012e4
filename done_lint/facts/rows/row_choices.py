"""Where rows are picked, weighed or looked for by flags: `rows[~dones]`, `np.nonzero(dones)`.

How many flags came before a row, `np.cumsum(dones)`, also tells to which episode it belongs: a model needs that for
its memory. Such a count leaves rows out only where it is then compared with a constant, and picks or weighs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import Place
from done_lint.core.reach import reach
from done_lint.facts.rows.step_stores import is_array
from done_lint.facts.value_targets.def_use_forward import located
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: How far a count is followed.
_NEAR = 100
#: How a mask comes to where it picks rows, and still is one.
_PASSING = frozenset({"flow", "not", "load"})


class Choice(NamedTuple):
    """A place where rows are chosen."""

    at: Place | None
    #: The numbers of what arrives there, in arrays too.
    held: set[int]
    #: The nodes of the mask, and of those that it is put together from.
    masks: frozenset[int]


class RowChoices:
    """Reads such places from a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._arrays = analysis.arrays
        self._program = analysis.program
        self._combinations = analysis.flags.combinations

    @cached_property
    def all(self) -> list[Choice]:
        """The places."""
        found = []
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            picking = [(base + node, at) for node, at in survey.picks]
            picking = [one for one in picking if any(map(flag_lattice.keeps, self._arrays.flat_flags(one[0])))]
            asked = [one for one in located(survey) if not one.counts or self._chooses(base + one.result)]
            for node, at in (*picking, *((base + one.array, one.at) for one in asked)):
                nodes = {node, *self._combined(node)}
                arrays = {one for part in nodes for one in self._solver.held[part] if is_array(self._solver.value(one))}
                fields = [one for number in arrays for _, one in self._objects.owned.get(number, ())]
                held = set().union(*(self._solver.held[one] for one in (*nodes, *fields)))
                found.append(Choice(Place.of(path, at), held, frozenset(nodes)))
        return found

    def _combined(self, node: int) -> Iterator[int]:
        """The arrays of flags that a mask is put together from: `ended = terms | cuts`, then `~ended[:-1]`."""
        for part in reach([node], self._before, bound=_NEAR):
            if (combined := self._combinations.get(part)) is not None:
                yield from combined.inputs

    def _before(self, node: int) -> Iterator[int]:
        """What a mask is negated, a part or a copy of."""
        return (edge.source for edge in self._solver.predecessors[node] if edge.way in _PASSING)

    def _chooses(self, count: int) -> bool:
        """Whether rows are picked or weighed by a count."""
        return any(node in self._choosing for node in reach([count], self._behind, bound=_NEAR))

    def _behind(self, node: int) -> Iterator[int]:
        yield from self._solver.successors[node]
        yield from self._opposites.get(node, ())

    @cached_property
    def _opposites(self) -> dict[int, list[int]]:
        """The results of `not`, and of comparisons that are one: `counts == 0`."""
        found: dict[int, list[int]] = {}
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for one in survey.waits(ops.Not):
                found.setdefault(base + one.source, []).append(base + one.result)
        return found

    @cached_property
    def _choosing(self) -> set[int]:
        """What picks rows, and the factors of products."""
        found = set[int]()
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            found.update(base + node for node, _ in survey.picks)
            found.update(base + one.node for product in survey.products for one in product.factors if one.node)
            found.update(base + one.array for one in located(survey) if not one.counts)
        return found
