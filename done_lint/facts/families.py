"""Families: what one environment object or class reaches, which changes together or not at all.

A class and its bases, a wrapper and what is inside it, the call that makes an environment, and every place that steps,
resets, renders or seeds it: where one of them cannot be changed, changing the others breaks a program that runs. A file
that imports Gym, itself or from another file of the project, belongs to the family of every environment in it, because
the import is one for all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from done_lint.analysis import registrations
from done_lint.analysis.program import ClassId
from done_lint.analysis.unused_functions import UnusedFunctions
from done_lint.analysis.values import Environment, EnvMethod, EnvResult, External, Generator, Info, Instance
from done_lint.core.findings import OF_CALL, OF_CLASS, Family
from done_lint.facts.classes.env_classes import EnvClasses
from done_lint.flowgraph import operations as ops
from done_lint.knowledge import vector_sizes
from done_lint.knowledge.gymnasium_changes import LONG_GONE, below_root

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


class Families:
    """Joins the environments and classes of a solved graph that meet anywhere."""

    def __init__(self, analysis: Analysis, classes: EnvClasses, unused: UnusedFunctions) -> None:
        """Look at every place where environments meet."""
        self._analysis = analysis
        self._classes = classes
        self._unused = unused
        self._above: dict[Hashable, Hashable] = {}
        makes = ((analysis.program.owner(node), made.function) for node, made in analysis.envs.makes.items())
        #: The files that make an environment of Gym's: another one may hand them `make`, as `pack.make`.
        self._making = {place.path for place, function in makes if place is not None and function.startswith("gym.")}
        self._gym_files = {path for path in analysis.program.surveys if self._gets_gym(path)}
        #: By file, an environment of each place that uses some.
        self._used_in: dict[str, list[Hashable]] = {}
        self._join_classes()
        self._join_makers()
        self._join_users()
        self._join_unplaced()
        self._join_many()
        self._join_files()
        self._join_unused()
        self._families = self._named()
        #: The families by what a node holds.
        self._of_held: dict[tuple[int, ...], Family | None] = {}
        #: What was joined of several, each once: in a library of environments hundreds of nodes hold the same.
        self._unions: dict[Family, Family] = {}

    def _gets_gym(self, path: str) -> bool:
        """Whether a file imports Gym, or what another file of the project has of it: `from mazes import *`."""
        survey, base = self._analysis.program.surveys[path], self._analysis.program.bases[path]
        if "gym" in survey.packages or path in self._making:
            return True
        nodes = [base + one.target for one in survey.bindings if isinstance(one, ops.Import)]
        found = [
            {one.dotted.partition(".")[0] for one in self._analysis.solver.values(node, External)} for node in nodes
        ]
        return {"gym"} in found

    def of_node(self, node: int) -> Family | None:
        """The families of the environments in a node, and of their methods and results; None: of none."""
        solver = self._analysis.solver
        # many nodes hold the same
        key = solver.held[node]
        if key not in self._of_held:
            held = [solver.value(number) for number in key]
            members: set[Hashable] = {*self.at(node)}
            members |= {
                solver.get(value.env, Environment).node
                for value in held
                if isinstance(value, (EnvMethod, EnvResult, Info))
            }
            # of an instance, what answers is the class
            members.update(*(self._asked(value) for value in held if isinstance(value, EnvResult)))
            members |= {self._owner_of(value) for value in held if isinstance(value, Generator)}
            self._of_held[key] = self.union(map(self.of, members)) or None
        return self._of_held[key]

    def _asked(self, result: EnvResult) -> list[Hashable]:
        """The environments, and the classes of the project, of which a method was called that gave a result."""
        call = self._analysis.program.call_at(result.node)
        attribute = self._analysis.program.attribute_at(call[1]) if call is not None else None
        return self.at(attribute[0]) if attribute is not None else []

    def union(self, families: Iterable[Family]) -> Family:
        """All members of some families, most of which are one and the same."""
        different = {id(family): family for family in families}
        if len(different) == 1:
            return next(iter(different.values()))
        found: Family = frozenset().union(*different.values())
        return self._unions.setdefault(found, found)

    def _owner_of(self, generator: Generator) -> Hashable:
        """The environment that draws from a generator; of what `seeding.np_random` gave, the class that calls it."""
        place = self._analysis.program.owner(generator.node)
        if generator.node in self._above or place is None:
            return generator.node
        survey = self._analysis.program.surveys[place.path]
        home = survey.homes.get(place.node, -1)
        return ClassId(place.path, survey.functions[home].owner) if home >= 0 else place.path

    def of_classes(self, path: str) -> dict[int, Family]:
        """The families of the environment classes of a file, by the row of the word `class`."""
        classes = enumerate(self._analysis.program.surveys[path].classes)
        found = {made.row: self.of(ClassId(path, index)) for index, made in classes}
        return {row: family for row, family in found.items() if family}

    def imports_gym(self, member: Hashable) -> bool:
        """Whether a file, or that of a class or of the place where an environment is made, imports Gym."""
        return self.path(member) in self._gym_files

    def has_gym_file(self, family: Family) -> bool:
        """Whether a file that imports Gym belongs to a family."""
        return not self._gym_files.isdisjoint(family)

    @cached_property
    def gym_members(self) -> list[Hashable]:
        """The classes and environments that stand in files which import Gym, and classes that return four values."""
        members = [one for one in self._above if not isinstance(one, str)]
        return [
            one for one in members if self.imports_gym(one) or (isinstance(one, ClassId) and self._returns_four(one))
        ]

    def _returns_four(self, owner: ClassId) -> bool:
        """Whether the `step` of a class still returns four values, whatever it is based on."""
        found = self._analysis.classes.method_of(owner.path, owner.number, "step")
        return found is not None and set(self._analysis.program.function_at(found).arities) == {4}

    def of_file(self, path: str) -> Family:
        """The family of a file that imports Gym: where it has no environment, of all that runs together with it.

        An annotation, a space or a `register` moves with the environments that it is written for, those of every
        program that runs it. Where no import shows which, the file is a package's like the others in it, and moves with
        what uses that. Where none of these has an environment, there are those that are only stepped: their spaces are
        of the library that stays.
        """
        family = self.of(path)
        if path in self._dead or path in self._with_environments:
            return family
        imports = self._analysis.imports
        others = (member for member in family if not member.startswith(path))
        if not self._gym_files.issuperset(others):
            return family.union(*map(self.of, sorted(imports.running_with([path]) & self._gym_files)))
        together = imports.reachable(imports.importers_of(path))
        if together & self._gym_files <= {path}:
            together = imports.reachable(imports.users_of_package(path))
        around: list[Hashable] = [*sorted(together & self._gym_files)]
        if together.isdisjoint(self._with_environments):
            around += [member for one in sorted(self._stepping & together) for member in self._used_in[one]]
        return family.union(*map(self.of, around))

    def without_environments(self) -> list[str]:
        """The files for other code that import Gym and that no import connects with an environment.

        What they define is for environments of elsewhere, such as a callback with one in an annotation.
        """
        surveys, imports = self._analysis.program.surveys, self._analysis.imports
        others = (path for path in sorted(self._gym_files - self._dead) if not imports.is_test(path))
        return [
            path
            for path in others
            if not surveys[path].page
            and (surveys[path].classes or surveys[path].functions)
            and self._with_environments.isdisjoint(member.partition(OF_CALL)[0] for member in self.of_file(path))
        ]

    @cached_property
    def _stepping(self) -> set[str]:
        """The files that use environments and import no Gym."""
        return set(self._used_in) - self._gym_files

    @cached_property
    def _dead(self) -> set[str]:
        """The files that nothing imports and that cannot run, because Gym itself lost long ago what they import."""
        found = set()
        for path in sorted(self._gym_files):
            names = map(below_root, self._analysis.program.surveys[path].imports)
            if any(name.partition(".")[0] in LONG_GONE for name in names):
                found |= {path} if set(self._analysis.imports.importers_of(path)) <= {path} else set()
        return found

    @cached_property
    def _with_environments(self) -> set[str]:
        """The files that make an environment, or have the class of one; a vector of functions makes none itself."""
        makes = self._analysis.envs.makes.items()
        made = {
            self.path(node) for node, call in makes if call.function.rpartition(".")[2] not in vector_sizes.OF_FUNCTIONS
        }
        return made | {member.path for member in self._above if isinstance(member, ClassId)}

    def of(self, member: Hashable) -> Family:
        """The family of a class, of the node where an environment is made, or of a file."""
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

    def at(self, node: int) -> list[Hashable]:
        """The environments, and the environment classes of the project, that arrive at a node."""
        return self._among(self._analysis.solver.held[node])

    def _among(self, numbers: Iterable[int]) -> list[Hashable]:
        """The same of some values."""
        values = [self._analysis.solver.value(number) for number in numbers]
        instances = [ClassId(one.path, one.index) for one in values if isinstance(one, Instance)]
        return [
            *(one.node for one in values if isinstance(one, Environment)),
            *(one for one in instances if self._classes.of(*one) is not None),
        ]

    def _join_classes(self) -> None:
        hierarchy = self._analysis.classes
        for path, survey in self._analysis.program.surveys.items():
            for index in range(len(survey.classes)):
                if self._classes.of(path, index) is not None:
                    parents = [one for one in hierarchy.lineage(path, index)[1:] if not isinstance(one, str)]
                    inside = [member for node in hierarchy.inside(path, index) for member in self.at(node)]
                    known = [one for one in parents if self._classes.of(*one) is not None]
                    self._join([ClassId(path, index), *known, *inside])

    def _join_makers(self) -> None:
        """A `make` and the class that its id is registered for; a wrapper of the library and what it wraps."""
        for value in self._analysis.solver.interned:
            if isinstance(value, Environment) and value.certainty == "proven":
                self._join([value.node])
        for node in self._analysis.envs.make_calls:
            found = registrations.entries(self._analysis, node) or self._possible_entries(node)
            known = [one for one in found if self._classes.of(*one) is not None]
            if known and self.at(node):
                self._join([*self.at(node), *known])
        for inside, result, _ in self._analysis.envs.wrapped:
            place = self._analysis.program.owner(result)
            if members := [*self.at(inside), *self.at(result)]:
                self._join([*members, *([place.path] if place is not None and place.path in self._gym_files else [])])

    def _possible_entries(self, made: int) -> list[ClassId]:
        """What a `make` of Gym's may be asked for whose id is not seen: classes that its programs register for Gym."""
        if self.path(made) not in self._gym_files:
            return []
        return [one for one in registrations.possible_entries(self._analysis, made) if one.path in self._gym_files]

    def _join_users(self) -> None:
        """What arrives at the same place is used in the same way there; an import of Gym in that file moves with it."""
        program = self._analysis.program
        for path, survey in program.surveys.items():
            base = program.bases[path]
            imports = [path] if path in self._gym_files else []
            for operation in survey.telling:
                if members := self.at(base + operation.source):
                    self._join([*members, *imports])
                    self._used_in.setdefault(path, []).append(members[0])

    def _join_unplaced(self) -> None:
        """A wrapper of which nothing shows what it wraps is for the classes with steps of four values around it.

        It changes with all of these: what gives it five values is none of them before they have changed.
        """
        old = [one for one in self._of_classes(wrappers=False) if self._returns_four(one)]
        for wrapper in self._of_classes(wrappers=True) if old else ():
            used = self.used_by(wrapper)
            if not any(self._is_visible(node) for node in (*self._analysis.classes.inside(*wrapper), *used)):
                near = [one for one in old if self._runs_with(one, wrapper)]
                self._join([wrapper, *near, *(one for node in used for one in self.at(node))] if near else [])

    def _of_classes(self, *, wrappers: bool) -> list[ClassId]:
        """The environment classes of the project that wrap others, or those that do not."""
        hierarchy = self._analysis.classes
        return [
            one
            for path, survey in self._analysis.program.surveys.items()
            for one in (ClassId(path, index) for index in range(len(survey.classes)))
            if self._classes.of(*one) is not None and hierarchy.is_wrapper(*one) is wrappers
        ]

    def used_by(self, owner: ClassId) -> list[int]:
        """The nodes of what the methods of a class step and reset."""
        survey, base = self._analysis.program.surveys[owner.path], self._analysis.program.bases[owner.path]
        own = {number for number, function in enumerate(survey.functions) if function.owner == owner.number}
        return [
            base + read.source
            for read in survey.telling
            for call in survey.waiting.get(read.target, ())
            if isinstance(call, ops.Call) and survey.homes.get(call.result) in own
        ]

    def _is_visible(self, node: int) -> bool:
        """Whether an environment visibly arrives at a node, which more than a base class or a name tells of."""
        solver = self._analysis.solver
        known = any(self._classes.of(one.path, one.index) is not None for one in solver.values(node, Instance))
        return known or any(one.node in self._analysis.envs.makes for one in solver.values(node, Environment))

    def _runs_with(self, one: ClassId, other: ClassId) -> bool:
        """Whether a program has both classes; one in a test is for the file that it stands in."""
        imports = self._analysis.imports
        return one.path == other.path or (not imports.is_test(one.path) and imports.together(one.path, other.path))

    def _join_many(self) -> None:
        """Where more environments arrive than a node takes, those that are left out are used like the others."""
        for node, numbers in sorted(self._analysis.solver.room.left_out.items()):
            self._join([*self.at(node), *self._among(sorted(numbers))])

    def _join_files(self) -> None:
        """What stands in a file that imports Gym moves with the import, and with what it imports itself."""
        imports = self._analysis.imports
        for path, used in self._used_in.items():
            # a program that runs with one of the two libraries alone has to be on the same one throughout
            if not imports.is_test(path):
                self._join(filter(self.imports_gym, used))
        for path in sorted(self._gym_files - self._dead):
            self._join([path, *sorted(imports.run_by([path]) & self._gym_files)])
            self._join([path, *sorted(self._analysis.envs.sharing.get(path, ()))])
        for member in list(self._above):
            if (path := self.path(member)) in self._gym_files:
                self._join([path, member])

    def _join_unused(self) -> None:
        """What only functions that nobody calls are given moves with what is used beside it, if that moves as one."""
        for used in self._used_in.values():
            unused = [one for one in used if isinstance(one, int) and one in self._unused.parameters]
            others = {self._root(one) for one in used if one not in unused}
            if unused and len(others) == 1:
                self._join([*others, *unused])

    # --- names -----------------------------------------------------------------------------------------------------

    def path(self, member: Hashable) -> str:
        """The file of a class, or of the place where an environment is made; of a file itself."""
        if isinstance(member, str):
            return member
        if isinstance(member, ClassId):
            return member.path
        place = self._analysis.program.owner(member) if isinstance(member, int) else None
        return place.path if place is not None else ""

    def _named(self) -> dict[Hashable, Family]:
        """The families by one of their members."""
        members: defaultdict[Hashable, list[str]] = defaultdict(list)
        made: defaultdict[str, int] = defaultdict(int)
        for member in sorted(self._above, key=self._order):
            path = self.path(member)
            if isinstance(member, str):
                name = member
            elif isinstance(member, ClassId):
                name = f"{path}{OF_CLASS}{self._analysis.program.class_at(*member).name}"
            else:
                made[path] += 1
                name = f"{path}{OF_CALL}{made[path]}"
            members[self._root(member)].append(name)
        return {root: frozenset(names) for root, names in members.items()}

    def _order(self, member: Hashable) -> tuple[int, str, int]:
        """Files, then classes, then environments in the order of their nodes."""
        if isinstance(member, ClassId):
            path, number = member
            return 1, path, number
        return (2, "", member) if isinstance(member, int) else (0, str(member), 0)
