"""What stays with Gym though no import leads from there to the package that keeps the program.

A file that makes an id runs with the file that registers it, wherever that is imported. A class of environments that
nobody uses is for the programs around it: where all of them stay with Gym, so does the class.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from done_lint.analysis import gym_needs, registrations
from done_lint.analysis.kept_with_gym import kept_with
from done_lint.analysis.values import ClassRef
from done_lint.core.paths import slashed
from done_lint.knowledge import env_id_apis, env_id_owners
from done_lint.knowledge.packages import GYM_ROOTS

if TYPE_CHECKING:
    from done_lint.analysis.context import Analysis


@dataclass(frozen=True, slots=True)
class Apart:
    """What is known of the files of a part beside their imports."""

    #: The files that import Gym or Gymnasium; pages and tests are no evidence for the program.
    users: frozenset[str]
    #: Those with classes of environments that no file imports, and that choose no environment themselves.
    unused: frozenset[str]
    #: By file, the ids that it registers environments under.
    registering: Mapping[str, frozenset[str]]
    #: By id that only the project can have, the files that are kept with one that makes it from Gym.
    made: Mapping[str, frozenset[str]]


def apart(at: Analysis, with_classes: Collection[str]) -> Apart:
    """Read a solved graph; `with_classes` are the files that have classes of environments."""
    surveys = at.program.surveys
    users = {
        path
        for path, survey in surveys.items()
        if not survey.page and not at.imports.is_test(path) and not GYM_ROOTS.isdisjoint(survey.packages)
    }
    unused = {path for path in users.intersection(with_classes) - _making(at) if _is_unused(at, path)}
    return Apart(frozenset(users), frozenset(unused), _registering(at), _made(at))


def _making(at: Analysis) -> set[str]:
    """The files that make environments; one that makes only what others name, by an id that it is handed, does not."""
    owners = (at.program.owner(node) for node in at.envs.makes)
    makes = list(gym_needs.makes(at))
    naming = {make.path for make in makes if any(make.ids) or make.behind_package}
    return {owner.path for owner in owners if owner is not None} - ({make.path for make in makes} - naming)


def _is_unused(at: Analysis, path: str) -> bool:
    """Whether nothing imports a file of Gym's, and it makes no object of a class."""
    base, survey = at.program.bases[path], at.program.surveys[path]
    if "gym" not in survey.packages or any(at.solver.values(base + op.called, ClassRef) for op in survey.calls()):
        return False
    return all(one == path or at.program.surveys[one].page for one in at.imports.importers_of(path))


def _registering(at: Analysis) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for one in at.envs.id_arguments:
        if one.function in env_id_apis.REGISTERING and one.place is not None:
            ids = registrations.ids(at, one.node)
            found[one.place.path] = found.get(one.place.path, frozenset()).union(ids)
    return found


def _made(at: Analysis) -> dict[str, frozenset[str]]:
    places: dict[str, set[str]] = {}
    for make in gym_needs.makes(at):
        for env_id in make.ids:
            if not env_id_owners.is_known(env_id):
                places.setdefault(env_id, set()).add(make.path)
    kept = {path: kept_with(at, path) for path in set[str]().union(*places.values())}
    return {env_id: frozenset[str]().union(*(kept[path] for path in paths)) for env_id, paths in places.items()}


class KeptApart:
    """The files of a project that stay with Gym because of others that do."""

    def __init__(self, parts: Collection[Apart], kept: Collection[str]) -> None:
        """`kept` are the files that stay because of what they import."""
        self._parts = parts
        self._kept = kept

    def by_id(self) -> Iterator[tuple[str, str]]:
        """The files of programs that make an id which only files that stay register: file, such a file."""
        registering = [(path, ids) for part in self._parts for path, ids in sorted(part.registering.items())]
        for env_id, files in (one for part in self._parts for one in sorted(part.made.items())):
            name = env_id.rpartition(":")[2]
            owners = [path for path, ids in registering if registrations.registered_as(name, ids)]
            if owners and all(path in self._kept for path in owners):
                yield from ((path, owners[0]) for path in sorted(files - set(self._kept)))

    def unused(self) -> Iterator[tuple[str, str]]:
        """The files with classes that nobody uses, where all around them stays: file, one of those around it."""
        unused = frozenset[str]().union(*(part.unused for part in self._parts))
        if not unused:
            return
        around: dict[str, list[str]] = {}
        for path in sorted(frozenset[str]().union(*(part.users for part in self._parts)) - unused):
            for folder in _folders(path):
                around.setdefault(folder, []).append(path)
        for path in sorted(unused):
            nearest = next((around[folder] for folder in _folders(path) if folder in around), [])
            if nearest and all(one in self._kept for one in nearest):
                yield path, nearest[0]


def _folders(path: str) -> Iterator[str]:
    """The folders around a file, nearest first."""
    folder = posixpath.dirname(slashed(path))
    while True:
        yield folder
        above = posixpath.dirname(folder)
        if above == folder:
            return
        folder = above
