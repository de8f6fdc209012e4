"""Which programs have to stay with Gym: some file of theirs imports a package whose environments are made for it.

The need belongs to the files that run together, not to the file with the import: a package may be imported in an
`__init__`, its ids registered elsewhere, and the environment made in a worker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from done_lint.analysis.context import Analysis
from done_lint.analysis.kept_with_gym import Need, kept_with
from done_lint.analysis.packages_taking_gym import needs_by_use, needs_of_rllib
from done_lint.analysis.registrars import Registrar, Registrars, is_unknown
from done_lint.analysis.text_places import text_places
from done_lint.analysis.values import Template, Text
from done_lint.core.asked_once import asked_once
from done_lint.core.findings import Related
from done_lint.knowledge import env_id_apis, env_id_owners, packages, packages_for_gym
from done_lint.knowledge.package_requirements import IMPORTED_AS

#: Packages with ids of their own that are on Gymnasium.
MOVED = packages.GYM_ROOTS - packages_for_gym.MADE_FOR_GYM - {"gym", "gymnasium"}


class Make(NamedTuple):
    """A call of Gym's `make`: the file, and the ids that can be seen."""

    path: str
    ids: tuple[str, ...]
    #: Those of which only the package can be seen, with `*` for what is not known: `mazes:*`.
    behind_package: tuple[str, ...]
    #: By id: the files that name it.
    named_in: Mapping[str, frozenset[str]]

    def ids_of(self, files: frozenset[str]) -> list[str]:
        """The ids that some of the files name; others come here in other programs, which share the call."""
        return [one for one in self.ids if not (places := self.named_in[one]) or not places.isdisjoint(files)]


def needs(at: Analysis) -> list[Need]:
    """What keeps the files of a solved graph with Gym."""
    found = list(makes(at))
    packages = [*_by_import(at, found), *needs_by_use(at), *_by_id(at, found), *needs_of_rllib(at)]
    return [*packages, *_by_pin(at), *_by_version(at)]


def makes(at: Analysis) -> Iterator[Make]:
    """The calls of Gym's `make`."""
    for node, function, place in at.envs.id_arguments:
        if place is not None and function.startswith("gym.") and function.endswith("make"):
            templates = (one.text for one in at.solver.values(node, Template))
            named = sorted(one for one in templates if ":" in one.partition("*")[0])
            texts = {at.solver.get(one, Text).text: one for one in at.solver.all(node, Text)}
            files = {text: frozenset(one.path for one in text_places(at, node, texts[text])) for text in texts}
            yield Make(place.path, tuple(sorted(texts)), tuple(named), files)


def _by_import(at: Analysis, makes: list[Make]) -> Iterator[Need]:
    """Packages that need Gym, or are called after it, unless all that is made beside them is Gymnasium's own."""
    for path, package in sorted({**at.envs.suspected, **at.envs.needed}.items()):
        if needs_gym(at, path, package, makes):
            yield Need(package, path, kept_with(at, path), known=path in at.envs.needed)


def needs_gym(at: Analysis, path: str, package: str, makes: Iterable[Make]) -> bool:
    """Whether a file's import of a package made for Gym keeps it there: not all `makes` around are Gymnasium's own."""
    around = at.imports.running_with([path])
    ids = [make.ids_of(around) for make in makes if make.path in around]
    own = bool(ids) and all(one and all(map(env_id_apis.is_own, one)) for one in ids)
    return package in packages_for_gym.LEARN_IN_GYM or not own


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
            yield Need(package, path, kept_with(at, path), pinned=True, known=True)


def _by_version(at: Analysis) -> Iterator[Need]:
    """Tests of Gym's version to which Gymnasium's number is no good answer: no import moves without them."""
    for path, survey in at.program.surveys.items():
        tests = survey.version_tests if not survey.page and path not in at.kept.files else ()
        for span, kind in tests[:1]:
            yield Need("", path, kept_with(at, path), test=Related(path, span, kind))


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
