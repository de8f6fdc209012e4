"""Functions that no code of the program calls or hands on: what they do is done by nobody.

They keep nothing from being changed, and change themselves with what stands beside them. Anything that may call them in
another way counts as a call: a decorator, their name in a string, an attribute or a container that has them. A method
may be called where any attribute has its name, whatever that is read from, and by what its class inherits from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import PurePath

from done_lint.analysis.context import Analysis
from done_lint.analysis.open_steps import old_steps
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Environment, FunctionRef, Instance, Text
from done_lint.core.paths import PROSE
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops

#: Names of functions that a tool calls; the tests only in the files that pytest (`python_files`) and unittest collect.
_CALLED_BY_TOOLS = ("main", "pytest_")
#: Bases that call no method of their heirs.
_PLAIN = frozenset({"builtins.object", "abc.ABC"})
#: What comes to a node by more ways than this may come from anywhere.
_MOST_WAYS = 200
_TESTS, _FILES_OF_TESTS = "test", re.compile(r"test\w*\.py|\w+_test\.py|conftest\.py")


class UnusedFunctions:
    """The functions with an old step that nothing uses, of a solved graph."""

    def __init__(self, at: Analysis) -> None:
        """Look at every place that can use a function, if there is a step in the old form of something unknown."""
        self._at = at
        found = set(self._candidates())
        if found:
            found.difference_update(used_functions(at))
        self.functions = frozenset(found)
        #: The nodes of their parameters, and of what these are taken apart into, in files that also step what is known,
        #: or import Gym beside such a file.
        self.parameters = frozenset(
            at.program.bases[one.path] + node
            for one in found
            for node in (self._given(one) if self._is_of_program(one.path) else ())
        )

    def _given(self, function: FunctionId) -> Iterator[int]:
        """The parameters of a function, and the parts of tuples among them: `model, env = actor_env`."""
        survey = self._at.program.surveys[function.path]
        called = self._at.program.function_at(function)
        for _, node in called.params[called.owner >= 0 :]:
            yield node
            for unpack in survey.waiting.get(node, ()):
                yield from unpack.targets if isinstance(unpack, ops.Unpack) else ()

    def _is_of_program(self, path: str) -> bool:
        """Whether a file steps what is known, or imports Gym and runs with a file that does."""
        if self._steps_known(path):
            return True
        surveys, together = self._at.program.surveys, self._at.imports.together
        return "gym" in surveys[path].packages and any(
            together(one, path) and self._steps_known(one) for one in surveys
        )

    def _steps_known(self, path: str) -> bool:
        survey, base = self._at.program.surveys[path], self._at.program.bases[path]
        return any(self._is_known(base + one.source) for one in old_steps(survey))

    def _is_known(self, node: int) -> bool:
        if any(env.certainty == "proven" for env in self._at.solver.values(node, Environment)):
            return True
        instances = self._at.solver.values(node, Instance)
        return any(self._at.classes.api_of_class(one.path, one.index)[0] is not None for one in instances)

    def _candidates(self) -> Iterator[FunctionId]:
        for path, survey in self._at.program.surveys.items():
            if path.endswith(PROSE):
                continue
            for home in {one.home for one in old_steps(survey)}:
                if home >= 0 and (can_be_unused(self._at, path, home) or self._is_unread_method(path, home)):
                    yield FunctionId(path, home)

    def _is_unread_method(self, path: str, home: int) -> bool:
        """Whether a function is a method that nothing names, of a class that steps what is known in another method."""
        function = self._at.program.surveys[path].functions[home]
        if function.owner < 0 or function.decorated or function.kind != "function" or function.name.startswith("__"):
            return False
        if any(isinstance(one, str) and one not in _PLAIN for one in self._at.classes.lineage(path, function.owner)):
            return False  # what it inherits from may call it
        named = self._is_mentioned(function.name) or is_named(self._at, function.name)
        return not named and not _is_called_by_tool(path, function.name) and self._has_known_step(path, function.owner)

    def _has_known_step(self, path: str, owner: int) -> bool:
        survey, base = self._at.program.surveys[path], self._at.program.bases[path]
        methods = set(survey.classes[owner].methods.values())
        return any(one.home in methods and self._is_known(base + one.source) for one in old_steps(survey))

    def _is_mentioned(self, name: str) -> bool:
        """Whether an attribute or a variable of the program has a name, and not only functions that are defined."""
        return self._names[name] > self._defined[name]

    @cached_property
    def _names(self) -> Counter[str]:
        """How often each name stands in the program."""
        return Counter(name for survey in self._at.program.surveys.values() for name in survey.names.values())

    @cached_property
    def _defined(self) -> Counter[str]:
        """How many functions have each name."""
        return Counter(one.name for survey in self._at.program.surveys.values() for one in survey.functions)


class UnusedParameters:
    """Tells of what only functions that nothing uses are given, the project's wrappers inside of them too.

    All instances of a class are one value: what such a function wraps is none that stands anywhere else.
    """

    def __init__(self, at: Analysis) -> None:
        """Look at nothing before a node is asked for."""
        self._at = at
        self._parameters: frozenset[int] | None = None

    def are_all_of(self, node: int) -> bool:
        """Whether all that comes to a node begins at parameters of such functions."""
        preceding = self._at.solver.predecessors
        known = list(reach([node], lambda one: [edge.source for edge in preceding[one]], bound=_MOST_WAYS))
        starts = [one for one in known if not preceding[one]]
        return len(known) < _MOST_WAYS and bool(starts) and self._given_by_nobody().issuperset(starts)

    def _given_by_nobody(self) -> frozenset[int]:
        if self._parameters is None:
            used = frozenset(used_functions(self._at))
            self._parameters = frozenset(
                self._at.program.bases[path] + node
                for path, survey in self._at.program.surveys.items()
                for number, function in enumerate(survey.functions)
                if FunctionId(path, number) not in used and can_be_unused(self._at, path, number)
                for _, node in function.params
            )
        return self._parameters


def used_functions(at: Analysis) -> set[FunctionId]:
    """The functions that are called or handed to a call, that a function returns, or that an object has."""
    return _functions_at(at, _using(at, called=True))


def handed_functions(at: Analysis) -> set[FunctionId]:
    """The functions that something else than a call in sight may call: they are handed on, returned or kept."""
    return _functions_at(at, _using(at, called=False))


def _functions_at(at: Analysis, nodes: Iterator[int]) -> set[FunctionId]:
    numbers: set[int] = set()
    for node in nodes:
        numbers.update(at.solver.held[node])
    used = (value for number in numbers if isinstance(value := at.solver.value(number), FunctionRef))
    return {FunctionId(one.path, one.index) for one in used}


def is_named(at: Analysis, name: str) -> bool:
    """Whether a string of the program has the name of a function."""
    return at.solver.find(Text(name)) is not None


def can_be_unused(at: Analysis, path: str, number: int) -> bool:
    """Whether nothing uses a function unless a call or a value in sight does."""
    function = at.program.surveys[path].functions[number]
    if function.owner >= 0 or function.decorated or not function.row:
        return False
    return not is_named(at, function.name) and not _is_called_by_tool(path, function.name)


def _using(at: Analysis, *, called: bool) -> Iterator[int]:
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for call in survey.calls():
            if called:
                yield base + call.called
            yield from (base + node for node, _ in call.args)
            yield from (base + node for _, node, _ in call.keywords)
        yield from (base + function.result for function in survey.functions)
    yield from at.objects.fields.values()


def _is_called_by_tool(path: str, name: str) -> bool:
    """Whether a tool finds a function by its name."""
    collected = name.startswith(_TESTS) and _FILES_OF_TESTS.fullmatch(PurePath(path).name) is not None
    return collected or name.startswith(_CALLED_BY_TOOLS)
