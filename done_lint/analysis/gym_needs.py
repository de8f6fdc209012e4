"""Which programs have to stay with Gym: some file of theirs imports a package whose environments are made for it.

The need belongs to the files that run together, not to the file with the import: a package may be imported in an
`__init__`, its ids registered elsewhere, and the environment made in a worker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from done_lint.analysis.context import Analysis
from done_lint.analysis.import_graph import ImportGraph
from done_lint.analysis.values import Environment, External, Instance, Text
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import (
    env_api_rows,
    env_apis,
    env_id_apis,
    env_id_owners,
    env_packages,
    naming_conventions,
    packages,
)

#: Packages with ids of their own that are on Gymnasium.
_MOVED = packages.GYM_ROOTS - env_api_rows.MADE_FOR_GYM - {"gym", "gymnasium"}
#: Packages that register no environment, or whose environments the tables know.
_OTHERS = (packages.WITHOUT_ENVIRONMENTS | env_packages.ROOTS | _MOVED) - env_api_rows.MADE_FOR_GYM


class Need(NamedTuple):
    """A package that needs Gym, and the files that stay with it."""

    package: str
    #: The file that imports it.
    path: str
    files: frozenset[str]
    #: Nobody is known to have registered these ids; empty: the need is certain, whatever is registered.
    ids: frozenset[str] = frozenset()


class _Make(NamedTuple):
    """A call of Gym's `make`: the file, and the ids that can be seen."""

    path: str
    ids: tuple[str, ...]


def needing(surveys: Iterable[Survey], imports: ImportGraph, moved: frozenset[str]) -> dict[str, str]:
    """By file, a package that it imports and whose environments are made for Gym, by the tables.

    Args:
        surveys: of the files.
        imports: of the project; inside such a package its name means the project itself.
        moved: what the user says is on Gymnasium.
    """
    found: dict[str, str] = {}
    for survey in surveys:
        foreign = (one for one in survey.made_for_gym if imports.file_of(survey.path, one, 0) is None)
        if package := next((one for one in foreign if one not in moved), ""):
            found[survey.path] = package
    return found


def called_after_gym(surveys: Iterable[Survey], imports: ImportGraph, moved: frozenset[str]) -> dict[str, str]:
    """The same of packages that are only called after Gym: what they need is not known."""
    found: dict[str, str] = {}
    for survey in surveys:
        named = (one for one in survey.imports if naming_conventions.made_for_gym(one))
        foreign = ((one, one.partition(".")[0]) for one in named)
        if package := next((one for one, root in foreign if root not in moved and not imports.is_part(root)), ""):
            found[survey.path] = package
    return found


def needed_always(needed: dict[str, str], imports: ImportGraph) -> dict[str, str]:
    """By file, what all of its programs need."""
    return {path: package for start, package in sorted(needed.items()) for path in imports.never_without(start)}


def needs(at: Analysis) -> list[Need]:
    """What keeps the files of a solved graph with Gym."""
    makes = list(_makes(at))
    return [*_by_import(at, makes), *_by_call(at), *_by_handing(at), *_by_id(at, makes)]


def _makes(at: Analysis) -> Iterator[_Make]:
    for node, function, place in at.envs.id_arguments:
        if place is not None and function.startswith("gym.") and function.endswith("make"):
            yield _Make(place.path, tuple(sorted(text.text for text in at.solver.values(node, Text))))


def _by_import(at: Analysis, makes: list[_Make]) -> Iterator[Need]:
    """Packages that need Gym, or are called after it, unless all that is made beside them is Gymnasium's own."""
    for path, package in sorted({**at.envs.suspected, **at.envs.needed}.items()):
        around = at.imports.running_with([path])
        ids = [make.ids for make in makes if make.path in around]
        if not ids or not all(one and all(map(env_id_apis.is_own, one)) for one in ids):
            yield Need(package, path, _kept_with(at, path))


def _by_call(at: Analysis) -> Iterator[Need]:
    """Packages whose classes are registered with Gym, or whose calls visibly give an environment of Gym's."""
    found = {(path, package) for path, packages in at.envs.entry_points.items() for package in packages}
    for node, package in at.envs.makers.items():
        if (owner := at.program.owner(node)) is not None:
            found.add((owner.path, package))
    for path, package in sorted(found):
        if not _is_known(at, package):
            kept = _kept_with(at, path)
            importing = [one for one in sorted(kept) if package in at.program.surveys[one].third_party]
            yield Need(package, next(iter(importing), path), kept)


