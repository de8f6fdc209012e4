"""Which programs have to stay with Gym: some file of theirs imports a package whose environments are made for it.

The need belongs to the files that run together, not to the file with the import: a package may be imported in an
`__init__`, its ids registered elsewhere, and the environment made in a worker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from done_lint.analysis.context import Analysis
from done_lint.analysis.import_graph import ImportGraph
from done_lint.analysis.module_files import ModuleFiles
from done_lint.analysis.open_steps import old_steps
from done_lint.analysis.program import ClassId
from done_lint.analysis.registrars import Registrar, Registrars, is_unknown
from done_lint.analysis.values import ClassRef, Environment, External, FunctionRef, Instance, Template, Text
from done_lint.analysis.wrapped_packages import wrapped_packages
from done_lint.core.asked_once import asked_once
from done_lint.core.findings import Related
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import AttributeKey
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import (
    array_functions,
    env_api_rows,
    env_apis,
    env_id_apis,
    env_id_owners,
    naming_conventions,
    packages,
)
from done_lint.knowledge.env_members import SPACES
from done_lint.knowledge.package_requirements import IMPORTED_AS

#: Packages with ids of their own that are on Gymnasium.
MOVED = packages.GYM_ROOTS - env_api_rows.MADE_FOR_GYM - {"gym", "gymnasium"}


class Need(NamedTuple):
    """A package that needs Gym, and the files that stay with it; or a test of Gym's version, for which it is empty."""

    package: str
    #: The file that imports it.
    path: str
    files: frozenset[str]
    #: Nobody is known to have registered these ids; empty: the need is there, whatever is registered.
    ids: frozenset[str] = frozenset()
    #: The package may have registered an id that cannot be seen.
    hidden_id: bool = False
    #: The ids themselves say that they are the package's.
    named: bool = False
    #: Where the version of Gym is asked for, and what is wrong with Gymnasium's there.
    test: Related | None = None
    #: The package is on Gymnasium by now, but the project has it in a release that is not; it is named with its bounds.
    pinned: bool = False


class Make(NamedTuple):
    """A call of Gym's `make`: the file, and the ids that can be seen."""

    path: str
    ids: tuple[str, ...]
    #: Those of which only the package can be seen, with `*` for what is not known: `mazes:*`.
    behind_package: tuple[str, ...]


def needing(surveys: Iterable[Survey], modules: ModuleFiles, moved: frozenset[str]) -> dict[str, str]:
    """By file, a package that it imports and whose environments are made for Gym, by the tables.

    Args:
        surveys: of the files.
        modules: of the project; inside such a package its name means the project itself.
        moved: what the user says is on Gymnasium.
    """
    found: dict[str, str] = {}
    for survey in surveys:
        foreign = (one for one in survey.made_for_gym if not modules.is_own(survey.path, one))
        if package := next((one for one in foreign if one not in moved), ""):
            found[survey.path] = package
    return found


def called_after_gym(surveys: Iterable[Survey], modules: ModuleFiles, moved: frozenset[str]) -> dict[str, str]:
    """The same of packages that are only called after Gym: what they need is not known."""
    found: dict[str, str] = {}
    for survey in surveys:
        named = (one for one in survey.imports if naming_conventions.made_for_gym(one))
        foreign = (one for one in named if one.partition(".")[0] not in moved and _is_foreign(one, modules))
        if package := next(foreign, ""):
            found[survey.path] = package
    return found


def _is_foreign(module: str, modules: ModuleFiles) -> bool:
    """Whether a module that is called after Gym is none of the project's own."""
    if not modules.is_part(module.partition(".")[0]):
        return True
    return all(modules.lacks(module, part) for part in naming_conventions.called_after_gym(module))


def needed_always(needed: dict[str, str], imports: ImportGraph) -> dict[str, str]:
    """By file, a package that all of its programs need; where each needs another one, one of these."""
    if not needed:
        return {}
    always = imports.never_without(needed)
    found = {path: package for start, package in needed.items() for path in always & imports.running_with([start])}
    for package in sorted(set(needed.values())):
        starts = [start for start, one in needed.items() if one == package]
        found.update(dict.fromkeys(imports.never_without(starts), package))
    return found


