"""Functions that return what a reset gave as it is, and those that take the observation out of it before.

Who calls such a function gets a pair once the reset has changed. Where a call can mean functions of both kinds, as a
method that a subclass replaces, all of them go on giving the observation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import values
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import FunctionRef, Place
from done_lint.core.findings import Span
from done_lint.facts.results.env_method_results import OwnResults
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class HandedResets:
    """Follows the results of resets through the functions of a solved graph."""

    def __init__(self, analysis: Analysis, own: OwnResults) -> None:
        """Look at nothing before a function is asked for."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._own = own
        #: By file, the places of the expressions that a node stands for.
        self._places: dict[str, dict[int, list[Span]]] = {}
        self._known: dict[FunctionId, bool] = {}

    def is_returned(self, call: int, site: Place) -> bool:
        """Whether a function returns what is made at a place as it is, at once or by a name that nothing else reads."""
        survey = self._program.surveys[site.path]
        if site.span in survey.returned:
            return True
        if site.path not in self._places:
            base = self._program.bases[site.path]
            uses = [(span, local) for span, local in survey.uses if self._solver.all(base + local, values.ResetResult)]
            self._places[site.path] = places_by_node(uses, survey)
        here = self._places[site.path].get(call - self._program.bases[site.path], [])
        return only_returned(site.span, here, survey)

    def hands_on(self, function: FunctionId) -> bool:
        """Whether whatever a function returns is what a reset gave, as it is."""
        if function not in self._known:
            self._known[function] = True  # of one that calls itself, the other results tell
            made = [one for local in self._returned(function) for one in self._own.origins.of(function.path, local)]
            self._known[function] = bool(made) and all(map(self._is_handed_on, made))
        return self._known[function]

    def _returned(self, function: FunctionId) -> list[int]:
        """What each `return` of a function gives; of a lambda, all that it does."""
        made = self._program.function_at(function)
        return [local for _, local, _ in made.outcomes] or [made.result]

    def _is_handed_on(self, node: int) -> bool:
        site = self._program.origin_site(node)
        if site is None or not self._solver.all(node, values.ResetResult) or not self.is_returned(node, site):
            return False
        return all(self._is_of_environment(one) or self.hands_on(one) for one in self._functions(node))

    def is_beside_another(self, function: FunctionId) -> bool:
        """Whether some call can mean this function, which hands a reset on, and another one, which does not."""
        return function in self._beside_others

    @cached_property
    def _beside_others(self) -> frozenset[FunctionId]:
        found: set[FunctionId] = set()
        for survey in self._program.surveys.values():
            base = self._program.bases[survey.path]
            for read in survey.telling:
                found |= self._unlike(_ids(self._solver.values(base + read.target, FunctionRef)))
        for _, _, called in self._program.calls():
            found |= self._unlike(_ids(self._solver.values(called, FunctionRef)))
        return frozenset(found)

    def _unlike(self, functions: frozenset[FunctionId]) -> set[FunctionId]:
        """Those of some functions that hand a reset on, if others of them do not."""
        if len(functions) < 2 or not any(map(self._gives_reset, functions)):
            return set()
        others = {one for one in functions if not self._is_of_environment(one)}
        handing = {one for one in others if self.hands_on(one)}
        return handing if handing != others else set()

    def _gives_reset(self, function: FunctionId) -> bool:
        result = self._program.bases[function.path] + self._program.function_at(function).result
        return bool(self._solver.all(result, values.ResetResult))

    def _is_of_environment(self, function: FunctionId) -> bool:
        """Whether it is a method of an environment class, which the library asks for pairs."""
        owner = self._program.function_at(function).owner
        return owner >= 0 and self._own.classes.of(*ClassId(function.path, owner)) is not None

    def _functions(self, call: int) -> frozenset[FunctionId]:
        """The functions of the project that a call can mean."""
        made = self._program.call_at(call)
        return _ids(self._solver.values(made[1], FunctionRef)) if made is not None else frozenset()


def _ids(functions: Iterable[FunctionRef]) -> frozenset[FunctionId]:
    return frozenset(FunctionId(one.path, one.index) for one in functions)


def places_by_node(uses: Iterable[tuple[Span, int]], survey: Survey) -> dict[int, list[Span]]:
    """The expressions that each node of a result stands for, also those behind a branch of two results.

    Args:
        uses: the expressions that may be such results, and their nodes in the file.
        survey: the file.
    """
    places: defaultdict[int, list[Span]] = defaultdict(list)
    for span, local in uses:
        places[local].append(span)
    joined = _joined(survey) if places else []
    whole = places.keys() - {result for result, _ in joined}
    if joined:
        whole |= {one.target for one in survey.operations if isinstance(one, ops.Allocate) and _is_pair(one)}
    known = -1
    while known != len(whole):
        known = len(whole)
        # what a loop joins may be its own value of the round before
        whole |= {result for result, sides in joined if all(side in whole or side == result for side in sides)}
    for result, sides in reversed(joined):
        for side in sides if result in whole else ():
            if side != result:
                places[side] += places[result]
    return places


def _joined(survey: Survey) -> list[tuple[Node, tuple[Node, ...]]]:
    """The nodes in which the values of several paths meet, behind a branch or where a loop begins anew."""
    copied: defaultdict[Node, list[Node]] = defaultdict(list)
    for one in survey.bindings:
        if isinstance(one, ops.Copy):
            copied[one.target].append(one.source)
    found = [(result, tuple(sides)) for result, sides in copied.items() if len(sides) > 1]
    found += [(choice.result, (choice.a, choice.b)) for choice in survey.choices]
    return sorted(found)


def _is_pair(made: ops.Allocate) -> bool:
    """`obs, info`: what a branch gives instead of the pair of a reset."""
    return made.kind == "tuple" and len(made.elements) == 2


def only_returned(span: Span, places: Iterable[Span], survey: Survey) -> bool:
    """`result = env.reset(); ...; return result`: all that reads the variable is `return`."""
    others = [at for at in places if at != span]
    return bool(survey.returned.intersection(others)) and all(
        at in survey.returned or (at.row <= span.row and at.column < span.column) for at in others
    )
