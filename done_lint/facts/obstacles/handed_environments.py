"""Where a program hands environments to code that nothing shows: methods of unknown objects, and loaded modules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.open_steps import is_loaded, is_open, owner_name
from done_lint.analysis.program import FunctionId
from done_lint.core.findings import Family
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.facts.families import Families
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Function

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_HANDS = "hands an environment to `{}` of an object that cannot be followed"


class HandedEnvironments:
    """Looks for them in a solved graph."""

    def __init__(self, analysis: Analysis, classes: EnvClasses, families: Families) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._program = analysis.program
        self._classes = classes
        self._families = families

    def of(self, path: str) -> Iterator[Obstacle]:
        """The calls that hand an environment to a method of what nothing shows, where the program has such a method."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for read, call in self._open_calls(path):
            nodes: list[tuple[int | str | None, int]] = [(one.name, one.node) for one in call.keywords]
            # behind a star nobody knows which place it is
            nodes += [(None if call.stars else place, one.node) for place, one in enumerate(call.args)]
            given = {place: base + one for place, one in nodes if one and self._families.at(base + one)}
            families = (self._families.of_node(one) for one in given.values())
            family = frozenset[str]().union(*(one for one in families if one))
            if self._families.has_gym_file(family) and self._is_taken(read.name, path, given):
                owner = owner_name(survey, survey.homes.get(call.result, -1))
                yield Obstacle(path, call.at, owner, _HANDS.format(read.name), family)

    def loaded(self) -> dict[str, Family]:
        """By file, the families of what it hands to code of a module that it imports by a name."""
        found: defaultdict[str, Family] = defaultdict(frozenset)
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for call in survey.calls() if "importlib" in survey.packages and not survey.page else ():
                given = self._program.given_at(base + call.result)
                families = [one for one in map(self._families.of_node, filter(self._families.at, given)) if one]
                if any(map(self._families.has_gym_file, families)) and is_loaded(self._analysis, base + call.called):
                    found[path] = found[path].union(*families)
        return found

    def _open_calls(self, path: str) -> Iterator[tuple[ops.Attribute, ops.Call]]:
        """The calls of methods that nothing is known of, where they may be the project's."""
        survey, base = self._program.surveys[path], self._program.bases[path]
        for read in (one for found in survey.naming.values() for one in found if isinstance(one, ops.Attribute)):
            if survey.page or read.name not in self._methods_by_name:
                continue
            if is_open(self._analysis, base + read.source) and is_open(self._analysis, base + read.target):
                calls = survey.waiting.get(read.target, ())
                yield from ((read, call) for call in calls if isinstance(call, ops.Call))

    def _is_taken(self, name: str, path: str, given: Iterable[int | str | None]) -> bool:
        """Whether a program has a method of this name, and nothing in sight hands an environment to it.

        A method that reads no more than the spaces of what it is given there does the same with any environment.
        """
        return any(
            self._analysis.imports.together(path, method.path)
            and not any(self._families.at(node) for node in self._parameters(method))
            and not _reads_spaces(self._program.function_at(method), given)
            for method in self._methods_by_name.get(name, ())
        )

    def _parameters(self, method: FunctionId) -> list[int]:
        function, base = self._program.function_at(method), self._program.bases[method.path]
        return [base + node for _, node in function.params[1:]]

    @cached_property
    def _methods_by_name(self) -> dict[str, list[FunctionId]]:
        """The methods of the project that take something, but those of environments, by their names."""
        found: defaultdict[str, list[FunctionId]] = defaultdict(list)
        for path, survey in self._program.surveys.items():
            for index, made in enumerate(survey.classes if not survey.page else ()):
                for name, number in made.methods.items() if self._classes.of(path, index) is None else ():
                    function = survey.functions[number]
                    if len(function.params) > 1 or function.vararg >= 0 or function.kwarg >= 0:
                        found[name].append(FunctionId(path, number))
        return found


def _reads_spaces(method: Function, given: Iterable[int | str | None]) -> bool:
    """Whether a method reads no more than the spaces of its arguments at these places, or by these names."""
    names = [name for name, _ in method.params[method.kind != "static" : method.positional]]
    places = [names[one] if isinstance(one, int) and one < len(names) else one for one in given]
    return method.abstract or all(one in method.spaces_of for one in places)
