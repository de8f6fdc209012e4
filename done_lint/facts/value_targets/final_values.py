"""Arrays of the values of final observations, a row a step: `last[t, ended] = value(infos["final_obs"][ended])`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey
from done_lint.knowledge.vector_info_keys import OF_OBSERVATIONS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: How many nodes are looked at behind what is put into an array.
_BEHIND = 200


class FinalValues:
    """Finds what reads their rows."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._analysis = analysis
        self._program = analysis.program

    @cached_property
    def rows(self) -> frozenset[int]:
        """The nodes of such rows."""
        return frozenset(row for path in self._program.surveys for row in self._rows_of(path))

    def _rows_of(self, path: str) -> Iterator[int]:
        survey, base = self._program.surveys[path], self._program.bases[path]
        read: defaultdict[int, list[int]] = defaultdict(list)
        final: set[int] = set()
        for one in survey.waits(ops.Item):
            read[base + one.target].append(base + one.source)
            if any(isinstance(key, TextKey) and key.text in OF_OBSERVATIONS for key in one.keys):
                final.add(base + one.target)

        def behind(node: int) -> list[int]:
            return [*self._analysis.inputs(node), *self._given(node), *read.get(node, ())]

        filled: set[int] = set()
        for put in survey.waits(ops.SetItem) if final else ():
            made_of = reach([base + put.value], behind, bound=_BEHIND)
            if not final.isdisjoint(made_of):
                filled.add(base + put.owner)
        yield from (row for row, sources in read.items() if not filled.isdisjoint(sources))

    def _given(self, node: int) -> list[int]:
        """What a call is given, and the object whose method it calls: `value(obs).view(-1)`."""
        called = self._program.call_at(node)
        receiver, _ = (self._program.attribute_at(called[1]) if called is not None else None) or (0, "")
        return [*self._program.given_at(node), *([receiver] if receiver else [])]
