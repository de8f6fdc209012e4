"""Whether the program sets the key of the time limit itself, as old Gym's `TimeLimit` did, and may read it back."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.transfer.step_results import TIME_LIMIT
from done_lint.analysis.values import Environment, Info, Object
from done_lint.facts.ids.given_ids import given_ids
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import IndexKey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


#: Where a step of four values returns its info.
_INFO = IndexKey(3)


class LimitKeys:
    """Looks for what sets it in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._solver = analysis.solver
        self._objects = analysis.objects

    def may_be_set(self, info: int) -> bool:
        """Whether the key may be in the infos of a step, by the number of these."""
        field = self._objects.fields.get((info, TIME_LIMIT))
        if field is not None and any(edge.way == "set" for edge in self._solver.predecessors[field]):
            return True
        made = self._solver.get(self._solver.get(info, Info).env, Environment).node
        return self._has_wrapper and self._is_unseen(made)

    def declared_by(self, result: int) -> bool:
        """Whether the info of a tuple of four, by its number, may hold the key: its class says when time is up."""
        info = self._objects.fields.get((result, _INFO))
        return info is not None and any(map(self._is_written, self._solver.all(info, Object)))

    def _is_written(self, info: int) -> bool:
        field = self._objects.fields.get((info, TIME_LIMIT))
        return field is not None and any(edge.way in ("store", "hand") for edge in self._solver.predecessors[field])

    def _is_unseen(self, made: int) -> bool:
        """Whether no code in sight tells which environment it is: no `make` of an id that the program writes does.

        Who chooses the environment, or puts a wrapper around it, may put another one of the project there.
        """
        call = self._analysis.envs.make_calls.get(made)
        return call is None or not (call.id and given_ids(self._analysis, call.id))

    @cached_property
    def _has_wrapper(self) -> bool:
        """Whether a wrapper of the project sets the key in its `step`."""
        changes = (
            self._analysis.program.bases[path] + change.owner
            for path, survey in self._analysis.program.surveys.items()
            for change in survey.waits(ops.SetItem)
            if change.keys[-1] == TIME_LIMIT
        )
        return any(self._is_of_wrapper(info.node) for node in changes for info in self._solver.values(node, Info))

    def _is_of_wrapper(self, call: int) -> bool:
        """Whether a step is called in the `step` of a wrapper of the project."""
        home = self._analysis.program.home(call)
        if home is None or home.number < 0:
            return False
        function = self._analysis.program.function_at(home)
        return function.name == "step" and self._analysis.classes.is_wrapper(home.path, function.owner)
