"""Branches that no call of the program takes, for each of them gives the other constant: `update(mc=True)`.

What is asked is a parameter, or an attribute that is set to a parameter and to nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import ClassRef, FunctionRef, Instance
from done_lint.core.findings import Span
from done_lint.facts.value_targets.idle_recursions import IdleRecursions
from done_lint.facts.value_targets.texts_not_taken import TextsNotTaken
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import AttributeKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class BranchesNotTaken:
    """Looks at the tests of parameters, and at what these are given."""

    def __init__(self, analysis: Analysis) -> None:
        """Of a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._imports = analysis.imports
        self._classes = analysis.classes
        self._fields = analysis.objects.fields
        self._idle = IdleRecursions(analysis)
        self._texts = TextsNotTaken(analysis)
        #: By file, the parameters of its functions, by node.
        self._of_files: dict[str, dict[int, FunctionId]] = {}

    @cached_property
    def products(self) -> frozenset[tuple[str, int]]:
        """The products in such a branch, in a function that is called in such ones alone, or in an idle recursion."""
        left_out, called = self._functions | self._idle.functions, self.left_out
        return frozenset(
            (path, number)
            for path in {*called, *(one.path for one in left_out)}
            for number, product in enumerate(self._program.surveys[path].products)
            if FunctionId(path, product.function) in left_out or _inside(product.span, called.get(path, ()))
        )

    @cached_property
    def places(self) -> dict[str, list[Span]]:
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
    def left_out(self) -> dict[str, list[Span]]:
        """These, and the branches on a text that no call gives."""
        texts = self._texts.places
        return {path: [*self.places.get(path, ()), *texts.get(path, ())] for path in {*self.places, *texts}}

    @cached_property
    def off_by_default(self) -> dict[str, list[Span]]:
        """The branches, by file, that are not taken by the default of what is asked, and that no call visibly takes."""
        found: defaultdict[str, list[Span]] = defaultdict(list)
        for path, survey in self._program.surveys.items():
            for test, holds, side in survey.sides:
                asked = self._asked_of(path, self._program.bases[path] + test)
                function = self._function_of(asked[0]) if asked is not None else None
                if asked is None or function is None:
                    continue
                taking = asked[1] is holds
                default = self._default(function.path, asked[0])
                if default is (not taking) and taking not in self._truths.get(asked[0], ()):
                    found[path].append(side)
        return dict(found)

    def is_taken(self, path: str, test: int, holds: bool) -> bool:
        """Whether a side of a test is taken by the default of what is asked, or if a call visibly asks for it."""
        asked = self._asked_of(path, test)
        function = self._function_of(asked[0]) if asked is not None else None
        if asked is None or function is None:
            return False
        taking = asked[1] is holds
        return taking in (self._default(function.path, asked[0]), *self._truths.get(asked[0], ()))

    @cached_property
    def _functions(self) -> frozenset[FunctionId]:
        """The functions that are called in such branches alone."""
        if not self.left_out:
            return frozenset()
        found: set[FunctionId] = set()
        others: set[FunctionId] = set()
        for path, call, called in self._calls():
            here = _inside(call.at, self.left_out.get(path, ()))
            (found if here else others).add(FunctionId(called.path, called.index))
        return frozenset(found - others)

    def _asked_of(self, path: str, test: int) -> tuple[int, bool] | None:
        """The parameter that a test asks, and what it has to be."""
        negated = self._program.negation_at(test)
        asked = test if negated is None else negated[0]
        parameter = asked if asked in self._parameters(path) else self._set_to(asked)
        return (parameter, negated is None) if parameter else None

    def _set_to(self, asked: int) -> int:
        """The parameter that an attribute is always set to, or 0."""
        receiver, name = self._program.attribute_at(asked) or (0, "")
        owners = self._solver.values(receiver, Instance) if receiver else []
        lineage = {one for owner in owners for one in self._classes.lineage(*_id_of(owner)) if not isinstance(one, str)}
        made = [self._program.class_at(*one) for one in lineage]
        if any("*" in one.assigned or name in one.attrs for one in made):
            return 0  # they may set attributes whose names are not seen
        own = [self._solver.find(Instance(*one)) for one in lineage]
        fields = [self._fields.get((one, AttributeKey(name))) for one in own if one is not None]
        sources = {edge.source for field in fields if field is not None for edge in self._solver.predecessors[field]}
        parameter = sources.pop() if len(sources) == 1 else 0
        return parameter if parameter and self._function_of(parameter) is not None else 0

    def _function_of(self, node: int) -> FunctionId | None:
        """The function that a node is a parameter of."""
        owner = self._program.owner(node)
        return self._parameters(owner.path).get(node) if owner is not None else None

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
        """What calls give to each parameter that is tested; None: what is not known."""
        asked: dict[int, FunctionId] = {}
        for path, survey in self._program.surveys.items():
            for test, _, _ in survey.sides:
                known = self._asked_of(path, self._program.bases[path] + test)
                if known is not None and (function := self._function_of(known[0])) is not None:
                    asked[known[0]] = function
        of_function: defaultdict[FunctionId, list[int]] = defaultdict(list)
        for parameter, function in asked.items():
            of_function[function].append(parameter)
        found: defaultdict[int, set[bool | None]] = defaultdict(set)
        for path, call, called in self._calls() if asked else ():
            for parameter in of_function.get(FunctionId(called.path, called.index), ()):
                found[parameter].add(self._given(path, call, called, parameter))
        for parameter, function in asked.items():
            if function in self._handed_on:
                found[parameter].add(None)
        return found

    def _calls(self) -> Iterator[tuple[str, ops.Call, FunctionRef]]:
        """The calls of functions of the project, but for those of pages and tests: these give what they like."""
        for path, survey in self._program.surveys.items():
            for call in survey.waits(ops.Call) if not survey.page and not self._imports.is_test(path) else ():
                node = self._program.bases[path] + call.called
                for called in (*self._solver.values(node, FunctionRef), *self._constructors(node)):
                    yield path, call, called

    def _constructors(self, node: int) -> Iterator[FunctionRef]:
        """What a call of a class runs: the instance is its first argument."""
        for one in self._solver.values(node, ClassRef):
            function = self._classes.method_of(one.path, one.index, "__init__")
            instance = self._solver.find(Instance(one.path, one.index))
            if function is not None and instance is not None:
                yield FunctionRef(*function, instance)

    @cached_property
    def _handed_on(self) -> frozenset[FunctionId]:
        """The constructors of classes that are given to calls, which may make instances in another way."""
        found: set[FunctionId] = set()
        classes = self._solver.of_kinds(ClassRef)
        for path, survey in self._program.surveys.items():
            for call in survey.calls():
                for node in (self._program.bases[path] + one for one in ops.given(call)):
                    called = self._constructors(node) if self._solver.holds(node, classes) else ()
                    found.update(FunctionId(one.path, one.index) for one in called)
        return frozenset(found)

    def _given(self, path: str, call: ops.Call, called: FunctionRef, parameter: int) -> bool | None:
        """What a call gives to a parameter, if that is a constant."""
        if call.stars or any(name is None for name, _, _ in call.keywords):
            return None
        base = self._program.bases[called.path]
        function = self._program.function_at(FunctionId(called.path, called.index))
        params = [(name, base + node) for name, node in function.params]
        first = called.bound is not None
        nodes = {node: one.node for (_, node), one in zip(params[first : function.positional], call.args)}
        names = dict(params[first:])
        nodes |= {names[name]: node for name, node, _ in call.keywords if name in names}
        if parameter in nodes:
            return self._program.surveys[path].booleans.get(nodes[parameter])
        return self._default(called.path, parameter)

    def _default(self, path: str, parameter: int) -> bool | None:
        base, booleans = self._program.bases[path], self._program.surveys[path].booleans
        sources = [one.source for one in self._solver.predecessors[parameter] or () if one.way == "flow"]
        return booleans.get(sources[0] - base) if len(sources) == 1 else None


def _id_of(one: Instance) -> ClassId:
    return ClassId(one.path, one.index)


def _inside(span: Span, places: Iterable[Span]) -> bool:
    return any(span.within(one) for one in places)
