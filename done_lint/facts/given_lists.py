"""Lists that wrappers of the library are given in the place of a tuple, which they made of any sequence before."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from done_lint.analysis.values import External, FunctionRef, Object, Shape
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import SliceKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.gymnasium_changes import ONE, ROOTS, SIGNATURES, below_root, canonical

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


def given_lists(at: Analysis, survey: Survey) -> frozenset[Span]:
    """The arguments of a file that are certainly no tuples: of all that arrives there, only lists are seen."""
    if all(root not in survey.packages for root in ROOTS):
        return frozenset()
    return frozenset(span for span, node in _pairs(at, survey) if span is not None and _is_list(at, node))


def _pairs(at: Analysis, survey: Survey) -> Iterator[tuple[Span | None, int]]:
    """The arguments that have to be tuples, and their nodes."""
    base = at.program.bases[survey.path]
    for call in survey.calls():
        names = (below_root(one.dotted) for one in at.solver.values(base + call.called, External))
        for row in (SIGNATURES.get(canonical(name, ONE)) for name in names):
            if row is None or not row.pair:
                continue
            if len(call.args) > row.place and not call.stars:
                node, span = call.args[row.place]
                yield span, base + node
            yield from ((one.span, base + one.node) for one in call.keywords if one.name == row.pair)


def _is_list(at: Analysis, node: int) -> bool:
    """Whether lists arrive, and nothing else: what a call from outside the project gives of one may be a tuple."""
    held = at.solver.held[node]
    if not held or at.solver.is_widened(node):
        return False
    lists = [one for number in held if isinstance(one := at.solver.value(number), Object) and one.shape is Shape.LIST]
    if len(lists) < len(held):
        return False
    before = {one: _before(at, one, held) for one in reach([node], lambda one: _before(at, one, held))}
    starts = {one for one, sources in before.items() if not sources}
    return starts <= {one.node for one in lists} and not any(_is_converted(at, one) for one in before)


def _before(at: Analysis, node: int, held: Set[int]) -> list[int]:
    """The nodes that the values come from, a part of a list from the whole."""
    sources = [edge.source for edge in at.solver.predecessors[node]] or [*_wholes(at, node)]
    return [one for one in sources if not held.isdisjoint(at.solver.held[one])]


def _wholes(at: Analysis, node: int) -> Iterator[int]:
    """The node of `x`, for that of `x[1:]`."""
    if (owner := at.program.owner(node)) is not None:
        for item in at.program.surveys[owner.path].waits(ops.Item):
            if item.target == owner.node and isinstance(item.keys[-1], SliceKey):
                yield at.program.bases[owner.path] + item.source


def _is_converted(at: Analysis, node: int) -> bool:
    """Whether a node is what a call gives, and not of a function of the project: `tuple(sizes)`."""
    call = at.program.call_at(node)
    return call is not None and not at.solver.all(call[1], FunctionRef)
