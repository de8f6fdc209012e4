"""Resets of the project's environments that a class of another library hands on as they are.

Who asks that class is the library, or a wrapper of it: what they do with a pair where there was an observation is not
seen, as of a PettingZoo environment that forwards the `reset` of the one inside.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import FunctionRef
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.classes.env_classes import EnvClasses

#: The nodes from which a variable of a file has its values.
Origins = Callable[[str, int], list[int]]

#: Bases that no library asks for anything.
_PLAIN = frozenset({"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"})


def handed_to_libraries(
    at: Analysis, classes: EnvClasses, origins: Origins, resets: Collection[FunctionId]
) -> dict[FunctionId, str]:
    """Of some `reset` methods, those that a class of another library hands on, and by which method of it."""
    found: dict[FunctionId, str] = {}
    for path, survey in at.program.surveys.items() if resets else ():
        for method, function in _handing(at, classes, origins, path, survey):
            called = at.solver.values(at.program.bases[path] + method, FunctionRef)
            for one in {FunctionId(one.path, one.index) for one in called}.intersection(resets):
                found.setdefault(one, f"{survey.classes[survey.functions[function].owner].name}.reset")
    return found


def _handing(
    at: Analysis, classes: EnvClasses, origins: Origins, path: str, survey: Survey
) -> Iterator[tuple[int, int]]:
    """The methods `reset` of others that such classes call, each with the method that returns its result."""
    for read in survey.telling if not survey.page else ():
        for call in survey.waiting.get(read.target, ()) if read.name == "reset" else ():
            home = survey.homes.get(call.result, -1) if isinstance(call, ops.Call) else -1
            function = survey.functions[home] if home >= 0 else None
            if function is None or function.owner < 0 or function.name != "reset" or not isinstance(call, ops.Call):
                continue
            owner = ClassId(path, function.owner)
            if classes.of(*owner) is not None or not _is_of_library(at, owner):
                continue
            result = at.program.bases[path] + call.result
            if any(result in origins(path, local) for _, local, _ in function.outcomes):
                yield read.target, home


def _is_of_library(at: Analysis, owner: ClassId) -> bool:
    return any(isinstance(one, str) and one not in _PLAIN for one in at.classes.lineage(*owner))
