"""Packages that take what the project has of Gym: its environments, its spaces, or what makes them.

They may step it, and nothing is known of how they do.
"""

from __future__ import annotations

from collections.abc import Iterator

from done_lint.analysis import class_tests
from done_lint.analysis.context import Analysis
from done_lint.analysis.kept_with_gym import Need, kept_with
from done_lint.analysis.open_steps import old_steps
from done_lint.analysis.program import ClassId
from done_lint.analysis.registrars import is_unknown
from done_lint.analysis.values import ClassRef, Environment, External, FunctionRef, Instance, Object
from done_lint.analysis.wrapped_packages import wrapped_packages
from done_lint.core.reach import reach
from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.keys import AttributeKey
from done_lint.knowledge import array_functions, env_apis, packages_for_gym
from done_lint.knowledge.env_members import SPACES


def needs_by_use(at: Analysis) -> Iterator[Need]:
    """What keeps files with Gym by how they use packages."""
    yield from _unknown_makers(at)
    yield from _handed(at)
    yield from _given_spaces(at)
    yield from _asked_for_classes(at)


def _asked_for_classes(at: Analysis) -> Iterator[Need]:
    """Packages whose objects are asked whether they are of a class of Gym's: there they may be, and nowhere else."""
    for path, package in sorted(set(class_tests.foreign(at))):
        if is_unknown(at, package):
            yield Need(package, path, kept_with(at, path))


def _unknown_makers(at: Analysis) -> Iterator[Need]:
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


def _handed(at: Analysis) -> Iterator[Need]:
    """Packages that are handed an environment of Gym's: they may step it, and nothing is known of how they do."""
    for path, package in sorted({*_handed_out(at), *_inherited(at)} if _has_gyms(at) else ()):
        yield Need(package, path, kept_with(at, path))


def _given_spaces(at: Analysis) -> Iterator[Need]:
    """Packages whose classes get spaces of Gym's from the project: what runs these may ask for their type."""
    for path, survey in at.program.surveys.items():
        for index in range(len(survey.classes)) if "gym" in survey.packages and not survey.page else ():
            if at.classes.api_of_class(path, index)[0] is None and _has_spaces(at, path, index):
                bases = {one.partition(".")[0] for one in at.classes.lineage(path, index) if isinstance(one, str)}
                for package in sorted(one for one in bases if _may_take(at, one)):
                    yield Need(package, path, kept_with(at, path))


def needs_of_rllib(at: Analysis) -> Iterator[Need]:
    """RLlib, where classes made for its runners give four values: these took Gym's spaces as long as they did that."""
    for path, survey in at.program.surveys.items():
        for index, made in enumerate(survey.classes if "gym" in survey.packages and not survey.page else ()):
            arities = survey.functions[made.methods["step"]].arities if "step" in made.methods else ()
            if set(arities) == {4} and at.classes.api_of_class(path, index)[0] == env_apis.RLLIB_MULTI_AGENT:
                yield from () if "ray" in at.moved else (Need("ray", path, kept_with(at, path), known=True),)


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
    """Calls of other packages that are given an environment of Gym's, its spaces, or what makes one: file, package."""
    for path, survey in at.program.surveys.items():
        foreign = {one for one in survey.needed_packages if _may_take(at, one)}
        for op in survey.calls() if foreign and not survey.page else ():
            spaces = _is_given_spaces(at, path, op)
            if spaces or _is_given(at, path, op):
                called = (one.dotted for one in _called(at, at.program.bases[path] + op.called))
                found = {one.partition(".")[0] for one in called if _last(one) not in array_functions.HARMLESS}
                # what is only handed the spaces may know any: what is made to run on Gym asks for the type of Gym's
                taken = found & foreign & (packages_for_gym.RUN_BY_GYM if spaces else foreign)
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
    """Whether a call has an environment of Gym's among its arguments, or what makes one, or a list of such."""
    given = _given(at, path, call)
    inside = (
        field for node in given for one in at.solver.all(node, Object) for _, field in at.objects.owned.get(one, ())
    )
    return any(_is_gyms(at, node) for node in (*given, *inside))


def _is_given_spaces(at: Analysis, path: str, call: ops.Call | ops.LibraryCall) -> bool:
    """Whether a call is given a space of Gym's, and no environment: `ActorCritic(env.observation_space)`."""
    reads = (at.program.attribute_at(node) for node in _given(at, path, call))
    spaces = any(one is not None and one[1] in SPACES and _is_gyms(at, one[0]) for one in reads)
    return spaces and not _is_given(at, path, call)


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
    runs = package in packages_for_gym.RUN_BY_GYM and package not in at.moved and not at.modules.is_part(package)
    return runs or (package not in packages_for_gym.MADE_FOR_GYM and is_unknown(at, package))


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
