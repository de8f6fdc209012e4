"""The marks of a value of the solved graph: which products, choices and masks it was made by; and what is a mask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import Mark, Object

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.analysis.objects import Arrays


def marks_at(analysis: Analysis, node: int) -> list[int]:
    """The numbers of the marks at a node, and in the fields of the objects there."""
    solver = analysis.solver
    found = solver.all(node, Mark)
    for number in solver.all(node, Object):
        for _, field in analysis.objects.owned.get(number, ()):
            found += solver.all(field, Mark)
    return found


def is_mask(arrays: Arrays, node: int) -> bool:
    """`0.0 if done else gamma`, whatever name it has."""
    return any(map(flag_lattice.keeps, arrays.flat_flags(node)))
