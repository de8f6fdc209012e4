"""Joins surveys into the episode model, solves it, and hands out the facts of each file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from done_lint.analysis import flag_lattice
from done_lint.analysis.import_graph import Imports, slashed
from done_lint.analysis.program import Birth, Evidence, Use
from done_lint.analysis.transfer.operators import Semantics
from done_lint.analysis.values import (
    Count,
    Environment,
    External,
    Generator,
    Instance,
    Module,
    Object,
    Observation,
    Place,
    ResetResult,
    Shape,
    StepResult,
)
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import AttributeKey, IndexKey
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import array_functions, env_api_lookup, env_apis, naming_conventions, packages

_GENERATOR = AttributeKey("np_random")


class Incomplete(Exception):
    """An answer about the files that were asked for depends on files of the project that were not surveyed."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What is known of the project as a whole, where nothing else tells what a name means."""

    #: First names of all modules that are imported anywhere.
    roots: frozenset[str]
    #: Names of all folders.
    folders: frozenset[str]
    #: It has one file only.
    alone: bool

    @classmethod
    def of(cls, surveys: Mapping[str, Survey]) -> Habits:
        """Look at every file of the program once."""
        program = [survey for survey in surveys.values() if not survey.page]
        return cls(
            frozenset(root for survey in program for root in _roots(survey)),
            frozenset(folder for survey in program for folder in slashed(survey.path).split("/")[:-1]),
            len(surveys) == 1,
        )


