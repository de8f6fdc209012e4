"""Ways to a value target that lead through a branch that is not taken: `if mode == "train": agent.remember(...)`.

Others may take such a way in a branch of their own: two scripts that share what learns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from done_lint.core.reach import reach

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.analysis.values import Site
    from done_lint.facts.value_targets.branches_not_taken import BranchesNotTaken


class WaysNotTaken:
    """Knows them in a solved graph."""

    def __init__(self, analysis: Analysis, not_taken: BranchesNotTaken) -> None:
        """Of a solved graph, whose branches are known."""
        self._solver = analysis.solver
        self._not_taken = not_taken

    def leave_out(self, site: Site) -> bool:
        """Whether a place is in such a branch."""
        return site is not None and any(site.span.within(one) for one in self._not_taken.left_out.get(site.path, ()))

    def are_all(self, node: int, number: int) -> bool:
        """Whether a value comes to a node by such ways alone."""
        if not self._not_taken.left_out:
            return False
        return all(self._sources(one, number) for one in reach([node], lambda one: self._taken(one, number)))

    def _taken(self, node: int, number: int) -> list[int]:
        return [source for source, site in self._sources(node, number) if not self.leave_out(site)]

    def _sources(self, node: int, number: int) -> list[tuple[int, Site]]:
        """Where a value comes from to a node, and the place that it is handed on at; nothing where it begins."""
        edges = self._solver.predecessors[node]
        found = [(one.source, one.passage.place if one.passage is not None else None) for one in edges]
        reason, _ = self._solver.reason(node, number)
        if reason >= 0 and all(source != reason for source, _ in found):
            found.append((reason, None))
        return [(source, site) for source, site in found if number in self._solver.held[source]]
