"""The environments and classes for old Gym in the programs of a file, and those that nothing in sight steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis.program import ClassId
from done_lint.core.findings import Family
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.facts.families import Families
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class ProgramMembers:
    """Finds them in a solved graph."""

    def __init__(self, analysis: Analysis, classes: EnvClasses, families: Families) -> None:
        """Look at nothing yet."""
        self._analysis = analysis
        self._program = analysis.program
        self._classes = classes
        self._families = families

    def near(self, path: str) -> Family:
        """The families of all of them that programs make which a file is a part of."""
        return self._arriving(path, self._families.gym_members)

    def unstepped_near(self, path: str) -> Family:
        """The families of those that nothing in sight steps, in these programs."""
        return self._arriving(path, self.unstepped)

    def _arriving(self, path: str, members: Iterable[Hashable]) -> Family:
        """The families of these members that programs make which a file is a part of."""
        together = self._analysis.imports.together
        found = (one for one in members if together(self._families.path(one), path))
        return frozenset().union(*map(self._families.of, found))

    @cached_property
    def unstepped(self) -> list[Hashable]:
        """The environments and classes for old Gym of which no code steps any of the family, but environments."""
        stepped: set[Family] = set()
        for path, survey in self._program.surveys.items():
            base = self._program.bases[path]
            for read in survey.telling if not survey.page else ():
                if read.name == "step" and self._is_outside(survey, read):
                    stepped |= {self._families.of(member) for member in self._families.at(base + read.source)}
        return [one for one in self._families.gym_members if self._families.of(one) not in stepped]

    def _is_outside(self, survey: Survey, read: ops.Attribute) -> bool:
        """Whether some method is read outside the environment classes."""
        calls = [one for one in survey.waiting.get(read.target, ()) if isinstance(one, ops.Call)]
        homes = [survey.homes.get(call.result, -1) for call in calls]
        owners = [survey.functions[home].owner if home >= 0 else -1 for home in homes]
        return any(owner < 0 or self._classes.of(survey.path, owner) is None for owner in owners)

    def unstepped_by_file(self) -> dict[str, Family]:
        """By file, the families of what is for old Gym and that no code steps but environments: who does is elsewhere.

        These are classes, and files that name some of Gym's and have none, nor an import that leads to one.
        """
        found: defaultdict[str, Family] = defaultdict(frozenset)
        for one in self.unstepped:
            if isinstance(one, ClassId):
                found[one.path] |= self._families.of(one)
        for path in self._families.without_environments():
            found[path] |= self._families.of_file(path)
        return found
