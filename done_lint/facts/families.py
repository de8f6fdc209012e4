"""Families: what one environment object or class reaches, which changes together or not at all.

A class and its bases, a wrapper and what is inside it, the call that makes an environment, and every place that steps,
resets, renders or seeds it: where one of them cannot be changed, changing the others breaks a program that runs. A file
that imports Gym belongs to the family of every environment in it, because the import is one for all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from done_lint.analysis import registrations
from done_lint.analysis.open_steps import open_steps
from done_lint.analysis.program import ClassId
from done_lint.analysis.values import Environment, EnvMethod, EnvResult, Info, Instance
from done_lint.core.findings import Family, Span
from done_lint.facts.env_classes import EnvClasses
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.schema import Survey

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class Obstacle(NamedTuple):
    """A place that keeps families from being changed, though no rule speaks about it."""

    path: str
    span: Span
    #: The function that it stands in.
    owner: str
    family: Family


class Families:
    """Joins the environments and classes of a solved graph that meet anywhere."""

    def __init__(self, analysis: Analysis, classes: EnvClasses) -> None:
        """Look at every place where environments meet."""
        self._analysis = analysis
        self._classes = classes
        self._above: dict[Hashable, Hashable] = {}
        #: Files that import Gym.
        self._old = {
            path
            for path, survey in analysis.program.surveys.items()
            if any(module.partition(".")[0] == "gym" for module in survey.imports)
        }
        self._join_classes()
        self._join_makers()
        self._join_users()
        self._join_files()
        self._families = self._named()

    def of_node(self, node: int) -> Family | None:
        """The families of the environments in a node, and of their methods and results; None: of none."""
        solver = self._analysis.solver
        held = [solver.value(number) for number in solver.held[node]]
        members: set[Hashable] = {*self._at(node)}
        members |= {
            solver.get(value.env, Environment).node for value in held if isinstance(value, (EnvMethod, EnvResult, Info))
        }
        return frozenset().union(*map(self._of, members)) or None

    def of_classes(self, path: str) -> dict[int, Family]:
        """The families of the environment classes of a file, by the row of the word `class`."""
        classes = enumerate(self._analysis.program.surveys[path].classes)
        found = {made.row: self._of(ClassId(path, index)) for index, made in classes}
        return {row: family for row, family in found.items() if family}

    def open_steps(self, path: str) -> list[Obstacle]:
        """The steps in the old form in a file of which nothing shows what they step, and what may arrive there."""
        base = self._analysis.program.bases[path]
        found = []
        for one in open_steps(self._analysis, path):
            named = self.of_node(base + one.source)
            members = self._waiting if named else [member for member in self._above if self._path(member) in self._old]
            found.append(Obstacle(path, one.at, one.owner, self._arriving(path, members) | (named or frozenset())))
        return found

    def unseen(self) -> dict[str, Family]:
        """By file, the families of classes for old Gym that no code steps but environments: who does is elsewhere."""
        found: defaultdict[str, Family] = defaultdict(frozenset)
        for one in self._waiting:
            if isinstance(one, ClassId):
                found[one.path] |= self._of(one)
        return found

    @cached_property
    def _waiting(self) -> list[Hashable]:
        """The environments and classes for old Gym of which no code steps any of the family, but environments."""
        program = self._analysis.program
        stepped: set[Hashable] = set()
        for path, survey in program.surveys.items():
            base = program.bases[path]
            for read in survey.telling if not survey.page else ():
                if read.name == "step" and self._is_outside(survey, read):
                    stepped |= {self._root(member) for member in self._at(base + read.source)}
        return [one for one in self._above if self._path(one) in self._old and self._root(one) not in stepped]

    def _is_outside(self, survey: Survey, read: ops.Attribute) -> bool:
        """Whether some method is read outside the environment classes."""
        homes = [
            survey.homes.get(one.result, -1) for one in survey.waiting.get(read.target, ()) if isinstance(one, ops.Call)
        ]
        owners = [survey.functions[home].owner if home >= 0 else -1 for home in homes]
        return any(owner < 0 or self._classes.of(survey.path, owner) is None for owner in owners)

    def _arriving(self, path: str, members: Iterable[Hashable]) -> Family:
        """The families of these members that programs make which a file is a part of."""
        together = self._analysis.imports.together
        found = (one for one in members if not isinstance(one, str) and together(self._path(one), path))
        return frozenset().union(*map(self._of, found))

    def of_file(self, path: str) -> Family:
        """The family of a file that imports Gym."""
        return self._of(path)

    def _of(self, member: Hashable) -> Family:
        return self._families.get(self._root(member), frozenset())

    # --- joining ---------------------------------------------------------------------------------------------------

    def _root(self, member: Hashable) -> Hashable:
        while (above := self._above.get(member, member)) != member:
            self._above[member] = self._above.get(above, above)
            member = above
        return member

    def _join(self, members: Iterable[Hashable]) -> None:
        first: Hashable | None = None
        for member in members:
            self._above.setdefault(member, member)
            if first is None:
                first = member
            else:
                self._above[self._root(member)] = self._root(first)

    def _at(self, node: int) -> list[Hashable]:
        """The environments, and the environment classes of the project, that arrive at a node."""
        solver = self._analysis.solver
        instances = [ClassId(one.path, one.index) for one in solver.values(node, Instance)]
        return [
            *(env.node for env in solver.values(node, Environment)),
            *(one for one in instances if self._classes.of(*one) is not None),
        ]

    def _join_classes(self) -> None:
        hierarchy = self._analysis.classes
        for path, survey in self._analysis.program.surveys.items():
            for index in range(len(survey.classes)):
                if self._classes.of(path, index) is not None:
                    parents = [one for one in hierarchy.lineage(path, index)[1:] if not isinstance(one, str)]
                    inside = [member for node in hierarchy.inside(path, index) for member in self._at(node)]
                    known = [one for one in parents if self._classes.of(*one) is not None]
                    self._join([ClassId(path, index), *known, *inside])

    def _join_makers(self) -> None:
        """A `make` and the class that its id is registered for; a wrapper of the library and what it wraps."""
        for value in self._analysis.solver.interned:
            if isinstance(value, Environment) and value.certainty == "proven":
                self._join([value.node])
        for node in self._analysis.envs.make_calls:
            known = [one for one in registrations.entries(self._analysis, node) if self._classes.of(*one) is not None]
            if known and self._at(node):
                self._join([*self._at(node), *known])
        for inside, result, _ in self._analysis.envs.wrapped:
            self._join([*self._at(inside), *self._at(result)])

    def _join_users(self) -> None:
        """What arrives at the same place is used in the same way there; an import of Gym in that file moves with it."""
        program = self._analysis.program
        for path, survey in program.surveys.items():
            base = program.bases[path]
            imports = [path] if path in self._old else []
            for operation in survey.telling:
                if members := self._at(base + operation.source):
                    self._join([*members, *imports])

    def _join_files(self) -> None:
        """What stands in a file that imports Gym moves with the import."""
        for path in self._old:
            self._join([path])
        for member in list(self._above):
            if (path := self._path(member)) in self._old:
                self._join([path, member])

    # --- names -----------------------------------------------------------------------------------------------------

    def _path(self, member: Hashable) -> str:
        """The file of a class, or of the place where an environment is made."""
        if isinstance(member, ClassId):
            return member.path
        place = self._analysis.program.owner(member) if isinstance(member, int) else None
        return place.path if place is not None else ""

    def _named(self) -> dict[Hashable, Family]:
        """The families by one of their members."""
        members: defaultdict[Hashable, list[str]] = defaultdict(list)
        made: defaultdict[str, int] = defaultdict(int)
        for member in sorted(self._above, key=self._order):
            path = self._path(member)
            if isinstance(member, str):
                name = member
            elif isinstance(member, ClassId):
                name = f"{path}::{self._analysis.program.class_at(*member).name}"
            else:
                made[path] += 1
                name = f"{path}#{made[path]}"
            members[self._root(member)].append(name)
        return {root: frozenset(names) for root, names in members.items()}

    def _order(self, member: Hashable) -> tuple[int, str, int]:
        """Files, then classes, then environments in the order of their nodes."""
        if isinstance(member, ClassId):
            path, number = member
            return 1, path, number
        return (2, "", member) if isinstance(member, int) else (0, str(member), 0)
