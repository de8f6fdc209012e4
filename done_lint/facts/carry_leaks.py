"""Which recursions over time run on into the next episode: what they carry is cut by *terminated* alone.

The sums of GAE (Schulman et al. 2016, equation 16), of returns and of traces run over one trajectory: what they carry
has to end wherever an episode does, also where it was cut short (Pardo et al. 2018, "Time Limits in Reinforcement
Learning"). Where a rollout goes on over a truncation, a carry that only a termination cuts adds the next episode's
advantages to this one's.

A leak needs evidence for both: that an episode can be truncated, and that the rows go on behind its end. So nothing is
said where the environment has no time limit, where the recursion runs inside the loop that steps (it sees what was
collected since the last border), and where no reset stands in that loop. A loop that asks for truncation anywhere knows
about the border.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import flag_lattice
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import EnvMethod, Place, Site
from done_lint.core.findings import Related, Span
from done_lint.core.reach import reach
from done_lint.facts.facts import Sink
from done_lint.facts.provenance import Provenance, Slice
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

    def __init__(self, analysis: Analysis, provenance: Provenance) -> None:
        """Judge the carries of a solved graph."""
        self._solver = analysis.solver
        self._arrays = analysis.arrays
        self._program = analysis.program
        self._flags = analysis.flags
        self.provenance = provenance

    def carries(self) -> list[Carry]:
        """Every factor that masks what a loop carries."""
        found = []
        for (path, index), (_, nodes) in self._flags.products.items():
            product = self._program.surveys[path].products[index]
            if product.carried:
                found += [
                    Carry(Place(path, factor.span), node, product)
                    for factor, node in zip(product.factors, nodes)
                    if factor.node and any(map(flag_lattice.keeps, self._arrays.flat_flags(node)))
                ]
        return found

    def sink(self, carry: Carry) -> Sink | None:
        """The finding, where the carry leaks."""
        held = self._arrays.flat_flags(carry.node)
        if (
            not held
            or any(f & flag_lattice.CAUSES != flag_lattice.TERMINATED for f in held)
            or self._asks_for_truncation(carry)
        ):
            return None
        if not self._is_known(carry.node):
            return None
        leading = Slice(self.provenance, carry.node)
        ending = self._ending(leading.flag_sources(carry.place.path))
        if ending is None or ending.step is None or self._inside(carry, ending.step):
            return None
        border = None if ending.vector else self._reset_beside(ending.step)
        if border is None and not ending.vector:
            return None
        form = "GAE" if carry.product.gae else "returns"
        at = Related(*carry.place, f"the carry of {form} is cut here, at terminations only")
        again = (Related(*border, "the next episode begins here"),) if border is not None else ()
        trace = self.provenance.trace(leading.entry(min(held)), min(held))
        return Sink("leak", carry.place.span, "proven", (*trace, *again, at), form=form)

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

    def _inside(self, carry: Carry, step: Place) -> bool:
        """The recursion runs inside the loop that steps, there or in a function that is called there."""
        collecting = self._loop_around(step)
        if collecting is None:
            return False
        calls = self.provenance.running.callers
        function = FunctionId(carry.place.path, carry.product.function)
        around = reach([function], lambda home: calls.get(home, {}).values())
        places = [carry.place, *(place for home in around for place in calls.get(home, ()))]
        return any(place.path == step.path and place.span.within(collecting) for place in places)

    # --- the rollout -------------------------------------------------------------------------------

    def _ending(self, sources: Iterable[int]) -> Ending | None:
        """The step that the flag of the mask comes from, if all that are visible can truncate too."""
        found: Ending | None = None
        for node in sources:
            found = self._flags.endings.get(node)
            if found is None:
                return None
        return found

    def _reset_beside(self, step: Place) -> Site:
        """A reset in the innermost loop around the step: the rows go on behind the end of an episode."""
        loop = self._loop_around(step)
        resets = self._resets.get(step.path, ()) if loop is not None else ()
        return min((place for place in resets if self._loop_around(place) == loop), default=None)

    @cached_property
    def _resets(self) -> dict[str, list[Place]]:
        """Where environments are reset, by file."""
        found: dict[str, list[Place]] = {}
        for _, place, called in self._program.calls():
            names = {method.name for method in self._solver.values(called, EnvMethod)}
            if "reset" in names:
                found.setdefault(place.path, []).append(place)
        return found

    def _loop_around(self, place: Place) -> Span | None:
        """The innermost loop that a place stands in."""
        around = [loop for loop in self._program.surveys[place.path].loop_spans if place.span.within(loop)]
        return max(around, default=None)
