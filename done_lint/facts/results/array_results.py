"""Four values of which the last is an array of numbers: without an info they are no result of a step.

`return cost, sales, orders, np.stack(times)`, in a simulation that inherits from `Env` for its spaces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis.values import External, Info, Instance, Object
from done_lint.flowgraph.keys import IndexKey
from done_lint.knowledge.array_functions import ARRAYS, MAKING_ARRAYS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

#: Where a step of four values returns its info.
_INFO = IndexKey(3)


def ends_in_array(analysis: Analysis, number: int) -> bool:
    """Whether the last value of a tuple of four, by its number, is such an array wherever it comes from."""
    last = analysis.objects.fields.get((number, _INFO))
    sources = [edge.source for edge in analysis.solver.predecessors[last]] if last is not None else []
    return bool(sources) and all(_is_array_of_numbers(analysis, one) for one in sources)


def _is_array_of_numbers(analysis: Analysis, node: int) -> bool:
    """Whether an array is made in a place, of nothing that may be an info."""
    solver, call = analysis.solver, analysis.program.call_at(node)
    called = solver.values(call[1], External) if call is not None else []
    if not called or not all(_makes_array(one.dotted) for one in called):
        return False
    fields = (field for one in solver.all(node, Object) for _, field in analysis.objects.owned.get(one, ()))
    return not any(solver.all(field, kind) for field in fields for kind in (Object, Info, Instance))


def _makes_array(dotted: str) -> bool:
    """`numpy.stack`: a function of an array library that makes an array."""
    package, _, name = dotted.partition(".")
    return package in ARRAYS and name.rpartition(".")[2] in MAKING_ARRAYS