def needs(at: Analysis) -> list[Need]:
    """What keeps the files of a solved graph with Gym."""
    found = list(makes(at))
    packages = [*_by_import(at, found), *_by_call(at), *_by_handing(at), *_by_spaces(at), *_by_id(at, found)]
    return [*packages, *_by_steps(at), *_by_pin(at), *_by_version(at)]


def makes(at: Analysis) -> Iterator[Make]:
    """The calls of Gym's `make`."""
    for node, function, place in at.envs.id_arguments:
        if place is not None and function.startswith("gym.") and function.endswith("make"):
            templates = (one.text for one in at.solver.values(node, Template))
            named = sorted(one for one in templates if ":" in one.partition("*")[0])
            yield Make(place.path, tuple(sorted(text.text for text in at.solver.values(node, Text))), tuple(named))


def _by_import(at: Analysis, makes: list[Make]) -> Iterator[Need]:
    """Packages that need Gym, or are called after it, unless all that is made beside them is Gymnasium's own."""
    for path, package in sorted({**at.envs.suspected, **at.envs.needed}.items()):
        if needs_gym(at, path, package, makes):
            yield Need(package, path, kept_with(at, path))


def needs_gym(at: Analysis, path: str, package: str, makes: Iterable[Make]) -> bool:
    """Whether a file's import of a package made for Gym keeps it there: not all `makes` around are Gymnasium's own."""
    around = at.imports.running_with([path])
    ids = [make.ids for make in makes if make.path in around]
    own = bool(ids) and all(one and all(map(env_id_apis.is_own, one)) for one in ids)
    return package in env_api_rows.LEARN_IN_GYM or not own


class NeedingFiles:
    """Which files need a package made for old Gym, and are kept there by it.

    Where all that is made in its programs is Gymnasium's own, the import moves, and with it what is promised there.
    """

    def __init__(self, at: Analysis) -> None:
        """Look at nothing yet."""
        self._at = at

    @cached_property
    def _makes(self) -> list[Make]:
        return list(makes(self._at))

    @asked_once
    def has(self, path: str) -> bool:
        """Whether a file is one of them."""
        package = self._at.envs.needed.get(path)
        return package is not None and needs_gym(self._at, path, package, self._makes)


def _by_pin(at: Analysis) -> Iterator[Need]:
    """Packages that the project has in a release made for Gym, though later ones are not: they step what they get."""
    for path, package in sorted(at.envs.pinned.items()):
        names = [one.partition(".")[0] for one in IMPORTED_AS if package.startswith(IMPORTED_AS[one])]
        if not any(one in at.moved or at.modules.is_part(one) for one in names):
            yield Need(package, path, kept_with(at, path), pinned=True)


def _by_version(at: Analysis) -> Iterator[Need]:
    """Tests of Gym's version to which Gymnasium's number is no good answer: no import moves without them."""
    for path, survey in at.program.surveys.items():
        tests = survey.version_tests if not survey.page and path not in at.kept.files else ()
        for span, kind in tests[:1]:
            yield Need("", path, kept_with(at, path), test=Related(path, span, kind))


def _by_call(at: Analysis) -> Iterator[Need]:
    """Packages whose classes are registered with Gym, or whose calls visibly give an environment of Gym's."""
    found = {(path, package) for path, packages in at.envs.entry_points.items() for package in packages}
    found |= {*_beside_own(at), *wrapped_packages(at)}
    for node, package in at.envs.makers.items():
        if (owner := at.program.owner(node)) is not None:
            found.add((owner.path, package))
    for path, package in sorted(found):
        if is_unknown(at, package):
            kept = kept_with(at, path)
            importing = [one for one in sorted(kept) if package in at.program.surveys[one].needed_packages]
            yield Need(package, next(iter(importing), path), kept)


def _beside_own(at: Analysis) -> Iterator[tuple[str, str]]:
    """What calls of other packages gave, and is stepped as Gym's where environments of Gym's are: file, package."""
    for path, survey in at.program.surveys.items():
        for one in old_steps(survey):
            node = at.program.bases[path] + one.source
            for number in at.solver.all(node, External) if _is_gyms(at, node) else ():
                dotted = at.solver.get(number, External).dotted
                if dotted.endswith("()") and not _meets_in_attribute(at, node, number):
                    yield path, dotted.partition(".")[0]


