"""Functions that no code of the program calls or hands on: what they do is done by nobody.

They keep nothing from being changed, and change themselves with what stands beside them. Anything that may call them in
another way counts as a call: a decorator, their name in a string, an attribute or a container that has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from done_lint.analysis.context import Analysis
from done_lint.analysis.open_steps import old_steps
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Environment, FunctionRef, Instance, Text
from done_lint.core.paths import PROSE
from done_lint.flowgraph import operations as ops

#: Names of functions that a tool calls; the tests only in the files that pytest (`python_files`) and unittest collect.
_CALLED_BY_TOOLS = ("main", "pytest_")
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
        for _, node in self._at.program.function_at(function).params:
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
                function = survey.functions[home] if home >= 0 else None
                if function is None or function.owner >= 0 or function.decorated or not function.row:
                    continue
                if not is_named(self._at, function.name) and not _is_called_by_tool(path, function.name):
                    yield FunctionId(path, home)


def used_functions(at: Analysis) -> Iterator[FunctionId]:
    """The functions that are called or handed to a call, that a function returns, or that an object has."""
    for node in _using(at):
        for one in at.solver.values(node, FunctionRef):
            yield FunctionId(one.path, one.index)


def is_named(at: Analysis, name: str) -> bool:
    """Whether a string of the program has the name of a function."""
    return at.solver.find(Text(name)) is not None


def _using(at: Analysis) -> Iterator[int]:
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for call in survey.calls():
            yield base + call.called
            yield from (base + node for node, _ in call.args)
            yield from (base + node for _, node, _ in call.keywords)
        yield from (base + function.result for function in survey.functions)
    yield from at.objects.fields.values()


def _is_called_by_tool(path: str, name: str) -> bool:
    """Whether a tool finds a function by its name."""
    collected = name.startswith(_TESTS) and _FILES_OF_TESTS.fullmatch(PurePath(path).name) is not None
    return collected or name.startswith(_CALLED_BY_TOOLS)
