"""Branches that no call of the program takes, for each of them gives the other constant: `update(mc=True)`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import FunctionRef
from done_lint.core.findings import Span
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class BranchesNotTaken:
    """Looks at the tests of parameters that have value targets behind them, and at what these are given."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._imports = analysis.imports
        #: By file, the parameters of its functions, by node.
        self._of_files: dict[str, dict[int, FunctionId]] = {}

    @cached_property
    def products(self) -> frozenset[tuple[str, int]]:
        """The products that stand in such a branch, or in a function that is called in such ones alone."""
        left_out, called = set(self._functions), self._places
        return frozenset(
            (path, number)
            for path in {*called, *(one.path for one in left_out)}
            for number, product in enumerate(self._program.surveys[path].products)
            if FunctionId(path, product.function) in left_out or _inside(product.span, called.get(path, ()))
        )

    @cached_property
    def _places(self) -> dict[str, list[Span]]:
        """The branches that no call takes, by file."""
        found: defaultdict[str, list[Span]] = defaultdict(list)
        for path, survey in self._program.surveys.items():
            for test, holds, side in survey.sides:
                asked = self._asked_of(path, self._program.bases[path] + test)
                truths = self._truths.get(asked[0], set()) if asked is not None else set()
                if asked is not None and truths == {asked[1] is not holds}:
                    found[path].append(side)
        return dict(found)

    @cached_property
    def _functions(self) -> frozenset[FunctionId]:
        """The functions that are called in such branches alone."""
        if not self._places:
            return frozenset()
        found: set[FunctionId] = set()
        others: set[FunctionId] = set()
        for path, call, called in self._calls():
            here = _inside(call.at, self._places.get(path, ()))
            (found if here else others).add(FunctionId(called.path, called.index))
        return frozenset(found - others)

    def _asked_of(self, path: str, test: int) -> tuple[int, bool] | None:
        """The parameter that a test asks, and what it has to be."""
        negated = self._program.negation_at(test)
        asked = test if negated is None else negated[0]
        return (asked, negated is None) if asked in self._parameters(path) else None

    def _parameters(self, path: str) -> dict[int, FunctionId]:
        """The parameters of the functions of a file, by node."""
        if path not in self._of_files:
            base = self._program.bases[path]
            functions = enumerate(self._program.surveys[path].functions)
            self._of_files[path] = {
                base + node: FunctionId(path, index) for index, function in functions for _, node in function.params
            }
        return self._of_files[path]

    @cached_property
    def _truths(self) -> dict[int, set[bool | None]]:
        """What calls give to each parameter that is tested before a value target; None: what is not known."""
        asked = {
            known[0]: self._parameters(path)[known[0]]
            for path, survey in self._program.surveys.items()
            for test, _, _ in survey.sides
            if (known := self._asked_of(path, self._program.bases[path] + test)) is not None
        }
        of_function: defaultdict[FunctionId, list[int]] = defaultdict(list)
        for parameter, function in asked.items():
            of_function[function].append(parameter)
        found: defaultdict[int, set[bool | None]] = defaultdict(set)
        for path, call, called in self._calls() if asked else ():
            for parameter in of_function.get(FunctionId(called.path, called.index), ()):
                found[parameter].add(self._given(path, call, called, parameter))
        return found

    def _calls(self) -> Iterator[tuple[str, ops.Call, FunctionRef]]:
        """The calls of functions of the project, but for those of pages and tests: these give what they like."""
        for path, survey in self._program.surveys.items():
            for call in survey.waits(ops.Call) if not survey.page and not self._imports.is_test(path) else ():
                for called in self._solver.values(self._program.bases[path] + call.called, FunctionRef):
                    yield path, call, called

    def _given(self, path: str, call: ops.Call, called: FunctionRef, parameter: int) -> bool | None:
        """What a call gives to a parameter, if that is a constant."""
        if call.stars or any(name is None for name, _, _ in call.keywords):
            return None
        base, function = self._program.bases[called.path], FunctionId(called.path, called.index)
        params = [(name, base + node) for name, node in self._program.function_at(function).params]
        bound = params[1:] if called.bound is not None else params
        nodes = {node: one.node for (_, node), one in zip(bound, call.args)}
        names = dict(bound)
        nodes |= {names[name]: node for name, node, _ in call.keywords if name in names}
        if parameter in nodes:
            return self._program.surveys[path].booleans.get(nodes[parameter])
        return self._default(called.path, parameter)

    def _default(self, path: str, parameter: int) -> bool | None:
        base, booleans = self._program.bases[path], self._program.surveys[path].booleans
        sources = [one.source for one in self._solver.predecessors[parameter] or () if one.way == "flow"]
        return booleans.get(sources[0] - base) if len(sources) == 1 else None


def _inside(span: Span, places: Iterable[Span]) -> bool:
    return any(span.within(one) for one in places)