def _meets_in_attribute(at: Analysis, node: int, number: int) -> bool:
    """Whether a value and environments of Gym's come to one node only because one class keeps each in some object."""

    def before(target: int) -> list[int]:
        edges = at.solver.predecessors[target]
        return [one.source for one in edges if number in at.solver.held[one.source] and _is_gyms(at, one.source)]

    firsts = [one for one in reach([node], before) if not before(one)]
    return all(_is_kept(at, one) for one in firsts)


def _is_kept(at: Analysis, node: int) -> bool:
    """Whether a node is an attribute that is set, or what a constructor is given for one."""
    owner = at.program.owner(node)
    functions = at.program.surveys[owner.path].functions if owner is not None else ()
    made = (local for one in functions if one.name == "__init__" for _, local in one.params)
    return any(edge.way == "set" for edge in at.solver.predecessors[node]) or (
        owner is not None and owner.node in set(made)
    )


def _by_handing(at: Analysis) -> Iterator[Need]:
    """Packages that are handed an environment of Gym's: they may step it, and nothing is known of how they do."""
    for path, package in sorted({*_handed_out(at), *_inherited(at)} if _has_gyms(at) else ()):
        yield Need(package, path, kept_with(at, path))


def _by_spaces(at: Analysis) -> Iterator[Need]:
    """Packages whose classes get spaces of Gym's from the project: what runs these may ask for their type."""
    for path, survey in at.program.surveys.items():
        for index in range(len(survey.classes)) if "gym" in survey.packages and not survey.page else ():
            if at.classes.api_of_class(path, index)[0] is None and _has_spaces(at, path, index):
                bases = {one.partition(".")[0] for one in at.classes.lineage(path, index) if isinstance(one, str)}
                for package in sorted(one for one in bases if _may_take(at, one)):
                    yield Need(package, path, kept_with(at, path))


def _by_steps(at: Analysis) -> Iterator[Need]:
    """RLlib, where classes made for its runners give four values: these took Gym's spaces as long as they did that."""
    for path, survey in at.program.surveys.items():
        for index, made in enumerate(survey.classes if "gym" in survey.packages and not survey.page else ()):
            arities = survey.functions[made.methods["step"]].arities if "step" in made.methods else ()
            if set(arities) == {4} and at.classes.api_of_class(path, index)[0] == env_apis.RLLIB_MULTI_AGENT:
                yield from () if "ray" in at.moved else (Need("ray", path, kept_with(at, path)),)


def _has_spaces(at: Analysis, path: str, index: int) -> bool:
    """Whether a class says by a space of Gym's what its actions or observations are."""
    own = at.solver.find(Instance(path, index))
    nodes = [node for name in SPACES for node in at.classes.written_in(ClassId(path, index), name)]
    if own is not None:
        fields = (at.objects.fields.get((own, AttributeKey(name))) for name in SPACES)
        nodes += [node for node in fields if node is not None]
    return any(
        one.dotted.startswith("gym.spaces.") and one.dotted.endswith("()")
        for node in nodes
        for one in at.solver.values(node, External)
    )


def _handed_out(at: Analysis) -> Iterator[tuple[str, str]]:
    """Calls of other packages that are given an environment of Gym's, or what makes one: the file, the package."""
    for path, survey in at.program.surveys.items():
        foreign = {one for one in survey.needed_packages if _may_take(at, one)}
        for op in survey.calls() if foreign and not survey.page else ():
            if _is_given(at, path, op):
                called = (one.dotted for one in _called(at, at.program.bases[path] + op.called))
                found = {one.partition(".")[0] for one in called if _last(one) not in array_functions.HARMLESS}
                taken = found & foreign
                yield from ((path, one) for one in taken - (_beside_gym(at, path, op) if taken else set()))


def _inherited(at: Analysis) -> Iterator[tuple[str, str]]:
    """Classes of the project around an environment of Gym's whose `step` or `reset` is that of another package.

    Or classes that step what only their base can have kept of what it was handed: `self.env.step(action)`.
    """
    if not any(_may_take(at, one) for survey in at.program.surveys.values() for one in survey.needed_packages):
        return
    for path, survey in at.program.surveys.items():
        base = at.program.bases[path]
        for op in survey.calls():
            for made in at.solver.values(base + op.called, ClassRef):
                foreign = [one for one in _foreign_bases(at, made) if _may_take(at, one)]
                if not foreign or not _is_given(at, path, op):
                    continue
                if _answers_for(at, base + op.result) or _steps_what_base_keeps(at, made):
                    yield from ((made.path, one) for one in foreign)


