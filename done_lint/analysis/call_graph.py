"""Which programs run a function: who calls it, and which files that begins in.

Scripts that share a module's classes meet in the solver, though they never run together: a flag of one proves nothing
about the other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Set
from functools import cached_property

from done_lint.analysis.context import Analysis
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import FunctionRef, Place
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey

Home = FunctionId


class CallGraph:
    """Follows calls backwards, once all is solved."""

    def __init__(self, at: Analysis) -> None:
        """Of a solved graph."""
        self._at = at
        self._running: dict[Home, set[str]] = {}
        #: By file, the first nodes of its stretches, and the innermost function of each.
        self._bodies: dict[str, tuple[list[int], list[int]]] = {}

    def with_file(self, node: int, path: str) -> bool:
        """Whether some program that runs the code of a node, where a flag comes from, can run `path` too.

        A function of a module is run by the programs that call it; of other code it is enough that they import it.
        """
        owner = self._at.program.owner(node)
        if owner is None or owner.path == path:
            return True
        return self._at.imports.meet(path, owner.path, self.files(self.home(*owner)))

    def home(self, path: str, node: int) -> Home:
        """The function that a node was made in: its nodes are numbered from its result to its name."""
        if path not in self._bodies:
            self._bodies[path] = _stretches(self._at.program.surveys[path])
        starts, homes = self._bodies[path]
        return FunctionId(path, homes[bisect_right(starts, node) - 1])

    def files(self, home: Home) -> set[str]:
        """The files that run a function, themselves or by what they import."""
        if home not in self._running:
            importers_of = self._at.imports.importers_of
            starts = [one for one in reach([home], self._outward) if not self._outward(one)]
            self._running[home] = set().union(*(importers_of(one.path) for one in starts)) or importers_of(home.path)
        return self._running[home]

    def called_from(self, home: Home) -> Set[Home]:
        """The functions that call one, directly or not, itself included."""
        return set(reach([home], lambda one: self.callers.get(one, {}).values()))

    def _outward(self, home: Home) -> Iterable[Home]:
        """The functions that call one which is only called by name."""
        return () if home in self._elsewhere else self.callers.get(home, {}).values()

    @cached_property
    def callers(self) -> dict[Home, dict[Place, Home]]:
        """Where each function of the project is called, and the function around that call."""
        found: dict[Home, dict[Place, Home]] = {}
        for node, site, called in self._at.program.calls():
            home = self._at.program.home(node)
            if home is None:
                continue
            page = self._at.program.surveys[home.path].page
            for function in self._at.solver.values(called, FunctionRef):
                # what a page shows is no evidence for the program
                if not page or function.path == home.path:
                    found.setdefault(FunctionId(function.path, function.index), {})[site] = home
        return found

    @cached_property
    def _elsewhere(self) -> set[Home]:
        """Functions that are not only called by name: methods, and what is handed to a call."""
        program = self._at.program
        found = {
            FunctionId(path, index)
            for path, survey in program.surveys.items()
            for index, function in enumerate(survey.functions)
            if function.owner >= 0
        }
        for path, survey in program.surveys.items():
            base = program.bases[path]
            for operation in survey.calls():
                for node in (*(node for node, _ in operation.args), *(node for _, node, _ in operation.keywords)):
                    handed = self._at.solver.values(base + node, FunctionRef)
                    found.update(FunctionId(one.path, one.index) for one in handed)
        return found


def _stretches(survey: Survey) -> tuple[list[int], list[int]]:
    """Where the innermost function around the nodes of a file changes, and to which; -1: the file itself."""
    bound = (one for one in survey.operations if isinstance(one, ops.BindFunction))
    bodies = [(survey.functions[one.index].result, one.target, one.index) for one in bound]
    # what an annotation says to be a function has no body, and its name comes first
    begins = {first: index for first, last, index in bodies if first < last}
    starts, homes, around = [-1], [-1], [-1]
    for node in sorted({*begins, *(last for first, last, _ in bodies if first < last)}):
        if node in begins:
            around.append(begins[node])
        else:
            around.pop()
        starts.append(node)
        homes.append(around[-1])
    return starts, homes
