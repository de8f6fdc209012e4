"""One-step targets that take the next value out of the next row: what stands there behind the end of an episode.

`delta = r[t] + gamma * v[t + 1] * mask - v[t]` has no next state of its own. Where a rollout goes on behind a
truncation, the next row is the first one of the next episode: a mask that keeps the value there leads from one episode
into another, and the final observation, whose value is asked for, is in no row at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from done_lint.analysis.values import Place
from done_lint.facts.provenance import Provenance, Slice
from done_lint.facts.value_targets.episode_borders import EpisodeBorders
from done_lint.flowgraph.schema import Product

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis

_NEXT_EPISODE = (
    "behind a truncation the next row is the next episode's: the final observation, whose value is missing, is lost"
)


class NextRowTargets:
    """Says where the mask of such a target has to stay as it is."""

    def __init__(self, analysis: Analysis, provenance: Provenance, borders: EpisodeBorders) -> None:
        """Of a solved graph."""
        self._program = analysis.program
        self._endings = analysis.flags.endings
        self._provenance = provenance
        self._borders = borders

    def reads_beside(self, way: Iterable[int]) -> bool:
        """Whether a flag passes, on its way of nodes, code that reads the next row of a buffer as well.

        Such a buffer keeps no next state.
        """
        return any(map(self._is_beside_next_row, way))

    def hindrance(self, target: Place, product: Product | None, leading: Slice) -> str:
        """Why the mask of a one-step target that reads the next row has to stay; empty: it need not.

        Args:
            target: where the mask stands.
            product: the target, if it takes the next value from the next row itself, and not out of a buffer.
            leading: the way of the flag.
        """
        if product is None or product.rolled:
            return _NEXT_EPISODE
        known = self._endings
        endings = [known[node] for node in leading.flag_sources(target.path) if node in known]
        single = (self._borders.has_one_episode(one, target, product.function) for one in endings)
        return "" if endings and all(single) else _NEXT_EPISODE

    def _is_beside_next_row(self, node: int) -> bool:
        at = self._provenance.place(node)
        rows = self._program.surveys[at.path].next_rows if at is not None else ()
        return at is not None and any(first <= at.span.row <= last for first, last in rows)