def _beside_gym(at: Analysis, path: str, call: ops.Call | ops.LibraryCall) -> set[str]:
    """The packages of which each environment that a call is given has a base, named behind Gym's: `(gym.Env, Node)`.

    Such a base is no environment of Gym's, or Python could not order the two; its package takes the argument for that.
    """
    found = [_named_behind(at, one) for node in _given(at, path, call) for one in at.solver.values(node, Instance)]
    alone = not any(at.solver.all(node, Environment) for node in _given(at, path, call))
    return set.intersection(*found) if found and alone else set()


def _named_behind(at: Analysis, made: Instance) -> set[str]:
    """The packages of the bases that stand behind Gym's among the bases of one class."""
    found: set[str] = set()
    for one in at.classes.lineage(made.path, made.index):
        if not isinstance(one, str):
            base = at.program.bases[one.path]
            bases = [at.solver.values(base + node, External) for node in at.program.class_at(*one).bases]
            roots = [{value.dotted.partition(".")[0] for value in values} for values in bases]
            first = next((place for place, names in enumerate(roots) if names == {"gym"}), len(roots))
            found.update(name for names in roots[first + 1 :] for name in names)
    return found


def _given(at: Analysis, path: str, call: ops.Call | ops.LibraryCall) -> list[int]:
    """The nodes of the arguments of a call."""
    nodes = [node for node, _ in call.args] + [node for _, node, _ in call.keywords]
    return [at.program.bases[path] + node for node in nodes if node]


def _is_given(at: Analysis, path: str, call: ops.Call | ops.LibraryCall) -> bool:
    """Whether a call has an environment of Gym's among its arguments, or what makes one."""
    return any(_is_gyms(at, node) for node in _given(at, path, call))


def _foreign_bases(at: Analysis, made: ClassRef) -> list[str]:
    """The packages that a class inherits from, where it has neither `step` nor `reset` of its own."""
    lineage = at.classes.lineage(made.path, made.index)
    own = [at.program.class_at(*one).methods for one in lineage if not isinstance(one, str)]
    if any(name in methods for methods in own for name in ("step", "reset")):
        return []
    return sorted({one.partition(".")[0] for one in lineage if isinstance(one, str)})


def _answers_for(at: Analysis, result: int) -> bool:
    """Whether what a call gave is stepped or reset."""
    found = set(at.solver.held[result])
    return any(
        not found.isdisjoint(at.solver.held[at.program.bases[path] + op.source])
        for path, survey in at.program.surveys.items()
        for op in survey.telling
        if op.name in ("step", "reset")
    )


def _steps_what_base_keeps(at: Analysis, made: ClassRef) -> bool:
    """Whether a class steps or resets an attribute of its own that no class of the project sets: `self._env`."""
    lineage = [one for one in at.classes.lineage(made.path, made.index) if not isinstance(one, str)]
    classes = [at.program.class_at(*one) for one in lineage]
    own = {name for one in classes for name in (*one.assigned, *one.attrs, *one.methods, *one.setters)}
    for path in sorted({one.path for one in lineage}):
        for op in at.program.surveys[path].telling:
            kept = at.program.attribute_at(at.program.bases[path] + op.source) if op.name in ("step", "reset") else None
            if kept is None or not own.isdisjoint((kept[1], "*")):
                continue
            if Instance(made.path, made.index) in at.solver.values(kept[0], Instance):
                return True
    return False


def _last(dotted: str) -> str:
    return dotted.removesuffix("()").rpartition(".")[2]


def _may_take(at: Analysis, package: str) -> bool:
    """Whether a package takes environments as Gym's, or may do so."""
    runs = package in env_api_rows.RUN_BY_GYM and package not in at.moved and not at.modules.is_part(package)
    return runs or (package not in env_api_rows.MADE_FOR_GYM and is_unknown(at, package))


def _called(at: Analysis, node: int) -> list[External]:
    """What a call of another package calls: a name of its, or a method of what a call of its gave."""
    if found := at.solver.values(node, External):
        return found
    attribute = at.program.attribute_at(node)
    return at.solver.values(attribute[0], External) if attribute is not None else []