def _by_handing(at: Analysis) -> Iterator[Need]:
    """Libraries that run Gym's environments themselves, and packages whose wrappers go around one of Gym's."""
    for path, package, result in sorted(_handed_out(at)):
        if package in env_api_rows.RUN_BY_GYM or (not _is_known(at, package) and _is_stepped(at, result)):
            yield Need(package, path, _kept_with(at, path))


def _handed_out(at: Analysis) -> Iterator[tuple[str, str, int]]:
    """Calls of other packages that are given an environment of Gym's: the file, the package, the result's node."""
    for path, survey in at.program.surveys.items():
        foreign = {one for one in survey.third_party if one in env_api_rows.RUN_BY_GYM or one not in _OTHERS} - at.moved
        base = at.program.bases[path]
        for op in survey.calls() if foreign - {"gym"} else ():
            given = [node for node, _ in op.args] + [node for _, node, _ in op.keywords]
            if any(node and _is_gyms(at, base + node) for node in given):
                found = {one.dotted.partition(".")[0] for one in _called(at, base + op.called)}
                yield from ((path, package, base + op.result) for package in sorted(found & foreign - {"gym"}))


def _called(at: Analysis, node: int) -> list[External]:
    """What a call of another package calls: a name of its, or a method of what a call of its gave."""
    if found := at.solver.values(node, External):
        return found
    attribute = at.program.attribute_at(node)
    return at.solver.values(attribute[0], External) if attribute is not None else []


def _is_gyms(at: Analysis, node: int) -> bool:
    """Whether an environment of Gym's stands at a node, or one of the project that is based on Gym."""
    if any(env.api in (env_apis.GYM, env_apis.GYM_VECTOR) for env in at.solver.values(node, Environment)):
        return True
    made = at.solver.values(node, Instance)
    return any(at.classes.api_of_class(one.path, one.index)[0] is env_apis.GYM for one in made)


def _is_stepped(at: Analysis, result: int) -> bool:
    """Whether what a call of another package gave is stepped or reset, or a wrapper of the project goes around it."""
    found = set(at.solver.all(result, External))
    inside = {node for node, _, _ in at.envs.insides}
    return any(found & at.solver.held[node] for node in inside) or any(
        found & at.solver.held[at.program.bases[path] + op.source]
        for path, survey in at.program.surveys.items()
        for op in survey.telling
        if op.name in ("step", "reset")
    )


def _by_id(at: Analysis, makes: list[_Make]) -> Iterator[Need]:
    """Packages that may have registered what is made, and nobody else is known to have."""
    for make in makes:
        ids = [one for one in make.ids if not env_id_owners.is_known(one)]
        around = at.imports.running_with([make.path]) if ids else frozenset()
        for env_id in ids:
            if (found := _registrar(at, env_id, make.path, around)) is not None:
                package, path = found
                yield Need(package, path, _kept_with(at, make.path), frozenset([env_id]))


def _registrar(at: Analysis, env_id: str, made_in: str, around: frozenset[str]) -> tuple[str, str] | None:
    """The package that most likely registers an id, and the file that imports it."""
    named = env_id.rpartition(":")[0].partition(".")[0]
    if named:
        return None if _is_known(at, named) else (named, made_in)
    surveys = at.program.surveys
    if any(_roots(surveys[path]) & _MOVED for path in around):
        return None
    found = [
        (package, path)
        for path in sorted(around, key=lambda path: (path != made_in, path))
        for package in surveys[path].third_party
        if package not in _OTHERS and package not in at.moved and at.imports.file_of(path, package, 0) is None
    ]
    return min(found, key=lambda one: not naming_conventions.of_environments(one[0]), default=None)


def _is_known(at: Analysis, package: str) -> bool:
    """Whether a package is the project's own, registers nothing, or is on Gymnasium."""
    return package in _OTHERS or package in at.moved or at.imports.is_part(package)


def _kept_with(at: Analysis, path: str) -> frozenset[str]:
    """The files that run with a file, and those of all programs that share an import of Gym with them.

    A file that is on Gymnasium already has chosen.
    """
    surveys = at.program.surveys
    kept, starts = frozenset[str](), {path}
    while not kept.issuperset(more := at.imports.running_with(sorted(starts))):
        kept = more
        starts |= {one for one in kept if "gym" in _roots(surveys[one])}
    return frozenset(one for one in kept if "gymnasium" not in _roots(surveys[one]))


def _roots(survey: Survey) -> set[str]:
    return {module.partition(".")[0] for module in survey.imports}