class Linker(Semantics):
    """The solver of files that imports connect."""

    def __init__(
        self, surveys: dict[str, Survey], imports: Imports, habits: Habits | None, apis: Mapping[str, str] | None = None
    ) -> None:
        """Room for the nodes of these files."""
        self.imports = imports
        self._habits = habits
        self.root = imports.root
        super().__init__(surveys, imports.dotted, apis or {})
        for path, survey in surveys.items():
            # inside such a package its name means the project itself
            foreign = (one for one in survey.made_for_gym if imports.file_of(path, one, 0) is None)
            if package := next(foreign, ""):
                self.needed[path] = package

    @property
    def habits(self) -> Habits:
        """What is known of the project as a whole; asking for it takes all of the project."""
        if self._habits is None:
            raise Incomplete
        return self._habits

    # --- imports -----------------------------------------------------------------------------------

    def resolve_import(self, path: str, module: str, name: str | None, level: int) -> External | Module | int:
        found = self.imports.file_of(path, module, level)
        if name is None:
            return Module(found) if found is not None else External(module)
        submodule = self.imports.submodule(path, module, name, level)
        if found is not None and found != path:
            node = self._exported(found, name, set())
            if node is not None and (submodule is None or not self._bound_by_import(found, name)):
                return node
        if submodule is not None:
            return Module(submodule)
        return External(f"{module}.{name}" if module else name)

    def _bound_by_import(self, path: str, name: str) -> bool:
        """The package's `__init__` imports the name: then it is its own submodule of that name."""
        return any(m.endswith(f".{name}") for m in self.surveys[path].imports)

    def _exported(self, path: str, name: str, seen: set[str]) -> int | None:
        """The node of a module-level name, through `from x import *` as well."""
        seen.add(path)
        survey = self.surveys[path]
        node = survey.exports.get(name)
        if node is not None:
            return self.bases[path] + node
        for module, level in survey.stars:
            starred = self.imports.file_of(path, module, level)
            if starred is not None and starred not in seen:
                node = self._exported(starred, name, seen)
                if node is not None:
                    return node
        return None

    def a_module(self, number: int, name: str, target: int, source: int) -> None:
        path = self.get(number, Module).path
        dotted = f"{self.dotted[path]}.{name}"
        if dotted in array_functions.SEEDING:
            # old Gym's own sources: what the function makes is what it is to make
            self.add(target, self.intern(External(dotted)))
            return
        node = self._exported(path, name, set())
        if node is not None:
            self.edge(node, target)
        submodule = self.imports.inside(path, name)
        if submodule in self.surveys:
            self.add(target, self.intern(Module(submodule)))
        listed = env_api_lookup.constructor(dotted) is not None or env_api_lookup.base(dotted) is not None
        if listed and self.imports.is_packaged(path):
            # a project that is itself in the tables (Gymnasium's own sources); a lone `gym.py` is somebody's own
            self.add(target, self.intern(External(dotted)))

    def reachable(self, starts: set[str]) -> set[str]:
        """The files that these import, directly or not, themselves included."""
        return self.imports.reachable(starts)

    def together(self, one: str, other: str) -> bool:
        """Whether some program can run both files: one file imports them both, directly or not.

        Flags of one script that reach another only through a class they share prove nothing there.
        """
        return self.imports.together(one, other)

    # --- solving -----------------------------------------------------------------------------------

    def solve(self) -> None:
        """Load everything and propagate; then what only weaker evidence can tell, and again; then freeze."""
        self.load_names()
        self.run()
        self.read_classes()
        self.run()
        self.load()
        self.run()
        self._births_of_own_steps()
        self._unknown_insides()
        self._library_generators()
        self.run()
        self._by_name()
        self.run()
        self._by_shape()
        self.run()
        self._compared_resets()
        self._dispatched_limits()
        self.run()
        self._inherited_environments()
        self.freeze()

    def _births_of_own_steps(self) -> None:
        """An environment that returns five values: its own third and fourth are the flags."""
        for path, survey in self.surveys.items():
            for index, made in enumerate(survey.classes):
                method = made.methods.get("step")
                if method is None or not survey.functions[method].returned:
                    continue
                api, _ = self.api_of_class(path, index)
                if api is None or not api.five:
                    continue
                base = self.bases[path]
                for op in survey.operations:
                    if isinstance(op, ops.Allocate) and op.kind == "returned" and len(op.elements) == 5:
                        if op.elements not in survey.functions[method].returned:
                            continue
                        owner = self.intern(Object(base + op.target, Shape.RETURNED))
                        for position, bit, word in (
                            (2, flag_lattice.TERMINATED, "terminated"),
                            (3, flag_lattice.TRUNCATED, "truncated"),
                        ):
                            place = self.field(owner, IndexKey(position))
                            never = bit == flag_lattice.TRUNCATED and op.elements[position].node in survey.falses
                            if not never and not self.flags(place):
                                self.add(place, bit)
                                at = op.elements[position].span
                                self.births[place] = Birth(Place(path, at) if at else None, word)

    def _unknown_insides(self) -> None:
        """A wrapper of the tables around something unknown still speaks its own package's API."""
        for inner, result, api in self.wrapped:
            if not self.all(inner, Environment) and not self.all(inner, Instance):
                self.add(result, self.environment(api, False, "proven", result))
        for target, promised in self.insides:
            if not self.all(target, Environment) and not self._speaks(target):
                self._note_makers(self.get(promised, Environment).node, self.held[target])
                self.add(target, promised)

    def _library_generators(self) -> None:
        """`self.np_random` of a class that leaves it to the library's environments."""
        for target, path, index, env in self.inherited_generators:
            own = [self.intern(Instance(*one)) for one in self.lineage(path, index) if not isinstance(one, str)]
            fields = [self.fields[inst, _GENERATOR] for inst in own if (inst, _GENERATOR) in self.fields]
            if not any(kind == "set" for field in fields for _, kind, _ in self.predecessors[field]):
                made = self.get(env, Environment)
                self.add(target, self.intern(Generator(made.certainty, made.node)))

    def _dispatched_limits(self) -> None:
        """What a subclass's method adds to the end of the episode, its base's `step` returns."""
        for path, survey in self.surveys.items():
            for index, made in enumerate(survey.classes):
                if self.api_of_class(path, index)[0] is None:
                    continue
                for name, method in made.methods.items():
                    over = self.method_of(path, index, name, after=True)
                    limits = self.all(self.bases[path] + survey.functions[method].result, Count)
                    if over is not None and limits and name not in ("step", "reset"):
                        result = self.bases[over.path] + self.function_at(over).result
                        for number in limits:
                            self.add(result, number)

    def _inherited_environments(self) -> None:
        """An instance whose class leaves `seed` to the library answers as the library does."""
        instances = [(number, one) for number, one in enumerate(self.interned) if isinstance(one, Instance)]
        for number, one in instances:
            api, _ = self.api_of_class(one.path, one.index)
            if api is not None and self.method_of(one.path, one.index, "seed") is None:
                self.inherited[number] = self.environment(api, False, "proven", self.bases[one.path])

    def _speaks(self, node: int) -> bool:
        """An instance that has a `step` of its own arrives."""
        return any(self.method_of(one.path, one.index, "step") is not None for one in self.values(node, Instance))

    def _by_name(self) -> None:
        """Receivers of `step`, `reset`, `seed`, `render` of which nothing is known but an environment's name."""
        for path, survey in self.surveys.items():
            roots = _roots(survey)
            if roots & packages.LOOK_ALIKE_ROOTS:
                continue
            if self._has_own_environments(path):
                continue
            base = self.bases[path]
            listed = _with_listed_infos(survey)
            imports_gym = bool(roots & packages.GYM_ROOTS)
            for operation in survey.telling:
                if operation.name not in ("step", "reset", "seed", "render"):
                    continue
                receiver = base + operation.source
                name = survey.names.get(operation.source, "")
                if operation.target in listed or not naming_conventions.environment(name):
                    continue
                held = self.held[receiver]
                if any(not isinstance(self.value(t), External) for t in held):
                    continue
                if not imports_gym and (held or not self._is_gyms_project()):
                    continue
                origins = {one.dotted.partition(".")[0] for one in self.values(receiver, External)}
                # What comes from a file of the project that cannot be read may be anything.
                if origins & packages.LOOK_ALIKE_ROOTS or (origins and origins & self.habits.folders):
                    continue
                self._note_makers(receiver, held)
                self.evidence.setdefault(receiver, Evidence(None, f"called `{name}`"))
                self.add(receiver, self.environment(env_apis.GYM, False, "by name", receiver))

    def _is_gyms_project(self) -> bool:
        """Some file of the project imports Gym or Gymnasium, or there is no other file that could."""
        return self.habits.alone or bool(self.habits.roots & packages.GYM_ROOTS)

    def _note_makers(self, node: int, held: Iterable[int]) -> None:
        """Note what package visibly made the environments that a node is held to stand for, if it is none we know."""
        origins = (one.dotted for number in held if isinstance(one := self.value(number), External))
        makers = {name.partition(".")[0] for name in origins} - packages.GYM_ROOTS - sys.stdlib_module_names
        if makers:
            self.makers.setdefault(node, min(makers))

    def _has_own_environments(self, path: str) -> bool:
        """A class that runs together with this file steps and resets without being an environment of the tables.

        There a name such as `env` may mean that class. A class in the same file wraps what it steps itself.
        """
        return any(
            other != path and self.together(other, path) and self.api_of_class(other, index)[0] is None
            for other, index in self._stepping_classes
        )

    @cached_property
    def _stepping_classes(self) -> list[tuple[str, int]]:
        """Classes that reset, and step with literal tuples, or with a value of another kind as they do reset."""
        return [
            (path, index)
            for path, survey in self.surveys.items()
            for index, made in enumerate(survey.classes)
            if {"step", "reset"} <= made.methods.keys()
            and (
                survey.functions[made.methods["step"]].arities
                or all(survey.functions[made.methods[name]].outcomes for name in ("step", "reset"))
            )
        ]

    def _compared_resets(self) -> None:
        """Two resets handed to one function are compared as they are, not observed.

        An argument where a step's observation arrives too is an observation, through a filter of both say.
        """
        known, observed = (
            {number for number, value in enumerate(self.interned) if isinstance(value, kind)}
            for kind in (ResetResult, Observation)
        )
        if not known:
            return
        for path, survey in self.surveys.items():
            base = self.bases[path]
            holding = enumerate(self.held[base : base + survey.size])
            resets_at = {node: min(held & known) for node, held in holding if held & known and not held & observed}
            if len(resets_at) < 2:
                continue
            for operation in survey.calls():
                resets = [resets_at[a] for a, _ in operation.args if a in resets_at]
                if len(resets) >= 2:
                    result = base + operation.result
                    for reset in resets:
                        self.taken.setdefault(reset, []).append(Use(self.home(result), result))

    def _by_shape(self) -> None:
        """Five values of an unknown `step` whose fourth is called truncated: a step of five values."""
        for path, survey in self.surveys.items():
            base = self.bases[path]
            steps = {op.target for op in survey.telling if op.name == "step"}
            calls = [op for step in steps for op in survey.waiting.get(step, ()) if isinstance(op, ops.Call)]
            unpacks = [op for call in calls for op in survey.waiting.get(call.result, ()) if isinstance(op, ops.Unpack)]
            for operation in unpacks:
                if operation.arity != 5:
                    continue
                targets = operation.targets
                third, fourth = base + targets[2], base + targets[3]
                if (
                    not naming_conventions.truncated(survey.names.get(targets[3], ""))
                    or self.flags(third)
                    or self.flags(fourth)
                ):
                    continue
                if self.all(base + operation.source, StepResult):
                    continue
                for node, bit, word in (
                    (third, flag_lattice.TERMINATED, "terminated"),
                    (fourth, flag_lattice.TRUNCATED, "truncated"),
                ):
                    self.add(node, bit)
                    self.births[node] = Birth(Place(path, operation.at), word)


def _roots(survey: Survey) -> set[str]:
    return {module.partition(".")[0] for module in survey.imports if not module.startswith(".")}


def _with_listed_infos(survey: Survey) -> set[Node]:
    """Methods, as they are called, of what in the same function steps into four values and a list of infos.

    No single environment answers so: without more evidence it is a vector environment of any library's.
    """
    methods = {op.target: op for op in survey.telling}
    calls = {
        op.result: op.called for method in methods for op in survey.waiting.get(method, ()) if isinstance(op, ops.Call)
    }
    infos = {
        op.targets[3]: call
        for call in calls
        for op in survey.waiting.get(call, ())
        if isinstance(op, ops.Unpack) and op.arity == 4 and op.star < 0
    }

    def place(call: Node) -> tuple[int, str]:
        return survey.homes.get(call, -1), survey.names.get(methods[calls[call]].source, "")

    listed = set()
    for info, call in infos.items():
        items = [op for op in survey.waiting.get(info, ()) if isinstance(op, ops.Item) and op.keys]
        if methods[calls[call]].name == "step" and any(isinstance(op.keys[0], IndexKey) for op in items):
            listed.add(place(call))
    return {calls[call] for call in calls if place(call) in listed} if listed else set()
