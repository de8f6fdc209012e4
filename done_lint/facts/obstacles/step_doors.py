"""Calls, past what `make` puts around a class, of a method that returns what the `step` of that class does.

`env.careless_step(action)`: the result changes with `step`, and the call reaches it through attributes alone, behind
which no values are followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import registrations
from done_lint.analysis.program import ClassId, FunctionId
from done_lint.analysis.values import Environment, Object
from done_lint.facts.environments.inside import Inside
from done_lint.flowgraph import operations as ops

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_STEPS = ("step", "_step")


class StepDoors:
    """Looks for them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._inside = Inside(analysis)

    def of(self, path: str) -> Iterator[tuple[ops.Attribute, ops.Call]]:
        """The reads and calls of such methods in a file."""
        survey, base = self._analysis.program.surveys[path], self._analysis.program.bases[path]
        for read in (one for found in survey.naming.values() for one in found if isinstance(one, ops.Attribute)):
            if survey.page or read.name not in self._doors:
                continue
            if not self._doors[read.name].isdisjoint(self._classes_at(base + read.source)):
                calls = survey.waiting.get(read.target, ())
                yield from ((read, call) for call in calls if isinstance(call, ops.Call))

    def _classes_at(self, node: int) -> Iterator[ClassId]:
        """The classes of the project that the environments at a node may be of, wrapped or not."""
        for one in self._inside.around(node):
            for env in self._analysis.solver.values(one, Environment):
                yield from registrations.entries(self._analysis, env.node)
                if env.node in self._analysis.envs.make_calls:
                    yield from registrations.possible_entries(self._analysis, env.node)

    @cached_property
    def _doors(self) -> dict[str, set[ClassId]]:
        """The methods that return what a `step` of four values does, by name, and the classes that are registered."""
        found: dict[str, set[ClassId]] = {}
        for owner in sorted({one for classes in self._analysis.envs.entries.values() for one in classes}):
            for name in self._names(owner):
                found.setdefault(name, set()).add(owner)
        return found

    def _names(self, owner: ClassId) -> Iterator[str]:
        """The names of a class's own methods that return such a result."""
        classes, program = self._analysis.classes, self._analysis.program
        lineage = [one for one in classes.lineage(*owner) if not isinstance(one, str)]
        methods = {name for one in lineage for name in program.class_at(*one).methods}
        stepped = {result for name in _STEPS for result in self._results(classes.method_of(*owner, name))}
        for name in sorted(methods.difference(_STEPS)):
            if not stepped.isdisjoint(self._results(classes.method_of(*owner, name))):
                yield name

    def _results(self, method: FunctionId | None) -> list[int]:
        """What a method returns of four values, by number."""
        if method is None:
            return []
        program, widths = self._analysis.program, self._analysis.objects.widths
        node = program.bases[method.path] + program.function_at(method).result
        return [one for one in self._analysis.solver.all(node, Object) if widths.get(one) == 4]
