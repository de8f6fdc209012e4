"""Which recursions over time run on into the next episode: what they carry is cut by *terminated* alone.

The sums of GAE (Schulman et al. 2016, equation 16), of returns and of traces run over one trajectory: what they carry
has to end wherever an episode does, also where it was cut short (Pardo et al. 2018, "Time Limits in Reinforcement
Learning"). Where a rollout goes on over a truncation, a carry that only a termination cuts adds the next episode's
advantages to this one's.

A leak needs evidence for both: that an episode can be truncated, and that the rows go on behind its end. So nothing is
said where the environment has no time limit, where nothing begins the next episode in the loop (see `episode_borders`),
and where the recursion runs inside the loop that steps: it sees what was collected since the last border, but for lists
that no end of an episode empties (see `gathered_episodes`). A loop that asks for truncation anywhere knows about the
border.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import flag_lattice
from done_lint.analysis.values import Place
from done_lint.core.findings import Related
from done_lint.facts.environments.endless_episodes import EndlessEpisodes
from done_lint.facts.kinds.flags import Sink
from done_lint.facts.provenance import Provenance, Slice
from done_lint.facts.value_targets.episode_borders import EpisodeBorders
from done_lint.facts.value_targets.gathered_episodes import GatheredEpisodes
from done_lint.facts.value_targets.rows_set import RowsSet
from done_lint.flowgraph.schema import Product

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.analysis.flag_evidence import Ending


class Carry(NamedTuple):
    """What a loop carries on, and where a mask or a test cuts it."""

    place: Place
    #: Node of the mask or test.
    node: int
    product: Product


class Leaks:
    """Finds the carries that run into the next episode."""

    def __init__(self, analysis: Analysis, provenance: Provenance, borders: EpisodeBorders) -> None:
        """Judge the carries of a solved graph."""
        self._solver = analysis.solver
        self._arrays = analysis.arrays
        self._program = analysis.program
        self._flags = analysis.flags
        self.provenance = provenance
        self._borders = borders
        self._gathered = GatheredEpisodes(analysis, provenance.running, borders)
        self._rows_set = RowsSet(analysis)
        self._endless = EndlessEpisodes(analysis)

    def carries(self) -> list[Carry]:
        """Every factor that masks what a loop carries."""
        found = []
        for (path, index), (_, nodes) in self._flags.products.items():
            product = self._program.surveys[path].products[index]
            if product.carried:
                found += [
                    Carry(Place(path, factor.span), node, product)
                    for factor, node in zip(product.factors, nodes)
                    if factor.node and not factor.decays
                    if any(map(flag_lattice.keeps, self._arrays.flat_flags(node)))
                ]
        return found

    def sink(self, carry: Carry) -> Sink | None:
        """The finding, where the carry leaks."""
        leading = self._cut_at_terminations(carry)
        if leading is None:
            return None
        endings = self._endings(leading.flag_sources(carry.place.path))
        at, function = carry.place, carry.product.function
        again = next(filter(_is_seen, (self._borders.behind(one, at, function) for one in endings)), None)
        if again is None and endings:
            way = leading.nodes()
            again = next(filter(_is_seen, (self._gathered.border(one, at, function, way) for one in endings)), None)
        if again is None or any(self._borders.is_one_episode(one, at, function) for one in endings):
            return None  # objects of one class are one: whose rows these are does not show
        form = "GAE" if carry.product.gae else "returns"
        cut = Related(*at, f"the carry of {form} is cut here, at terminations only")
        flag = min(self._arrays.flat_flags(carry.node))
        trace = self.provenance.trace(leading.entry(flag), flag)
        return Sink("leak", carry.place.span, "proven", (*trace, *again, cut), form=form)

    def separated(self, carry: Carry) -> Iterator[Place]:
        """The steps of episode after episode in the rows of the recursion, which only a termination tells apart there.

        Once such an episode ends at a truncation, too, the carry leaks.
        """
        leading = self._cut_at_terminations(carry)
        endings = self._endings(leading.flag_sources(carry.place.path)) if leading is not None else []
        for step in {one.step for one in endings if one.step is not None}:
            if self._borders.has_episodes(step, carry.place, carry.product.function):
                yield step

    def _cut_at_terminations(self, carry: Carry) -> Slice | None:
        """What leads to the mask of a carry, if that is *terminated* in every row and nothing asks for truncation."""
        held = self._arrays.flat_flags(carry.node)
        if (
            not held
            or any(f & flag_lattice.CAUSES != flag_lattice.TERMINATED for f in held)
            or self._asks_for_truncation(carry)
        ):
            return None
        if not self._is_known(carry.node) or self._rows_set.at_truncations(carry.node):
            return None
        return Slice(self.provenance, carry.node)

    # --- the recursion -----------------------------------------------------------------------------

    def _asks_for_truncation(self, carry: Carry) -> bool:
        """Some mask or test in the loop that carries holds truncation or a limit of its own."""
        path = carry.place.path
        survey, base = self._program.surveys[path], self._program.bases[path]
        loop = survey.loop_spans[carry.product.loop]
        asked = [base + factor.node for p in survey.products if p.loop == carry.product.loop for factor in p.factors]
        asked += [base + node for node, at in survey.tests if at.within(loop)]
        asked += [
            condition.test
            for choice, condition in self._flags.conditions.items()
            if choice.path == path and choice.at.within(loop)
        ]
        return any(
            f & (flag_lattice.TRUNCATED | flag_lattice.LIMIT) for node in asked for f in self._arrays.flat_flags(node)
        )

    def _is_known(self, mask: int) -> bool:
        """What the mask is in every row, if it is a choice: `1 - last` in the last one, `1 - dones[t + 1]` before."""
        sides = self._choices.get(mask)
        if sides is None:
            return bool(self._arrays.flat_flags(mask))
        return all(constant or self._is_known(side) for side, constant in sides)

    @cached_property
    def _choices(self) -> dict[int, tuple[tuple[int, str], tuple[int, str]]]:
        """The two sides of each choice, and what they are if they are constant, by its node."""
        return {c: ((a, ca), (b, cb)) for _, a, ca, b, cb, c in self._flags.conditions.values()}

    def _endings(self, sources: Iterable[int]) -> list[Ending]:
        """The steps that the flag of the mask comes from, if all that are visible can truncate too."""
        found: list[Ending] = []
        for node in sources:
            if (ending := self._flags.endings.get(node)) is not None:
                found += [] if ending.vector and self._endless.ends_terminated(ending.env) else [ending]
            elif not any(self._solver.flags(edge.source) for edge in self._solver.predecessors[node]):
                return []  # what a wrapper's `step` returns comes from the step inside
        return found


def _is_seen(border: tuple[Related, ...] | None) -> bool:
    return border is not None
