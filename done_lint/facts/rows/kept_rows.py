"""Where the rows of transitions are kept that a vector environment returns: a step's reward, with what belongs to it.

A row is found by what arrives where something is kept (`step_stores`), in whatever file: the reward of a step, and
beside it observations, flags or the action of the same step. It is shown where the function that takes the step, or
takes its result, hands the reward on.

Only environments that may reset in a step of their own are looked at, and of the places where something is kept only
those at which values of their steps arrive: most of a program keeps other things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Place, StepValue
from done_lint.core.findings import Span
from done_lint.facts.kinds.rows import Row
from done_lint.facts.rows.gathered_rows import GatheredRow, GatheredRows
from done_lint.facts.rows.masked_resets import reset_by_flags, reset_one_by_one
from done_lint.facts.rows.remembered_ends import asking_functions
from done_lint.facts.rows.round_choices import RoundChoices
from done_lint.facts.rows.row_choices import RowChoices
from done_lint.facts.rows.single_steps import SingleSteps
from done_lint.facts.rows.step_rounds import StepRounds
from done_lint.facts.rows.untruncated_branches import UntruncatedBranches
from done_lint.facts.value_targets.final_observations import asking_files
from done_lint.flowgraph.nesting import Nesting
from done_lint.knowledge.env_apis import NEXT_STEP

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.environments.environments import Environments
    from done_lint.facts.provenance import Provenance
    from done_lint.facts.value_targets.target_masks import Cut


class KeptRows:
    """Reads from a solved graph which rows are kept."""

    def __init__(
        self, analysis: Analysis, provenance: Provenance, environments: Environments, cuts: Collection[Cut]
    ) -> None:
        """Read from a solved graph, in which value targets are cut at these places."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._program = analysis.program
        self._provenance = provenance
        self._environments = environments
        self._choices = RowChoices(analysis)
        self._untruncated = UntruncatedBranches(analysis)
        self._singles = SingleSteps(analysis)
        self._rounds = StepRounds(analysis, provenance.running)
        self._in_rounds = RoundChoices(analysis, provenance)
        found = {step: environments.stepped(envs) for step, envs in analysis.flags.steps_of_several.items()}
        later = {step: env for step, env in found.items() if env is not None and env.api in NEXT_STEP}
        reset = reset_by_flags(analysis) | reset_one_by_one(analysis) if later else frozenset()
        #: The environments that may reset in a step of their own, by the step that they take.
        self._steps = {step: env for step, env in later.items() if step not in reset}
        #: By file, the places of its calls.
        self._calls: dict[str, tuple[list[Span], Nesting]] = {}
        self._gathered = GatheredRows(analysis, provenance, self._steps, cuts)

    def all(self) -> dict[str, tuple[Row, ...]]:
        """The rows by the file in which they are handed on to be kept."""
        rows: dict[str, list[Row]] = {}
        for (step, home), found in self._gathered.first_kept() if self._steps else ():
            env = self._steps[step]
            path, span = place = self._place(found)
            flags, observed = (_of_file(found.parts.get(part, ()), path) for part in ("flag", "obs"))
            origin = self._provenance.related(self._program.origin_site(step), "stepped here")
            unasked = not env.made and env.usual is None and not self._environments.modes.are_asked_for
            chosen, given = self._chosen(step, self._rounds.of(step, self._gathered.home(step), home, place), path)
            keepers = {self._gathered.home(one.whole) for one in found.values if one.whole >= 0} - {home}
            chosen = chosen or not self._remembering.isdisjoint(keepers)
            alone = self._singles.at(step)
            final = any(self._analysis.imports.together(one, path) for one in self._asking)
            cut = bool(found.cutting) and all(map(self._is_terminated, found.cutting))
            row = Row(
                env, origin, span, flags, chosen, unasked, alone, found.at_once, cut, observed, final, chosen_by=given
            )
            places = [one.place for one in found.values]
            if places and not found.at_once and all(map(self._untruncated.holds, places)):
                row = replace(row, untruncated=True)
            rows.setdefault(path, []).append(row)
        return {path: tuple(found) for path, found in rows.items()}

    def _is_terminated(self, node: int) -> bool:
        """Whether a flag is *terminated*, or its negation, by whatever way it came."""
        flags = self._analysis.arrays.flat_flags(node)
        return bool(flags) and all(one & flag_lattice.CAUSES == flag_lattice.TERMINATED for one in flags)

    @cached_property
    def _remembering(self) -> frozenset[FunctionId]:
        return asking_functions(self._analysis, self._gathered.home)

    @cached_property
    def _asking(self) -> list[str]:
        return sorted(asking_files(self._analysis))

    def _place(self, found: GatheredRow) -> Place:
        """The place of the rewards, or observations: the first in the call that takes most of the row."""
        together = Counter(call for places in found.parts.values() for call in {self._call(place) for place in places})
        every = found.parts[found.main] - found.single or found.parts[found.main]
        places = every & found.kept or every
        return min(places, key=lambda place: (-together[self._call(place)], place))

    def _call(self, place: Place) -> Place:
        """The innermost call around a place, or the place itself."""
        if place.path not in self._calls:
            calls = [call.at for call in self._program.surveys[place.path].calls()]
            self._calls[place.path] = calls, Nesting(calls)
        calls, nesting = self._calls[place.path]
        around = (calls[number] for number in nesting.around(place.span))
        return Place(place.path, max((at for at in around if at != place.span), default=place.span))

    def _chosen(self, step: int, rounds: list[Place], path: str) -> tuple[bool, tuple[Span, ...]]:
        """Whether flags of a step choose rows, or weigh them, outside of the loops that step.

        In a program that the file of the row is a part of: several may take steps by the same class. And by which flags
        functions choose that these loops call.
        """
        number, together = self._solver.find(StepValue("flag", step)), self._analysis.imports.together
        handed = set[Place]()
        for one in self._choices.all:
            if number not in one.held or not (one.at is None or together(one.at.path, path)):
                continue
            if one.at is not None and any(one.at.path == at.path and one.at.span.within(at.span) for at in rounds):
                continue
            given = self._in_rounds.given(one, number, rounds, path)
            if not given:
                return True, ()
            handed.update(given)
        return False, _of_file(handed, path)


def _of_file(places: Iterable[Place], path: str) -> tuple[Span, ...]:
    return tuple(sorted(at for file, at in places if file == path))
