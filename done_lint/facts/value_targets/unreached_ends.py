"""Ends of episodes by a limit that no step is: the program begins each episode anew before the limit of its task.

What `last()` of dm_env gives there is always false, and cuts nothing. A step right behind a reset is the first of its
episode, which no limit of Gymnasium's own tasks ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice, registrations
from done_lint.analysis.values import Environment, External, Place, Text
from done_lint.core.findings import Span
from done_lint.core.reach import reach
from done_lint.facts.provenance import BACKWARD
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import env_id_apis
from done_lint.knowledge.dm_control_limits import ARGUMENTS, DOMAINS, LOADING, STEPS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.provenance import Slice


class UnreachedEnds:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._flags = analysis.flags

    def are_all_that_arrive(self, leading: Slice, path: str) -> bool:
        """Whether nothing but such ends leads to a mask; `path`: of the mask."""
        if not self._known:
            return False
        sources = list(leading.flag_sources(path))
        return bool(sources) and self._known.issuperset(sources)

    def are_all_at(self, node: int) -> bool:
        """Whether all flags with truncation at a node are those of first steps."""
        if not self._first or not any(map(_truncates, self._solver.flags(node))):
            return False
        before = {one: self._before(one) for one in reach([node], self._before, bound=BACKWARD)}
        return all(self._site(one) in self._first for one, sources in before.items() if not sources)

    def _before(self, node: int) -> list[int]:
        """The nodes that a flag with truncation comes from, also where it is put together from two."""
        if node in self._flags.sources:
            return []
        before = [edge.source for edge in self._solver.predecessors[node]]
        if (combined := self._flags.combinations.get(node)) is not None:
            before += combined.inputs
        return [one for one in before if any(map(_truncates, self._solver.flags(one)))]

    def _site(self, node: int) -> Place | None:
        source = self._flags.sources.get(node)
        return Place(*source.place) if source is not None and source.place is not None else None

    @cached_property
    def _first(self) -> frozenset[Place]:
        """The steps right behind a reset of an environment whose limit is known to come later."""
        found = set[Place]()
        for survey in self._program.surveys.values():
            base, at = self._program.bases[survey.path], {env for _, env in survey.first_steps}
            nodes = {span: base + node for span, node in survey.uses if span in at}
            known = {span for span, node in nodes.items() if self._has_late_limit(node)}
            found.update(Place(survey.path, step) for step, env in survey.first_steps if env in known)
        return frozenset(found)

    def _has_late_limit(self, node: int) -> bool:
        """Whether nothing but tasks of the library's own arrives, by `make`, which asks for no limit."""
        made = self._analysis.envs.makes
        for number in self._solver.held[node]:
            env = self._solver.value(number)
            call = made.get(env.node) if isinstance(env, Environment) else None
            ids = registrations.made_ids(self._analysis, env.node) if isinstance(env, Environment) and call else []
            if call is None or call.hidden or "max_episode_steps" in call.keywords or not ids:
                return False
            if not all(map(env_id_apis.is_own, ids)):
                return False
        return bool(self._solver.held[node])

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


def _truncates(flag: int) -> bool:
    return bool(flag & (flag_lattice.TRUNCATED | flag_lattice.LIMIT))