def _is_gyms(at: Analysis, node: int) -> bool:
    """Whether an environment of Gym's stands at a node, one of the project that is based on Gym, or what makes one."""
    nodes = [node, *_results(at, node)]
    classes = at.solver.values(node, ClassRef)
    if any(
        env.api in (env_apis.GYM, env_apis.GYM_VECTOR) for one in nodes for env in at.solver.values(one, Environment)
    ):
        return True
    made: list[ClassRef | Instance] = [
        *classes,
        *(instance for one in nodes for instance in at.solver.values(one, Instance)),
    ]
    return any(at.classes.api_of_class(one.path, one.index)[0] == env_apis.GYM for one in made)


def _has_gyms(at: Analysis) -> bool:
    """Whether there is an environment of Gym's anywhere, or a class that is based on one."""
    made = (value.api for value in at.solver.interned if isinstance(value, Environment))
    surveys = at.program.surveys.items()
    classes = ((path, index) for path, survey in surveys for index in range(len(survey.classes)))
    return any(api in (env_apis.GYM, env_apis.GYM_VECTOR) for api in made) or any(
        at.classes.api_of_class(*one)[0] == env_apis.GYM for one in classes
    )


def _results(at: Analysis, node: int) -> Iterator[int]:
    """What the functions at a node return that are called without an argument: `lambda: gym.make(...)`."""
    for one in at.solver.values(node, FunctionRef):
        function = at.program.surveys[one.path].functions[one.index]
        if not function.required:
            yield at.program.bases[one.path] + function.result


def _by_id(at: Analysis, makes: list[Make]) -> Iterator[Need]:
    """Packages that may have registered what is made, and nobody else is known to have.

    Of an id that cannot be seen (it comes from a configuration) nobody is known to have it.
    """
    registrars = Registrars(at)
    for path in sorted({make.path for make in makes if not make.ids + make.behind_package}):
        if (found := _registrar(at, registrars, "", path, at.imports.running_with([path]))) is not None:
            yield Need(found.package, found.path, kept_with(at, path), hidden_id=True)
    for make in makes:
        ids = [one for one in make.ids + make.behind_package if not env_id_owners.is_known(one)]
        around = at.imports.running_with([make.path]) if ids else frozenset()
        for env_id in ids:
            if (found := _registrar(at, registrars, env_id, make.path, around)) is not None:
                kept = kept_with(at, make.path)
                yield Need(found.package, found.path, kept, frozenset([env_id]), named=found.named)


def _registrar(
    at: Analysis, registrars: Registrars, env_id: str, made_in: str, around: frozenset[str]
) -> Registrar | None:
    """The package that most likely registers an id: the one that the id names, or one that is imported.

    Without an id (it cannot be seen) its spelling says nothing, and only what the imports are for is asked.
    """
    if named := env_id.rpartition(":")[0].partition(".")[0]:
        return Registrar(named, made_in, named=True) if is_unknown(at, named) else None
    if any(not MOVED.isdisjoint(at.program.surveys[path].packages) for path in around):
        return None
    return registrars.of(env_id, made_in, around)


def kept_with(at: Analysis, path: str) -> frozenset[str]:
    """The files that run with a file, and those of all programs that share an import of Gym, or its classes, with them.

    A test stays with what it runs, though it joins no programs: the package that it imports from runs its `__init__`.
    A file that is on Gymnasium already has chosen; and what an example imports, the program does not need.
    """
    surveys = at.program.surveys
    if surveys[path].page:
        return frozenset([path])
    kept, starts = frozenset[str](), {path}
    while not kept.issuperset(more := at.imports.running_with(sorted(starts))):
        kept = more
        starts |= {one for one in kept if "gym" in surveys[one].packages}
        starts |= {other for one in kept for other in at.envs.sharing.get(one, ())}
    kept |= {test for test in at.imports.tests_running(path) if _of_gym(at, test) <= kept | {test}}
    return frozenset(one for one in kept if "gymnasium" not in surveys[one].packages)


def _of_gym(at: Analysis, test: str) -> frozenset[str]:
    """The files that a test runs and that import Gym: where some of them may move, the test takes no side."""
    return frozenset(one for one in at.imports.run_by([test]) if "gym" in at.program.surveys[one].packages)
