"""Which vector environments are made of ids that 1.0 took away: no later release can run the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from done_lint.analysis import registrations
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Environment, FunctionRef
from done_lint.knowledge.env_id_versions import is_lost
from done_lint.knowledge.gymnasium_changes import ONE

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class DeadIds:
    """Looks at what is given to the calls that make vector environments."""

    def __init__(self, analysis: Analysis) -> None:
        """Read from a solved graph."""
        self._analysis = analysis

    def are_all_of(self, env: int) -> bool:
        """Whether the call at a node makes nothing else, as far as its ids are seen."""
        found = registrations.made_ids(self._analysis, env) or [*self._ids_of_functions(env)]
        return bool(found) and all(map(self._is_dead, found))

    def _is_dead(self, env_id: str) -> bool:
        own = registrations.registered_as(env_id, self._analysis.envs.registered)
        return not own and is_lost(env_id, ONE)

    def _ids_of_functions(self, env: int) -> Iterator[str]:
        """The ids of what the functions of a list make; "" for what shows none."""
        solver, objects = self._analysis.solver, self._analysis.objects
        given = solver.held[self._analysis.envs.functions.get(env, 0)]
        elements = [field for number in given for _, field in objects.owned.get(number, ())]
        for number in {one for field in elements for one in solver.held[field]}:
            function = solver.value(number)
            if not isinstance(function, FunctionRef):
                yield ""
                continue
            known = FunctionId(function.path, function.index)
            result = self._analysis.program.bases[function.path] + self._analysis.program.function_at(known).result
            for made in solver.held[result]:
                one = solver.value(made)
                ids = registrations.made_ids(self._analysis, one.node) if isinstance(one, Environment) else []
                yield from ids or [""]
