"""The marks that a value of the solved graph carries: which products, choices and masks it was made by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis.values import Mark, Object

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


def marks_at(analysis: Analysis, node: int) -> list[int]:
    """The numbers of the marks at a node, and in the fields of the objects there."""
    solver = analysis.solver
    found = solver.all(node, Mark)
    for number in solver.all(node, Object):
        for _, field in analysis.objects.owned.get(number, ()):
            found += solver.all(field, Mark)
    return found
