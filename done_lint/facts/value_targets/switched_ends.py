"""Truncation that is combined with termination only where a switch of the program is on: `if self.hard_ends:`.

The switch is a parameter, or an attribute that is set to one, which is off by default, and that no call visibly turns
on: who runs the program by its settings chooses to cut at truncations too, and all others do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.facts.provenance import Slice
    from done_lint.facts.value_targets.branches_not_taken import BranchesNotTaken


class SwitchedEnds:
    """Tells such flags from those that are combined in any case."""

    def __init__(self, analysis: Analysis, branches: BranchesNotTaken) -> None:
        """Of a solved graph, and the branches in it that a parameter decides about."""
        self._combinations = analysis.flags.combinations
        self._branches = branches

    def are_all_that_arrive(self, leading: Slice, path: str) -> bool:
        """Whether what leads to a mask is *terminated* alone unless a switch is on; `path`: of the mask."""
        if not self._branches.off_by_default:
            return False
        made = [node for node in leading.first_wrong() if node not in self._combinations]
        if made or not leading.terminated_arrives(path):
            return False
        return all(self._is_off(node) for node in leading.wrong_nodes() if node in self._combinations)

    def _is_off(self, joint: int) -> bool:
        """Whether flags are combined in a branch that is not taken by default."""
        place = self._combinations[joint].place
        sides = self._branches.off_by_default.get(place.path, ()) if place is not None else ()
        return place is not None and any(place.span.within(side) for side in sides)
