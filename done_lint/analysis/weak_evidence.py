"""What only weaker evidence shows, once all else is solved: names and shapes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from done_lint.analysis import flag_lattice
from done_lint.analysis.context import Analysis
from done_lint.analysis.env_evidence import Use
from done_lint.analysis.flag_evidence import FlagSource
from done_lint.analysis.values import (
    Count,
    Environment,
    Generator,
    Instance,
    Object,
    Observation,
    Place,
    ResetResult,
    Shape,
    StepResult,
)
from done_lint.core.paths import PROSE, slashed
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import AttributeKey, IndexKey
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.schema import Class, Survey
from done_lint.knowledge import naming_conventions, packages

_GENERATOR = AttributeKey("np_random")
#: The functions that import a module by a text.
_LOADING = frozenset({"import_module", "__import__"})


class Incomplete(Exception):
    """An answer about the files that were asked for depends on files of the project that were not surveyed."""


@dataclass(frozen=True, slots=True)
class ProjectNames:
    """The names of the whole project, where nothing else shows what a name means."""

    #: Some file imports Gym or Gymnasium.
    of_gym: bool
    #: Names of all folders.
    folders: frozenset[str]
    #: It has one file only, beside documents.
    alone: bool
    #: Classes that step and reset and inherit from nothing, or inherit from a package with an API of its own, or step
    #: with four values and inherit from the project's classes alone, where no other class has the name.
    own_protocols: frozenset[str] = frozenset()
    #: A file that has environments of another library imports modules by texts: it may run with any file.
    loads_any: bool = False

    @classmethod
    def of(cls, surveys: Mapping[str, Survey], paths: Collection[str] = ()) -> ProjectNames:
        """Look at every file of the program once; `paths` are all its files, surveyed or not (none: the surveys')."""
        of_gym = any(packages.GYM_ROOTS & survey.packages.keys() for survey in surveys.values() if not survey.page)
        program = [path for path in paths or surveys if not path.endswith(PROSE)]
        folders = frozenset(folder for path in program for folder in slashed(path).split("/")[:-1])
        classes = [(survey, one) for survey in surveys.values() if not survey.page for one in survey.classes]
        bases = [(one, _base_names(survey, one)) for survey, one in classes]
        plain = _without_packages([(one.name, names) for one, names in bases])
        flat = {id(one) for survey, one in classes if one.name in plain and _steps_with_four(survey, one)}
        own = [(one.name, id(one) in flat or _is_of_own_protocol(survey, one)) for survey, one in classes]
        others = {name for name, is_own in own if not is_own}
        names = frozenset({name for name, _ in own} - others)
        return cls(of_gym, folders, len(program) <= 1, names, any(map(_loads_beside_others, surveys.values())))


def _loads_beside_others(survey: Survey) -> bool:
    """Whether a file imports modules by texts, beside a library whose environments have an API of their own."""
    if survey.page or not any(map(packages.is_look_alike, survey.imports)):
        return False
    dotted = (one.dotted for one in (*survey.bindings, *survey.operations) if isinstance(one, ops.External))
    reads = (one for waiting in (survey.waiting, survey.naming) for found in waiting.values() for one in found)
    names = (one.name for one in reads if isinstance(one, ops.Attribute))
    return any(one.rpartition(".")[2] in _LOADING for one in (*dotted, *names))


def _is_of_own_protocol(survey: Survey, made: Class) -> bool:
    """Whether a class steps and resets without a base, or has all its bases from packages with APIs of their own."""
    if not made.bases:
        return {"step", "reset"} <= made.methods.keys()
    if not any(map(packages.is_look_alike, survey.imports)):
        return False
    return all(map(packages.is_look_alike, _base_names(survey, made)))


def _base_names(survey: Survey, made: Class) -> list[str]:
    """What the bases of a class are called, with the modules that they come from; empty where that is not known."""
    if not made.bases:
        return []
    known: dict[Node, str] = {}
    for one in (*survey.bindings, *survey.operations):
        if isinstance(one, ops.External):
            known[one.target] = one.dotted
        elif isinstance(one, ops.Import):
            known[one.target] = f"{one.module}.{one.name or ''}"
    names = {one.target: one.source for one in survey.bindings if isinstance(one, ops.Copy)}
    sources = (names.get(base, base) for base in made.bases)
    return [known.get(source, survey.names.get(source, "")) for source in sources]


def _without_packages(classes: Sequence[tuple[str, Sequence[str]]]) -> set[str]:
    """The names of classes that have no bases but such classes, so that no package says how they step."""
    plain = {name for name, _ in classes}
    while True:
        others = {name for name, bases in classes if any(base.rpartition(".")[2] not in plain for base in bases)}
        if plain.isdisjoint(others):
            return plain
        plain -= others


def _steps_with_four(survey: Survey, made: Class) -> bool:
    """Whether a class has a `step` that returns four values, and never another number."""
    step = made.methods.get("step")
    return step is not None and survey.functions[step].arities == (4,)


def sources_of_own_steps(at: Analysis) -> None:
    """An environment that returns five values: its own third and fourth are the flags."""
    for path, survey in at.program.surveys.items():
        for index, made in enumerate(survey.classes):
            method = made.methods.get("step")
            if method is None or not survey.functions[method].returned:
                continue
            api, _ = at.classes.api_of_class(path, index)
            if api is None or not api.five:
                continue
            base = at.program.bases[path]
            for op in survey.operations:
                if isinstance(op, ops.Allocate) and op.kind == "returned" and len(op.elements) == 5:
                    if op.elements not in survey.functions[method].returned:
                        continue
                    owner = at.solver.intern(Object(base + op.target, Shape.RETURNED))
                    for position, bit, word in (
                        (2, flag_lattice.TERMINATED, "terminated"),
                        (3, flag_lattice.TRUNCATED, "truncated"),
                    ):
                        place = at.objects.field(owner, IndexKey(position))
                        never = bit == flag_lattice.TRUNCATED and op.elements[position].node in survey.falses
                        if not never and not at.solver.flags(place):
                            at.solver.add(place, bit)
                            span = op.elements[position].span
                            at.flags.sources[place] = FlagSource(Place.of(path, span), word)


def library_generators(at: Analysis) -> None:
    """`self.np_random` of a class that leaves it to the library's environments."""
    for target, path, index, env in at.envs.inherited_generators:
        own = [at.solver.intern(Instance(*one)) for one in at.classes.lineage(path, index) if not isinstance(one, str)]
        fields = [at.objects.fields[inst, _GENERATOR] for inst in own if (inst, _GENERATOR) in at.objects.fields]
        if not any(kind == "set" for field in fields for _, kind, _ in at.solver.predecessors[field]):
            made = at.solver.get(env, Environment)
            at.put(target, Generator(made.certainty, made.node))


def dispatched_limits(at: Analysis) -> None:
    """What a subclass's method adds to the end of the episode, its base's `step` returns."""
    for path, survey in at.program.surveys.items():
        for index, made in enumerate(survey.classes):
            api, _ = at.classes.api_of_class(path, index)
            if api is None:
                continue
            for name, method in made.methods.items():
                over = at.classes.method_of(path, index, name, after=True)
                limits = at.solver.all(at.program.bases[path] + survey.functions[method].result, Count)
                if over is not None and limits and name not in ("step", "reset"):
                    result = at.program.bases[over.path] + at.program.function_at(over).result
                    for number in limits:
                        at.solver.add(result, number)


def inherited_environments(at: Analysis) -> None:
    """An instance whose class leaves `seed` to the library answers as the library does."""
    instances = [(number, one) for number, one in enumerate(at.solver.interned) if isinstance(one, Instance)]
    for number, one in instances:
        api, _ = at.classes.api_of_class(one.path, one.index)
        if api is not None and at.classes.method_of(one.path, one.index, "seed") is None:
            at.envs.inherited[number] = at.environment(api, False, "proven", at.program.bases[one.path])


def compared_resets(at: Analysis) -> None:
    """Two resets handed to one function, in the file that resets, are compared as they are, not observed.

    An argument where a step's observation arrives too is an observation, through a filter of both say; so is what is
    taken out of any step, which the project's own may give as the attribute that holds what its `reset` gave.
    """
    known, observed = (
        {number for number, value in enumerate(at.solver.interned) if isinstance(value, kind)}
        for kind in (ResetResult, Observation)
    )
    if not known:
        return
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        holding = enumerate(at.solver.held[base : base + survey.size])
        telling = ((node, known.intersection(held)) for node, held in holding if held and observed.isdisjoint(held))
        resets_at = {node: min(found) for node, found in telling if found}
        if not resets_at:
            continue
        calls = [one for op in survey.telling if op.name == "reset" for one in survey.waiting.get(op.target, ())]
        called = {one.result for one in calls if isinstance(one, ops.Call)}
        if not called or len(resets_at.keys() | called) < 2:
            continue
        made, stepped = {base + one for one in called}, {base + one for one in _taken_out_of_steps(survey)}
        for operation in survey.calls():
            given = {a for a, _ in operation.args if a in resets_at or a in called}
            if len(given) >= 2:
                ways = {a: set(reach([base + a], partial(_flowing, at))) for a in given}
                given = {a for a, way in ways.items() if not made.isdisjoint(way) and stepped.isdisjoint(way)}
            resets = [resets_at[a] for a in sorted(given) if a in resets_at]
            if len(given) >= 2:
                result = base + operation.result
                for reset in resets:
                    at.envs.taken.setdefault(reset, []).append(Use(at.program.home(result), result))


def _taken_out_of_steps(survey: Survey) -> Iterator[Node]:
    """What a file takes out of the result of something called `step`, first."""
    results = (
        one.result
        for op in survey.telling
        if op.name == "step"
        for one in survey.waiting.get(op.target, ())
        if isinstance(one, ops.Call)
    )
    for result in results:
        for one in survey.waiting.get(result, ()):
            if isinstance(one, ops.Unpack) and one.targets:
                yield one.targets[0]
            elif isinstance(one, ops.Item) and one.keys == (IndexKey(0),):
                yield one.target


def _flowing(at: Analysis, node: int) -> Iterator[int]:
    """What a value is assigned from."""
    return (edge.source for edge in at.solver.predecessors[node] if edge.way == "flow")


def by_shape(at: Analysis) -> None:
    """Five values of an unknown `step` whose fourth is called truncated: a step of five values."""
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        steps = {op.target for op in survey.telling if op.name == "step"}
        calls = [op for step in steps for op in survey.waiting.get(step, ()) if isinstance(op, ops.Call)]
        unpacks = [op for call in calls for op in survey.waiting.get(call.result, ()) if isinstance(op, ops.Unpack)]
        for operation in unpacks:
            if operation.arity != 5:
                continue
            targets = operation.targets
            third, fourth = base + targets[2], base + targets[3]
            truncates = naming_conventions.truncated(survey.names.get(targets[3], ""))
            if not truncates or _is_known_flag(at, third) or _is_known_flag(at, fourth):
                continue
            if at.solver.all(base + operation.source, StepResult):
                continue
            for node, bit, word in (
                (third, flag_lattice.TERMINATED, "terminated"),
                (fourth, flag_lattice.TRUNCATED, "truncated"),
            ):
                at.solver.add(node, bit)
                at.flags.sources[node] = FlagSource(Place(path, operation.at), word)


def _is_known_flag(at: Analysis, node: int) -> bool:
    """Whether the end of an episode is known to arrive; a limit of the class's own says nothing of the rest."""
    return any(flag & flag_lattice.CAUSES != flag_lattice.LIMIT for flag in at.solver.flags(node))
