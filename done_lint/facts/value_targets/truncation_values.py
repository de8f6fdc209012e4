"""Values that count at truncations alone, on their way to where they are discounted.

`left = value(obs) * truncated`, `left[truncated] = value(obs[truncated])` in an array of zeros, and
`left = value(obs) if truncated else 0.0`; then `buffer.add(reward, left)`, whose method adds `gamma * left`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.solver import MARKS, TERMS
from done_lint.analysis.values import Place
from done_lint.core.asked_once import asked_once
from done_lint.core.reach import reach
from done_lint.facts.provenance import BACKWARD
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Product

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.analysis.objects import Arrays

#: A value that goes on like this is another one.
_OTHERS = frozenset({"combined", "not", "none"})


class TruncationValues:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._flags = analysis.flags
        self._arrays = analysis.arrays

    def arrive_at(self, path: str, product: Product) -> bool:
        """Whether a factor of a product is such a value."""
        base = self._program.bases[path]
        factors = [base + one.node for one in product.factors if one.node and not one.role] if self._made else []
        return any(map(self._is_one, factors))

    def are_chosen_at(self, place: Place) -> bool:
        """Whether a test decides there between zero and such a value: in the last row, another one is added."""
        known = (one for mark, one in self._flags.conditions.items() if (mark.path, mark.at) == place)
        sides = (node for one in known for node in (one.a, one.b) if node)
        return bool(self._made) and any(map(self._is_one, sides))

    @asked_once
    def _is_one(self, node: int) -> bool:
        return any(one in self._made for one in reach([node], self._before, bound=BACKWARD))

    @cached_property
    def _made(self) -> frozenset[int]:
        """The nodes at which values begin to count at truncations alone."""
        return frozenset((*self._products(), *self._chosen(), *self._filled()))

    def _products(self) -> Iterator[int]:
        for (path, index), (node, factors) in self._flags.products.items():
            every = zip(self._program.surveys[path].products[index].factors, factors)
            valued = [at for factor, at in every if factor.node and not factor.role]
            truncated = [at for at in valued if is_truncation(self._arrays, at)]
            if truncated and len(valued) > len(truncated):
                yield node

    def _chosen(self) -> Iterator[int]:
        for one in self._flags.conditions.values():
            if (one.b_constant == "zero" and not one.a_constant and is_truncation(self._arrays, one.test)) or (
                one.a_constant == "zero" and not one.b_constant and is_truncation(self._arrays, one.test, keep=True)
            ):
                yield one.result

    def put_at_truncations(self, path: str) -> set[int]:
        """What a file puts into arrays of zeros at truncations: `left[truncated] = gamma * value(obs)`."""
        return {one.value for one in self._filled_in(path)}

    def _filled(self) -> Iterator[int]:
        for path in dict.fromkeys(mark.path for mark in self._flags.filled):
            yield from (self._program.bases[path] + one.target for one in self._filled_in(path))

    def _filled_in(self, path: str) -> Iterator[ops.Filled]:
        base = self._program.bases[path]
        for one in self._program.surveys[path].operations:
            if isinstance(one, ops.Filled) and is_truncation(self._arrays, base + one.index):
                yield one

    def _before(self, node: int) -> list[int]:
        """Where a value comes from that is still itself."""
        edges = [edge for edge in self._solver.predecessors[node] if edge.way not in _OTHERS]
        return [one.source for one in edges if self._solver.successors[one.source].get(node) not in (MARKS, TERMS)]


def is_truncation(arrays: Arrays, node: int, *, keep: bool = False) -> bool:
    """Whether a flag is *truncated* alone, or beside an end of the program's own; `keep`: its negation."""
    held = arrays.flat_flags(node)
    return bool(held) and all(
        f & flag_lattice.DONE == flag_lattice.TRUNCATED and flag_lattice.keeps(f) == keep for f in held
    )
