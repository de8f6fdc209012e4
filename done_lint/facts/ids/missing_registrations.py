"""Packages that have to be imported before Gymnasium makes an id, where nothing of the program may have done so.

Up to 0.29 Gymnasium loaded what was installed beside it; since 1.0 an import has to. A package that nobody knows may
import the other one, so a program that has one of these is not known to lack anything.
"""

from __future__ import annotations

from done_lint.analysis.context import Analysis
from done_lint.analysis.values import Place
from done_lint.knowledge import env_id_apis, env_packages


class MissingRegistrations:
    """The calls of a solved graph that make what no import has registered."""

    def __init__(self, at: Analysis) -> None:
        """Nothing is looked up before an id is asked for."""
        self._at = at
        self._imported: dict[str, frozenset[str]] = {}

    def of(self, env_id: str, taker: str, site: Place | None) -> str:
        """The package that a call of `taker`, a function of Gymnasium's, lacks for an id; empty: none."""
        package = env_id_apis.registering_package(env_id)
        if not package or site is None or taker.startswith("gym."):
            return ""
        imported = self._imported_with(site.path)
        return package if all(map(self._registers_nothing, imported)) else ""

    def _registers_nothing(self, package: str) -> bool:
        """Whether it is known that importing a package registers only what is its own."""
        return package in env_packages.REGISTERING_NOTHING or self._at.modules.is_part(package)

    def _imported_with(self, path: str) -> frozenset[str]:
        """The packages that some file imports of the programs and tests that run a file."""
        if path not in self._imported:
            imports = self._at.imports
            files = imports.running_with([path]) | imports.run_by(imports.tests_running(path))
            surveys = (self._at.program.surveys[file] for file in files)
            self._imported[path] = frozenset(package for survey in surveys for package in survey.packages)
        return self._imported[path]
