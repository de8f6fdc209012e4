"""Rows that are read key by key: `for key in columns: columns[key].append(row[key])`.

What stands under a key that is computed is no certain field, so nothing of the row arrives there. Where it is kept,
the whole row is, one column after the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.values import Object, Shape
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import ANY

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: How far such a value is followed through conversions.
_NEAR = 20


def rows_by_key(analysis: Analysis, wanted: Container[int]) -> dict[int, list[tuple[int, int]]]:
    """By the nodes that hold what is read, the rows that are `wanted`, by their numbers, and where each is held."""
    found: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for survey in analysis.program.surveys.values():
        base = analysis.program.bases[survey.path]
        for item in survey.waits(ops.Item):
            source = base + item.source
            rows = [one for one in _rows(analysis, source) if one in wanted] if item.keys == (ANY,) else []
            for node in reach([base + item.target], lambda at: _after(analysis, at), bound=_NEAR) if rows else ():
                found[node] += [(row, source) for row in rows]
    return dict(found)


def _rows(analysis: Analysis, node: int) -> list[int]:
    """The mappings that a node holds."""
    return [one for one in analysis.solver.all(node, Object) if analysis.solver.get(one, Object).shape is Shape.DICT]


def _after(analysis: Analysis, node: int) -> Iterator[int]:
    """Where a value flows as it is, or converted."""
    for one in analysis.solver.successors[node]:
        if any(edge.source == node and edge.way == "flow" for edge in analysis.solver.predecessors[one]):
            yield one
