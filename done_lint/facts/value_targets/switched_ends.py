"""Truncation that is combined with termination on one side of a branch only, as an option of the program asks.

`if self.hard_ends:` asks a switch: a parameter, or an attribute that is set to one. If it is off by default, and no
call visibly turns it on, who runs the program by its settings chooses to cut at truncations too, and all others do not.
`if args.cut == "always":` with `end = terminated | truncated` on one side and `end = terminated` on the other one is
such a choice, too, where nothing says what is asked for.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING

from done_lint.analysis import flag_lattice
from done_lint.core.reach import reach
from done_lint.facts.provenance import BACKWARD, UNFLAGGED

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis
    from done_lint.analysis.flag_evidence import Condition
    from done_lint.analysis.values import ChoiceMark
    from done_lint.facts.provenance import Slice
    from done_lint.facts.value_targets.branches_not_taken import BranchesNotTaken


class SwitchedEnds:
    """Tells such flags from those that are combined in any case."""

    def __init__(self, analysis: Analysis, branches: BranchesNotTaken) -> None:
        """Of a solved graph, and the branches in it that a parameter decides about."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._arrays = analysis.arrays
        self._flags = analysis.flags
        self._branches = branches

    def are_all_that_arrive(self, leading: Slice, path: str) -> bool:
        """Whether what leads to a mask is *terminated* alone unless a switch is on; `path`: of the mask."""
        if not (self._branches.off_by_default or self._of_one_side) or not leading.terminated_arrives(path):
            return False
        nearest = leading.wrong_nodes_before(self._is_asked_for)
        return all(one not in self._flags.combinations and not is_first for one, is_first in nearest)

    def doubt(self, node: int) -> str:
        """The branch whose other side gives a flag another value, for which *terminated* is none, in one clause."""
        for one in reach([node], self._before, bound=BACKWARD) if self._of_one_side else ():
            if one in self._of_one_side:
                mark, _ = self._of_one_side[one]
                return (
                    f"a branch ({PurePath(mark.path).name}:{mark.at.row}) chooses between this flag and another value"
                )
        return ""

    def _is_asked_for(self, node: int) -> bool:
        """Whether flags are combined there on a side that an option asks for."""
        if node in self._flags.combinations:
            place = self._flags.combinations[node].place
            sides = self._branches.off_by_default.get(place.path, ()) if place is not None else ()
            return place is not None and any(place.span.within(side) for side in sides)
        if node not in self._of_one_side:
            return False
        mark, choice = self._of_one_side[node]
        in_body = self._is_mixed(choice.a)
        other = choice.b if in_body else choice.a
        alone = {flag & flag_lattice.CAUSES for flag in self._arrays.flat_flags(other)} == {flag_lattice.TERMINATED}
        taken = self._branches.is_taken(mark.path, choice.test, in_body)
        return alone and not taken and self._steps(other) <= self._steps(choice.a if in_body else choice.b)

    @cached_property
    def _of_one_side(self) -> dict[int, tuple[ChoiceMark, Condition]]:
        """The choices, by what they choose, between a flag with truncation and what is none, by no flag."""
        found: dict[int, tuple[ChoiceMark, Condition]] = {}
        for mark, one in self._flags.conditions.items():
            mixed = self._is_mixed(one.a), self._is_mixed(one.b)
            sides = (one.a, one.a_constant), (one.b, one.b_constant)
            known = all(constant == "zero" or self._arrays.flat_flags(node) for node, constant in sides)
            if mixed[0] is mixed[1] or not known or self._arrays.flat_flags(one.test):
                continue
            if not any(at.within(mark.at) for at in self._program.surveys[mark.path].guarded):
                found[one.result] = mark, one
        return found

    def _is_mixed(self, node: int) -> bool:
        return any(map(flag_lattice.mixed, self._arrays.flat_flags(node)))

    def _before(self, node: int) -> list[int]:
        """The nodes that a flag with truncation comes from."""
        return [edge.source for edge in self._solver.predecessors[node] if self._is_mixed(edge.source)]

    def _steps(self, node: int) -> set[object]:
        """The places of the steps that a flag comes from."""

        def before(at: int) -> list[int]:
            sources = () if at in self._flags.sources else self._solver.predecessors[at]
            return [edge.source for edge in sources if self._solver.flags(edge.source)]

        near = reach([node], before, bound=UNFLAGGED)
        return {self._flags.sources[one].place for one in near if one in self._flags.sources}
