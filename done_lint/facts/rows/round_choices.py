"""Whether the flags that choose rows in a function are handed to it in the round of the loop that steps.

A helper that is called there, with the flags of this step, decides about the steps to come, as the round itself does:
`tracker.update(reward, done)` sets the returns of what ended to zero. Flags that were kept before come another way.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from done_lint.analysis.values import Place
from done_lint.core.reach import reach
from done_lint.facts.rows.ways_back import into

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.provenance import Provenance
    from done_lint.facts.rows.row_choices import Choice

#: How far the flags are followed back.
_NEAR = 200


class RoundChoices:
    """Follows flags back to the arguments of such calls."""

    def __init__(self, analysis: Analysis, provenance: Provenance) -> None:
        """In a solved graph."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._combinations = analysis.flags.combinations
        self._fields = provenance.fields

    def given(self, choice: Choice, number: int, rounds: Collection[Place], path: str) -> frozenset[Place]:
        """Where the rounds in a file hand over all flags, with this number, by which rows are chosen.

        Nowhere, if some came another way.
        """
        handed, others = set[Place](), False

        def before(node: int) -> Sequence[int]:
            nonlocal others
            if node in self._fields:
                others = True
                return ()
            sources, arguments = list[int](), set[Place]()
            for source, way, passage in into(node, self._solver.predecessors, self._program.wholes):
                if number not in self._solver.held[source]:
                    continue
                place = passage.place if passage is not None and way == "argument" else None
                if place is not None and any(place.path == path and _is_in(place, one) for one in rounds):
                    arguments.add(place)
                else:
                    sources.append(source)
            handed.update(arguments)
            if (combined := self._combinations.get(node)) is not None:
                sources += [one for one in combined.inputs if number in self._solver.held[one]]
            others = others or not (sources or arguments)
            return sources

        starts = [one for one in choice.masks if number in self._solver.held[one]]
        far = sum(1 for _ in reach(starts, before, bound=_NEAR)) == _NEAR
        return frozenset() if others or far else frozenset(handed)


def _is_in(place: Place, around: Place) -> bool:
    return place.path == around.path and place.span.within(around.span)
