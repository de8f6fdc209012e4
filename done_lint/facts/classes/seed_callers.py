"""Who calls the `seed` of an environment class: code of the project, what seeds an unknown, what goes past wrappers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.open_steps import owner_name
from done_lint.analysis.program import FunctionId
from done_lint.analysis.values import Environment, FunctionRef
from done_lint.core.findings import Related
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class SeedCallers:
    """Looks for them in a solved graph."""

    def __init__(self, analysis: Analysis) -> None:
        """Look at nothing yet."""
        self._solver = analysis.solver
        self._program = analysis.program
        self._classes = analysis.classes
        self._imports = analysis.imports

    def is_called(self, seed: FunctionId) -> bool:
        """Whether code of the project calls it, or may do so past all wrappers."""
        return seed in self.called or self._is_reached(seed)

    def past_wrappers(self, seed: FunctionId) -> Related | None:
        """A call that may be one of it, by `env.unwrapped.seed(3)`, which no `reset` replaces."""
        return next((one for one in self._past if self._imports.together(one.path, seed.path)), None)

    @cached_property
    def called(self) -> Mapping[FunctionId, Related]:
        """The methods `seed` that are called with a seed, by code that is no environment's or a `reset`: one place."""
        found: dict[FunctionId, Related] = {}
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for read in survey.telling:
                if (call := self._way(survey, read)) is not None:
                    place = Related(path, call.at, _caller(survey, call))
                    for one in self._solver.values(base + read.target, FunctionRef):
                        found.setdefault(FunctionId(one.path, one.index), place)
        return found

    def is_asked(self, seed: FunctionId) -> bool:
        """Whether code seeds an environment that no class is seen of, and this method does more than Gym's own."""
        more = self._program.function_at(seed).seeds_more
        return more and any(self._imports.together(path, seed.path) for path in self._seeding_files)

    def _is_reached(self, seed: FunctionId) -> bool:
        """Whether code around every wrapper seeds an environment of which no class is seen: it may be of this one."""
        return any(self._imports.together(path, seed.path) for path in self._reaching_files)

    @cached_property
    def _reaching_files(self) -> list[str]:
        """The files on Gymnasium that call `env.unwrapped.seed` with a seed, of what is of no class in sight."""
        return [one.path for one in self._past if "gymnasium" in self._program.surveys[one.path].packages]

    @cached_property
    def _past(self) -> list[Related]:
        """The calls past all wrappers, with a seed, of what is of no class in sight."""
        found: list[Related] = []
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for read in survey.telling if not survey.page else ():
                unseen = self._goes_past(path, read) and not self._solver.values(base + read.target, FunctionRef)
                if (call := self._way(survey, read) if unseen else None) is not None:
                    found.append(Related(path, call.at, _caller(survey, call)))
        return found

    def _goes_past(self, path: str, read: ops.Attribute) -> bool:
        """Whether something is read of an environment without its wrappers: `env.unwrapped.seed`."""
        _, before = self._program.attribute_at(self._program.bases[path] + read.source) or (0, "")
        return before == "unwrapped"

    def _way(self, survey: Survey, read: ops.Attribute) -> ops.Call | None:
        """A call of this `seed` that is a way of the project's own to seed."""
        calls = survey.waiting.get(read.target, ()) if read.name == "seed" else ()
        return next((one for one in calls if isinstance(one, ops.Call) and self._is_own_way(survey, one)), None)

    @cached_property
    def unknown(self) -> Related | None:
        """The first call, outside of environment classes, that seeds what the program steps and nothing tells of."""
        for path, survey in self._program.surveys.items():
            stepped = {read.source for read in survey.telling if read.name == "step"}
            for read in survey.telling if stepped and not survey.page else ():
                unknown = read.source in stepped and not self._solver.held[self._program.bases[path] + read.source]
                call = self._way(survey, read) if unknown else None
                if call is not None:
                    return Related(path, call.at, "code that seeds what it steps")
        return None

    @cached_property
    def _seeding_files(self) -> list[str]:
        """The files that call `seed`, with a seed, of environments of the library's that are of no class in sight."""
        return [path for path, survey in self._program.surveys.items() if not survey.page and self._seeds_some(survey)]

    def _seeds_some(self, survey: Survey) -> bool:
        base = self._program.bases[survey.path]
        known = (one for one in survey.telling if self._solver.all(base + one.source, Environment))
        return any(self._way(survey, one) is not None for one in known)

    def _is_own_way(self, survey: Survey, call: ops.Call) -> bool:
        """A call with a seed: in a `reset`, in a `seed` that a library calls, or outside of environment classes."""
        if not (call.args or call.keywords or call.stars):
            return False
        home = survey.homes.get(call.result, -1)
        if home < 0 or survey.functions[home].name == "reset":
            return True
        owner = survey.functions[home].owner
        api = self._classes.api_of_class(survey.path, owner)[0] if owner >= 0 else None
        return api is None or (api.seed and survey.functions[home].name == "seed")


def _caller(survey: Survey, call: ops.Call) -> str:
    """The function that a call stands in, for a message."""
    name = owner_name(survey, survey.homes.get(call.result, -1))
    return f"`{name}`" if name else "code of the module"
