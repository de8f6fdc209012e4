"""Which package most likely has registered the environment of an id that nobody is known to have.

What a package is imported for tells: one that registers environments is imported for that effect, and nothing reads its
name; one that the program uses as a library is imported for what it uses.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from done_lint.analysis.context import Analysis
from done_lint.analysis.values import External
from done_lint.flowgraph.schema import Package
from done_lint.knowledge import env_packages, naming_conventions
from done_lint.knowledge.package_requirements import IMPORTED_AS, NAMED_ON_GYMNASIUM
from done_lint.knowledge.packages_for_gym import MADE_FOR_GYM

#: How functions are called that register environments, as those of Gymnasium are: `register`, `register_envs`.
_REGISTERING = "register"
#: The rank of a package that an id is spelled as; no other is as good.
_SPELLED = 0


class Registrar(NamedTuple):
    """A package, and the file that imports it."""

    package: str
    path: str
    #: The id itself says so, by the name of the package or by its spelling.
    named: bool


class Registrars:
    """The packages of a solved graph that may have registered environments."""

    def __init__(self, at: Analysis) -> None:
        """Nothing is looked up before an id is asked for."""
        self._at = at

    def of(self, env_id: str, made_in: str, around: Iterable[str]) -> Registrar | None:
        """The package that fits best of those that the files `around` import, of which `made_in` makes the id."""
        found = [
            (rank, path != made_in, Registrar(package, path, named=rank == _SPELLED))
            for path in sorted(around, key=lambda path: (path != made_in, path))
            for package, imported in self._at.program.surveys[path].packages.items()
            if self._is_candidate(package, imported) and (rank := self._rank(env_id, package, path)) is not None
        ]
        return min(found, key=lambda one: one[:2])[-1] if found else None

    def _is_candidate(self, package: str, imported: Package) -> bool:
        """Whether the program cannot do without a package, and nobody knows what that is for."""
        known = package in MADE_FOR_GYM or package in IMPORTED_AS
        return imported.needed and not known and is_unknown(self._at, package)

    def _rank(self, env_id: str, package: str, path: str) -> int | None:
        """How well a package fits, the least best; None: nothing speaks for it."""
        if naming_conventions.names_package(env_id, package):
            return _SPELLED
        if package in self._called or (package in self._for_effect and package not in self._libraries):
            return 1
        modules = self._at.program.surveys[path].imports
        taken = (one for one in modules if one.partition(".")[0] == package)
        return 2 if any(map(naming_conventions.of_environments, taken)) else None

    @cached_property
    def _for_effect(self) -> frozenset[str]:
        surveys = self._at.program.surveys.values()
        return frozenset(name for survey in surveys for name, one in survey.packages.items() if one.for_effect)

    @cached_property
    def _libraries(self) -> frozenset[str]:
        surveys = self._at.program.surveys.values()
        return frozenset(name for survey in surveys for name, one in survey.packages.items() if one.as_library)

    @cached_property
    def _called(self) -> frozenset[str]:
        """The packages that are told to register what they have: `mazes.register_envs()`."""
        at = self._at
        called = (
            value.dotted
            for path, survey in at.program.surveys.items()
            for op in survey.calls()
            if not op.args and not op.keywords
            for value in at.solver.values(at.program.bases[path] + op.called, External)
        )
        return frozenset(name.partition(".")[0] for name in called if name.rpartition(".")[2].startswith(_REGISTERING))


def is_unknown(at: Analysis, package: str) -> bool:
    """Whether a package is of no table, not the project's own, and none of those that the user says have moved."""
    known = package in env_packages.WITHOUT_OTHERS or package in sys.stdlib_module_names
    return not (known or package in at.moved or at.modules.is_part(package) or _is_on_gymnasium(at, package))


def _is_on_gymnasium(at: Analysis, package: str) -> bool:
    """Whether the program uses a name that only the releases of a package have which are on Gymnasium."""
    end = NAMED_ON_GYMNASIUM.get(package)
    found = (at.solver.get(one, External).dotted for one in (at.solver.of_kinds(External) if end else ()))
    return any(one.startswith(f"{package}.") and one.removesuffix("()").endswith(end or "") for one in found)
