"""Where the final infos of a vector environment are read as a list, out of sight of the step that gave them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.core.findings import Related
from done_lint.facts.provenance import Provenance
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import TextKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class FinalInfos:
    """Looks for the reads that no rule can judge or rewrite, because the infos were handed to another function."""

    def __init__(self, analysis: Analysis, provenance: Provenance) -> None:
        """Read from a solved graph."""
        self._analysis = analysis
        self._provenance = provenance

    def handed_on(self, env: int) -> tuple[Related, ...]:
        """These reads of the infos of an environment, by the node of the call that makes it."""
        return self._by_env.get(env, ())

    @cached_property
    def _by_env(self) -> dict[int, tuple[Related, ...]]:
        program, found = self._analysis.program, dict[int, set[Related]]()
        for env, step, read in self._analysis.envs.final_reads:
            home = program.home(read)
            # a test whether the key is there takes nothing for a list, and has no home
            tested = home is None or home.number < -1
            if not tested and home != program.home(step) and not self._is_dictionary(read):
                place = self._provenance.related(self._provenance.place(read), "read here")
                found.setdefault(env, set()).add(place)
        return {env: tuple(sorted(places, key=lambda one: (one.path, one.span))) for env, places in found.items()}

    def _is_dictionary(self, read: int) -> bool:
        """`infos["final_info"]["episode"]`: that is what it is since 1.1."""
        owner = self._analysis.program.owner(read)
        if owner is None:
            return False
        items = self._analysis.program.surveys[owner.path].waits(ops.Item)
        return any(one.source == owner.node and isinstance(one.keys[-1], TextKey) for one in items)
