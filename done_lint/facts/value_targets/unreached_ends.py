"""Ends of dm_env episodes that no step is: the program begins each anew before the limit of its task.

What `last()` gives there is always false, and cuts nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.values import Environment, External, Text
from done_lint.core.findings import Span
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.dm_control_limits import ARGUMENTS, DOMAINS, LOADING, STEPS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.provenance import Slice


class UnreachedEnds:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._flags = analysis.flags

    def are_all_that_arrive(self, leading: Slice, path: str) -> bool:
        """Whether nothing but such ends leads to a mask; `path`: of the mask."""
        if not self._known:
            return False
        sources = list(leading.flag_sources(path))
        return bool(sources) and self._known.issuperset(sources)

    @cached_property
    def _known(self) -> frozenset[int]:
        """The nodes of what `last()` gives there."""
        surveys = self._program.surveys.values() if self._flags.lasts else ()
        return frozenset(node for survey in surveys if survey.short_episodes for node in self._of_file(survey))

    def _of_file(self, survey: Survey) -> Iterator[int]:
        base = self._program.bases[survey.path]
        stepped = {at for _, at, _ in survey.short_episodes}
        nodes = {at: base + node for at, node in survey.uses if at in stepped}
        short = {last for last, at, steps in survey.short_episodes if at in nodes and steps < self._limit(nodes[at])}
        return (one for one in self._flags.lasts if (at := self._place(survey, base, one)) and at in short)

    def _place(self, survey: Survey, base: int, node: int) -> Span | None:
        owner = self._program.owner(node)
        return survey.places.get(node - base) if owner is not None and owner[0] == survey.path else None

    def _limit(self, node: int) -> int:
        """The number of steps after which every environment at a node ends at the earliest; 0: it is not known."""
        made = [self._solver.value(number) for number in self._solver.held[node]]
        known = made and all(isinstance(one, Environment) and self._is_of_suite(one.node) for one in made)
        return STEPS if known else 0

    def _is_of_suite(self, node: int) -> bool:
        """Whether a call that makes an environment asks for a task of dm_control as it is."""
        call = self._program.call_at(node)
        if call is None or [one.dotted for one in self._solver.values(call[1], External)] != [LOADING]:
            return False
        given = self._program.arguments_at(node)
        named = {ARGUMENTS[one] if isinstance(one, int) and one < len(ARGUMENTS) else one for one in given}
        domain = given.get(0, given.get(ARGUMENTS[0], 0))
        written = not self._solver.predecessors[domain]  # what comes from elsewhere may be another one
        return written and named == set(ARGUMENTS) and self._ends_late(domain)

    def _ends_late(self, domain: int) -> bool:
        """Whether all names that a node has are of domains whose limit is known."""
        names = [self._solver.value(one) for one in self._solver.held[domain]]
        return bool(names) and all(isinstance(one, Text) and one.text in DOMAINS for one in names)
