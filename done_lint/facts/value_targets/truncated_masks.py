"""Masks of one-step targets that are 1 at truncations alone: `mask = truncated`, where `not terminated` was meant.

Such a target bootstraps where an episode was cut, and nowhere else. The same product is right where something else
bootstraps in all other steps (`rewards += gamma * value * truncated`, and a recursion behind it), and behind the end of
an episode. So it has to be the only product of its programs that discounts a value, under a name that is no reward's,
and made of a flag that was stored, or in every turn of the loop that steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.core.findings import Related, Span
from done_lint.facts.value_targets.target_masks import Cut, Cuts
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Product, Survey
from done_lint.knowledge import naming_conventions

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class TruncatedMasks:
    """Tells such masks from a bootstrap that is added at truncations on purpose."""

    def __init__(self, analysis: Analysis, cuts: Cuts) -> None:
        """Of a solved graph, and the cuts in it."""
        self._arrays = analysis.arrays
        self._program = analysis.program
        self._imports = analysis.imports
        self._cuts = cuts

    def bootstraps_alone(self, cut: Cut) -> bool:
        """Whether the mask is *truncated*, and nothing bootstraps in the steps where it is 0."""
        if cut.kind != "mask" or not self._is_truncated(cut.node):
            return False
        survey = self._program.surveys[cut.place.path]
        masked = [one for one in survey.products if any(cut.place.span == factor.span for factor in one.factors)]
        return any(self._is_target(survey, one) for one in masked) and not self._bootstraps_elsewhere(survey.path)

    def in_every_step(self, cut: Cut, trace: tuple[Related, ...]) -> bool:
        """Whether the target is made in every turn of the innermost loop around the step that the flag comes from."""
        path, span = cut.place
        survey = self._program.surveys[path]
        around = max((loop for loop in survey.loop_spans if span.within(loop)), default=None)
        steps = (at.span for at in trace[:1] if at.path == path)
        if around is None or not any(step.within(around) for step in steps):
            return False
        return not any(span.within(side) and side.within(around) for side in _sides(survey))

    def _is_truncated(self, node: int) -> bool:
        held = self._arrays.flat_flags(node)
        return bool(held) and all(map(flag_lattice.truncated_alone, held))

    def _is_target(self, survey: Survey, product: Product) -> bool:
        """Whether the product is added to something, and the sum is called otherwise than a reward."""
        sums = [one for one in survey.waits(ops.Sum) if product.node in one.inputs]
        names = {survey.names.get(one.result, "") for one in sums}
        return bool(names) and not any(not name or naming_conventions.reward(name) for name in names)

    def _bootstraps_elsewhere(self, path: str) -> bool:
        """Whether a discounted value has no such mask, in a program that runs the file."""
        together = self._imports.running_with([path])
        return any(not any(map(self._is_truncated, nodes)) for nodes in self._cuts.discounted_values(together))


def _sides(survey: Survey) -> Iterator[Span]:
    """What stands behind a test."""
    yield from survey.optional
    yield from (side for _, _, side in survey.sides)
