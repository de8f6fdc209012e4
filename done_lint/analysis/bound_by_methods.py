"""Attributes that a class binds to what a method of its object gives, which a subclass may override.

`self.env = self.create()` in a base: the environment of an object is what `create` of its own class makes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from done_lint.analysis.class_hierarchy import ClassHierarchy
from done_lint.analysis.program import ClassId, FunctionId, Program
from done_lint.analysis.solver import MADE, Solver
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Survey


class _Bound(NamedTuple):
    """What is bound in one file."""

    #: By class and attribute, the methods; an empty name: something else is bound there too.
    methods: Mapping[tuple[int, str], set[str]]
    #: By the node of what is bound, the class that binds it, and the method.
    results: Mapping[Node, tuple[int, str]]


class BoundByMethods:
    """Answers as far as the bases of classes are known by now."""

    def __init__(self, solver: Solver, program: Program, classes: ClassHierarchy) -> None:
        """Of the classes of one program."""
        self._solver = solver
        self._program = program
        self._classes = classes
        self._by_file: dict[str, _Bound] = {}

    def of_heir(self, heir: ClassId, base: ClassId, name: str) -> list[FunctionId]:
        """The methods whose results are an attribute of an heir, where the base binds it by others of these names."""
        methods = self._bound(base.path).methods.get((base.number, name), set())
        if "" in methods or all(self._method(heir, one) == self._method(base, one) for one in methods):
            return []
        return self._answering(heir, methods)

    def of_object(self, owner: ClassId, path: str, value: Node) -> list[FunctionId]:
        """The method whose result is bound to an attribute of an object, where the classes have several of its name."""
        base, method = self._bound(path).results.get(value, (-1, ""))
        if not method:
            return []
        heirs = (ClassId(path, base), *self._classes.below(path, base))
        several = len({self._method(one, method) for one in heirs}) > 1
        return self._answering(owner, [method]) if several else []

    def give(self, methods: Iterable[FunctionId], target: int) -> None:
        """Let a node have the environments and objects that methods return."""
        for one in methods:
            self._solver.edge(
                self._program.bases[one.path] + self._program.function_at(one).result, target, MADE, "return"
            )

    def _answering(self, owner: ClassId, names: Iterable[str]) -> list[FunctionId]:
        """The methods of these names that a class has; none if one of them is missing, or may give anything."""
        every = [self._method(owner, one) for one in names]
        found = [one for one in every if one is not None and self._is_plain(one)]
        return found if len(found) == len(every) else []

    def _method(self, owner: ClassId, name: str) -> FunctionId | None:
        return self._classes.method_of(*owner, name)

    def _is_plain(self, method: FunctionId) -> bool:
        function = self._program.function_at(method)
        return not (function.abstract or function.decorated or function.converts >= 0 or function.makes)

    def _bound(self, path: str) -> _Bound:
        if path not in self._by_file:
            self._by_file[path] = _read(self._program.surveys[path])
        return self._by_file[path]


def _read(survey: Survey) -> _Bound:
    selves = {one.params[0][1]: one.owner for one in survey.functions if one.owner >= 0 and one.params}
    names = {
        one.target: one.name for node in selves for one in survey.naming.get(node, ()) if isinstance(one, ops.Attribute)
    }
    called = {
        call.result: name
        for node, name in names.items()
        for call in survey.waiting.get(node, ())
        if isinstance(call, ops.Call)
    }
    methods: defaultdict[tuple[int, str], set[str]] = defaultdict(set)
    results: dict[Node, tuple[int, str]] = {}
    for op in survey.waits(ops.SetAttribute):
        if (owner := selves.get(op.owner)) is not None:
            methods[owner, op.name].add(called.get(op.value, ""))
            if op.value in called:
                results[op.value] = owner, called[op.value]
    return _Bound(methods, results)
