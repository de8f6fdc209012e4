"""Environment classes whose `reset` a decorator of the project replaces by a function of the old form.

The method takes a seed and returns a pair from then on; who resets the environment calls what stands in its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.replaced_methods import in_place_of
from done_lint.analysis.values import ResetResult

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_SEED = "seed"


def replaced_resets(at: Analysis, path: str) -> Iterator[tuple[ClassId, str]]:
    """The classes of a file, and the function that would stay in the way of a seed or of a pair."""
    for index, made in enumerate(at.program.surveys[path].classes):
        reset = made.methods.get("reset")
        for one in in_place_of(at.solver, at.program, FunctionId(path, reset)) if reset is not None else ():
            if not _hands_on(at, one):
                yield ClassId(path, index), at.program.function_at(one).name


def _hands_on(at: Analysis, function: FunctionId) -> bool:
    """Whether a function takes any keyword, and returns what a reset gave as it is."""
    made, base = at.program.function_at(function), at.program.bases[function.path]
    takes = made.kwarg >= 0 or any(name == _SEED for name, _ in made.params)
    return takes and all(at.solver.all(base + node, ResetResult) for _, node, _ in made.outcomes)
