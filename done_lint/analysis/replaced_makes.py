"""What puts something else in the place of functions of the library: `monkeypatch.setattr(gym, "make", fake)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from done_lint.analysis.context import Analysis
from done_lint.analysis.program import Program
from done_lint.analysis.solver import Solver
from done_lint.analysis.values import Environment, External, Text
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.packages import GYM_ROOTS

MAKE = "make"
#: The last names of functions that replace an attribute while a test runs.
_REPLACING = frozenset({"patch", "setattr", "object"})
#: `gym.make`, `train.gym.make`.
_OF_LIBRARY = re.compile(r"(?:\w+\.)*?((?:gym|gymnasium)\.(?:\w+\.)*\w+)")


def note(at: Analysis) -> None:
    """What `make` gives in a function that replaces it, or in a file that does so outside of functions, is unknown."""
    for path, survey in at.program.surveys.items():
        if GYM_ROOTS.isdisjoint(survey.packages):
            continue
        found = calls(at.solver, at.program, survey)
        homes = {survey.homes.get(call.result, -1) for call, name in found if name.rpartition(".")[2] == MAKE}
        if homes:
            base = at.program.bases[path]
            here = {node for node in at.envs.make_calls if base <= node < base + survey.size}
            nodes = {node for node in here if -1 in homes or survey.homes.get(node - base, -1) in homes}
            envs = ((number, one) for number, one in enumerate(at.solver.interned) if isinstance(one, Environment))
            at.envs.contradicted.update(number for number, one in envs if one.node in nodes)


def calls(solver: Solver, program: Program, survey: Survey) -> Iterator[tuple[ops.Call | ops.LibraryCall, str]]:
    """The calls of a file that replace something of the library, and what that is: `gym.make`."""
    base = program.bases[survey.path]
    names = {
        one.target
        for found in survey.naming.values()
        for one in found
        if isinstance(one, ops.Attribute) and one.name in _REPLACING
    }
    for call in survey.calls():
        if not call.args or not (call.called in names or _is_replacing(solver, base + call.called)):
            continue
        if name := _named(solver, [base + one.node for one in call.args[:2]]):
            yield call, name


def roots(solver: Solver, node: int) -> set[str]:
    """The libraries that a node is one of, or a module of."""
    return {one.dotted.partition(".")[0] for one in solver.values(node, External)} & GYM_ROOTS


def _is_replacing(solver: Solver, called: int) -> bool:
    """`patch`, `setattr`, `mock.patch.object`."""
    return any(one.dotted.rpartition(".")[2] in _REPLACING for one in solver.values(called, External))


def _named(solver: Solver, given: list[int]) -> str:
    """What of the library is replaced, by its whole name, or as an attribute that the second argument names."""
    texts = [[one.text for one in solver.values(node, Text)] for node in given]
    whole = next((found for one in texts[0] if (found := _OF_LIBRARY.fullmatch(one))), None)
    if whole is not None:
        return whole[1]
    of_library = sorted(roots(solver, given[0]))
    return f"{of_library[0]}.{MAKE}" if of_library and len(texts) > 1 and MAKE in texts[1] else ""
