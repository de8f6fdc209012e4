"""Methods that a decorator of the project replaces: what calls one of them calls the function that takes its place."""

from __future__ import annotations

from done_lint.analysis.program import FunctionId, Program
from done_lint.analysis.solver import Solver
from done_lint.analysis.values import FunctionRef


def in_place_of(solver: Solver, program: Program, method: FunctionId) -> list[FunctionId]:
    """The functions that decorators put in the place of a method."""
    base, function = program.bases[method.path], program.function_at(method)
    made = (one for node in function.replacements for one in solver.values(base + node, FunctionRef))
    found = (FunctionId(one.path, one.index) for one in made)
    return list(dict.fromkeys(one for one in found if one != method))
