"""What is kept of each step, or learnt from at once, by the function that hands it on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Place, StepValue
from done_lint.facts.rows.handed_on import HandedOn
from done_lint.facts.rows.learnt_at_once import Learnt, learnt_at_once
from done_lint.facts.rows.row_parts import Kept, Part, makes_row, may_predict, of_one_part
from done_lint.facts.rows.step_stores import Store, Stores
from done_lint.facts.rows.step_values import StepValues

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.provenance import Provenance
    from done_lint.facts.value_targets.target_masks import Cut


@dataclass
class GatheredRow:
    """What one function hands on of one step to be kept."""

    #: Where each part is handed on.
    parts: dict[Part, set[Place]] = field(default_factory=dict)
    #: Of these, where it is kept for certain.
    kept: set[Place] = field(default_factory=set)
    #: The rewards among them, and the observations.
    rewards: list[Kept] = field(default_factory=list)
    observed: list[Kept] = field(default_factory=list)
    #: Where one environment's reward is kept by itself, as a log may keep it.
    single: set[Place] = field(default_factory=set)
    #: Nothing is kept, and a target is made of it.
    at_once: bool = False
    #: The flags that cut such targets, by their nodes.
    cutting: set[int] = field(default_factory=set)
    #: Its flags end a sum over time: what the policy made beside them stands for what was seen and done.
    summed: bool = False

    @property
    def learnt(self) -> bool:
        """Whether these are rows of transitions."""
        return makes_row(self.parts, summed=self.summed)

    @property
    def main(self) -> Part:
        """The part by which a row is shown."""
        return "reward" if "reward" in self.parts else "obs"

    @property
    def values(self) -> list[Kept]:
        """The values of this part."""
        return self.rewards or self.observed


class GatheredRows:
    """Gathers it from a solved graph."""

    def __init__(
        self, analysis: Analysis, provenance: Provenance, steps: Collection[int], cuts: Collection[Cut]
    ) -> None:
        """Of these steps, in a program whose value targets are cut at these places."""
        self._analysis = analysis
        self._steps = steps
        self._cuts = cuts
        self._stores = Stores(analysis)
        self._values = StepValues(analysis, provenance, steps)
        self._handed_on = HandedOn(analysis, provenance, self._values)

    def first_kept(self) -> Iterator[tuple[tuple[int, FunctionId], GatheredRow]]:
        """The rows of each step, by the function that hands them on.

        Where what was kept before is taken out and kept again, that is none.
        """

        def beside(kept: Kept) -> set[Place]:
            """Where the same value is handed on to be kept: by one function or by another."""
            return {place for place, _ in self._handed_on.by(kept)}

        found = self._all()
        learnt = {step for (step, _), row in found.items() if row.learnt}
        every = sorted(
            (key, row) for key, row in found.items() if row.learnt or (key[0] not in learnt and self._predicts(row))
        )
        for _, group in groupby(every, key=lambda one: one[0][0]):
            rows = list(group)
            for key, row in rows:
                before = set().union(*(one.parts[row.main] for _, one in rows)) - row.parts[row.main]
                if not before or any(
                    not _is_inside(self._handed_on.put_before(one), before - beside(one)) for one in row.values
                ):
                    yield key, row

    def _predicts(self, row: GatheredRow) -> bool:
        """Whether these are rows of what an action leads to: it, or the reward, and what was seen before and after.

        What was seen before the action came round the loop.
        """
        if not may_predict(row.parts):
            return False
        ways: defaultdict[int, set[frozenset[int]]] = defaultdict(set)
        for one in row.observed:
            ways[one.row] |= self._handed_on.ways(one)
        return any(len(found) > 1 for found in ways.values())

    def home(self, node: int) -> FunctionId:
        """The function that a node belongs to, as it is run."""
        return self._handed_on.home(node)

    def _all(self) -> dict[tuple[int, FunctionId], GatheredRow]:
        """What is kept of each step, by the function that hands it on."""
        found: dict[tuple[int, FunctionId], GatheredRow] = {}
        at_once = list(learnt_at_once(self._analysis, self._cuts, self.home))
        stored, wholes = list(self._stored()), self._values.elements.wholes
        # who hands a value on is searched for where it may belong to a row: most of a program keeps rewards alone
        parts: defaultdict[int, set[Part]] = defaultdict(set)
        for one in (value for _, values in stored for value in values):
            parts[one.step].add(one.part)
        asked = {one.step for one in at_once} | {step for step, kept in parts.items() if self._is_row(step, kept)}
        for store, values in stored:
            for one in values:
                for place, home in self._handed_on.by(one) if one.step in asked else ():
                    row = found.setdefault((one.step, home), GatheredRow(summed=one.step in self._summed))
                    row.parts.setdefault(one.part, set()).add(place)
                    row.kept.update(() if store.unseen else (place,))
                    row.rewards += [one] if one.part == "reward" else []
                    row.observed += [one] if one.part == "obs" else []
                    row.single.update((place,) if one.part == "reward" and one.node in wholes else ())
        self._add_learnt(found, at_once)
        return found

    def _is_row(self, step: int, parts: Collection[Part]) -> bool:
        return makes_row(parts, summed=step in self._summed) or may_predict(parts)

    @cached_property
    def _summed(self) -> frozenset[int]:
        """The steps whose flags end sums over time: returns, or the deltas of GAE."""
        ends = (one.node for one in self._cuts if one.kind == "recursion")
        values = (value for node in ends for value in self._analysis.solver.values(node, StepValue))
        return frozenset(value.step for value in values if value.part == "flag" and value.step in self._steps)

    def _stored(self) -> Iterator[tuple[Store, list[Kept]]]:
        """The places at which values of steps are kept, with these."""
        for survey in self._analysis.program.surveys.values():
            for store in self._stores.of(survey, self._values.arrive_at):
                values = list(self._kept(store))
                values = of_one_part(values) if store.unseen else values
                parts = {one.part for one in values}
                if not store.unseen or ("obs" in parts and makes_row(parts)):
                    yield store, values

    def _kept(self, store: Store) -> Iterator[Kept]:
        """The values of steps that are kept at a place, also in the fields of a row."""
        for node, span in store.values:
            place = Place(store.place.path, span) if span is not None else store.place
            for row, one in ((-1, node), *self._stores.fields(node)):
                yield from (Kept(*value, one, node, row, place) for value in self._values.of(one))
            for row, whole in self._values.by_key.get(node, ()):
                for _, one in self._analysis.objects.owned.get(row, ()):
                    yield from (Kept(*value, one, whole, row, place) for value in self._values.of(one))

    def _add_learnt(self, found: dict[tuple[int, FunctionId], GatheredRow], at_once: Iterable[Learnt]) -> None:
        """Add the steps of which nothing is kept, because a target is made of them as they come."""
        kept = {step for (step, _), row in found.items() if row.learnt}
        for reward, flag, step, place in at_once:
            if step not in self._steps or step in kept:
                continue
            given = Kept(step, "reward", reward.number, reward.node, -1, reward.node, place)
            ended = Kept(step, "flag", flag.number, flag.node, -1, flag.node, place)
            if self._handed_on.put_before(given) or self._handed_on.put_before(ended):
                continue
            flags = {at for at, _ in self._handed_on.by(ended)}
            for at, home in self._handed_on.by(given):
                row = found.setdefault((step, home), GatheredRow())
                row.at_once = True
                row.cutting.add(flag.node)
                row.rewards.append(given)
                row.parts.setdefault("reward", set()).add(at)
                row.parts.setdefault("flag", set()).update(flags)
                # the value that is masked is that of the step's observation
                row.parts.setdefault("obs", set()).add(at)


def _is_inside(places: Iterable[Place], others: Iterable[Place]) -> bool:
    """Whether one of the places is one of the others, or stands there: a list in an argument, `keep([reward])`."""
    return any(one.path == other.path and one.span.within(other.span) for one in places for other in others)
