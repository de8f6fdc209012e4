"""By what ways flags go through a file: who calls its functions, who sets its attributes, what holds a flag."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import ClassRef, FunctionRef, Instance
from done_lint.core.findings import Span
from done_lint.facts.kinds.flags import Ways
from done_lint.flowgraph.keys import AttributeKey
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class FlagRoutes:
    """Reads from a solved graph by what ways flags go through files."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._solver = analysis.solver
        self._objects = analysis.objects
        self._arrays = analysis.arrays
        self._program = analysis.program
        self._imports = analysis.imports

    def of(self, survey: Survey) -> Ways:
        """The ways of one file."""
        path, base = survey.path, self._program.bases[survey.path]
        callers, calls, shared = self._calls
        holders = frozenset(
            span
            for span, local in survey.uses
            if any(flag_lattice.mixed(f) for f in self._arrays.flat_flags(base + local))
        )
        return Ways(
            {survey.functions[index].row: frozenset(spans) for index, spans in callers.get(path, {}).items()},
            frozenset(shared.get(path, set()) | self._set_elsewhere.get(path, set())),
            holders,
            frozenset(calls.get(path, ())),
            self._imports.is_script(path),
        )

    @cached_property
    def _calls(self) -> tuple[dict[str, dict[int, set[Span]]], dict[str, set[Span]], dict[str, set[str]]]:
        """By file: calls of its own functions in it, its calls of any, the names of its functions called elsewhere."""
        callers: dict[str, dict[int, set[Span]]] = {}
        calls: dict[str, set[Span]] = {}
        shared: dict[str, set[str]] = {}
        for _, site, called in self._program.calls():
            functions = {(one.path, one.index) for one in self._solver.values(called, FunctionRef)}
            if functions or self._solver.all(called, ClassRef):
                calls.setdefault(site.path, set()).add(site.span)
            for path, index in functions:
                if path == site.path and len(functions) == 1:
                    callers.setdefault(path, {}).setdefault(index, set()).add(site.span)
                else:
                    shared.setdefault(path, set()).add(self._program.surveys[path].functions[index].name)
        return callers, calls, shared

    @cached_property
    def _set_elsewhere(self) -> dict[str, set[str]]:
        """By file, the attributes of its classes that other files set."""
        found: dict[str, set[str]] = {}
        for (owner, key), field in self._objects.fields.items():
            instance = self._solver.value(owner)
            if isinstance(instance, Instance) and isinstance(key, AttributeKey):
                path = instance.path
                sites = [
                    passage.place for _, kind, passage in self._solver.predecessors[field] if kind == "set" and passage
                ]
                if any(site is not None and site.path != path for site in sites):
                    found.setdefault(path, set()).add(key.name)
        return found
