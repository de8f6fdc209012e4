"""Lists and numbers that wrappers of the library are given for a tuple, which they made of these before."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import TYPE_CHECKING

from done_lint.analysis.values import ClassRef, External, FunctionRef, Object, Shape
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import SliceKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.gymnasium_changes import ONE, ROOTS, SIGNATURES, below_root, wrapper_class

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.analysis.program import Local

#: So many places a number passes on its way, and few programs have more.
_FARTHEST = 64


def given_lists(at: Analysis, survey: Survey) -> frozenset[Span]:
    """The arguments of a file that are certainly no tuples: of all that arrives there, only lists are seen."""
    if all(root not in survey.packages for root in ROOTS):
        return frozenset()
    return frozenset(span for span, node in _pairs(at, survey) if span is not None and _is_list(at, node))


def given_heights(at: Analysis, survey: Survey) -> dict[Span, bool]:
    """The arguments that are certainly one number, and whether nobody can give another value: no caller is unseen."""
    if all(root not in survey.packages for root in ROOTS):
        return {}
    found: dict[Span, bool] = {}
    for span, node in _pairs(at, survey):
        if span is not None and (origins := _written_heights(at, node)):
            found[span] = not any(_is_never_given(at, one) for one in origins)
    return found


def _written_heights(at: Analysis, node: int) -> list[int]:
    """All that a number passes on its way to a node; empty where something else may arrive."""
    if at.solver.held[node] or at.solver.is_widened(node):
        return []
    passed = [*reach([node], lambda one: _sources(at, one), bound=_FARTHEST)]
    starts = [one for one in passed if not _sources(at, one)]
    return passed if len(passed) < _FARTHEST and starts and all(_is_height(at, one) for one in starts) else []


def _sources(at: Analysis, node: int) -> list[int]:
    return [edge.source for edge in at.solver.predecessors[node]]


def _is_height(at: Analysis, node: int) -> bool:
    owner = at.program.owner(node)
    return owner is not None and owner.node in at.program.surveys[owner.path].heights


def _is_never_given(at: Analysis, node: int) -> bool:
    """Whether a node is a parameter that has its default alone, of a function that nothing calls: users may."""
    owner = at.program.owner(node)
    if owner is None or owner.node not in at.program.surveys[owner.path].parameters:
        return False
    if any(edge.way != "flow" for edge in at.solver.predecessors[node]):
        return False
    return not any(_calls(at, called, owner) for _, _, called in at.program.calls())


def _calls(at: Analysis, called: int, parameter: Local) -> bool:
    """Whether a call is one of the function, or makes an instance of the class, that a parameter belongs to."""
    for number, function in enumerate(at.program.surveys[parameter.path].functions):
        if parameter.node in (node for _, node in function.params):
            makes = function.owner if function.name == "__init__" else -1
            functions = {(one.path, one.index) for one in at.solver.values(called, FunctionRef)}
            classes = {(one.path, one.index) for one in at.solver.values(called, ClassRef)}
            return (parameter.path, number) in functions or (parameter.path, makes) in classes
    return False


def _pairs(at: Analysis, survey: Survey) -> Iterator[tuple[Span | None, int]]:
    """The arguments that have to be tuples, and their nodes."""
    base = at.program.bases[survey.path]
    for call in survey.calls():
        names = (below_root(one.dotted) for one in at.solver.values(base + call.called, External))
        for row in (SIGNATURES.get(wrapper_class(name, ONE)) for name in names):
            if row is None or not row.pair:
                continue
            if len(call.args) > row.place and not call.stars:
                node, span = call.args[row.place]
                yield span, base + node
            yield from ((one.span, base + one.node) for one in call.keywords if one.name == row.pair)


def _is_list(at: Analysis, node: int) -> bool:
    """Whether lists arrive, and nothing else: what a call from outside the project gives of one may be a tuple."""
    held = set(at.solver.held[node])
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
