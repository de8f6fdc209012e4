"""The files of a project that name packages, and which of them name Gym on purpose."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cached_property

from done_lint.core.paths import shown
from done_lint.engine.load import Program
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge.env_api_lookup import modules_for_gym
from done_lint.knowledge.packages_for_gym import MADE_FOR_GYM
from done_lint.project import prefilter, requirements
from done_lint.project.kept_old import old_place
from done_lint.project.settings import matches

#: Where a project says what it requires itself.
_METADATA = ("pyproject.toml", "setup.cfg")
_CODE = (".py", ".ipynb")
_LIBRARIES = re.compile(rb"\bgym(?:nasium)?\b")


class PackageLists:
    """What the code and the settings of a project say of them."""

    def __init__(self, program: Program) -> None:
        """Look at nothing yet."""
        self._program = program
        self._project = program.project

    def reason_kept(self, path: str, *, requires_gym: bool) -> str | None:
        """Why a file that names packages does so for old Gym on purpose; empty: not to be shown; None: it does not.

        Args:
            path: the file.
            requires_gym: whether every file of the project that imports Gym uses it as Gym.
        """
        settings, root = self._project.settings, self._project.root
        if matches(settings.kept_old, path, settings.root):
            return ""
        place = self._program.kept_old.around(path)
        if place is None and settings.find_kept_old and self._program.migrated:
            place = old_place(path, root)
        if place is not None:
            return f"`{shown(place.path)}` ({place.reason})"
        if os.path.basename(path) not in _METADATA and self._needs_no_import:
            return f"`{shown(path)}` (the set-up requires gymnasium, and no module imports gym)"
        if requirements.is_frozen(self._program.read(path)) and not self._imports_gym_below(os.path.dirname(path)):
            return f"`{shown(path)}` (every package there is pinned, and no module beside it imports gym)"
        if os.path.basename(path) not in _METADATA and (package := self._package_of_gym(path)):
            return f"`{shown(path)}` (`{package}` needs gym, and no module beside it imports gym)"
        if requirements.pins_gym(path, self._program.read(path)) and self._has_no_gym:
            return f"`{shown(path)}` (gym is pinned there, and no code names gym or gymnasium)"
        return "" if requires_gym or self._requires_both else None

    def _package_of_gym(self, path: str) -> str:
        """What is made for Gym, and imported by code in the folder of a list of packages where no code imports Gym.

        Where no code of the project does, that code may be anywhere: the list may be that of its tests.
        """
        folder = os.path.join(os.path.dirname(path), "")
        beside = [one for at, one in self._program.surveys.items() if at.startswith(folder) and not one.page]
        if not any("gym" in one.packages for one in beside) and (found := self._made_for_gym(beside)):
            return found
        return "" if self.imports_gym else self._module_for_gym

    @cached_property
    def _module_for_gym(self) -> str:
        """A module that is for Gym in its package, and that some code of the project imports."""
        for path in self._project.files():
            data = self._program.read(path) if path.endswith(".py") else None
            if data is not None and modules_for_gym(prefilter.imported(data)):
                survey = self._program.surveys.get(path) or self._program.survey_apart(path)
                if survey is not None and (found := modules_for_gym(survey.imports)):
                    return found[0]
        return ""

    @cached_property
    def _needs_no_import(self) -> bool:
        """Whether the project's set-up requires Gymnasium, and no code imports Gym: who lists that needs it so."""
        return requirements.requires_gymnasium(self._project.root) and not self.imports_gym

    @cached_property
    def _has_no_gym(self) -> bool:
        """Whether the project has code, and none of it names one of the libraries by a word."""
        files = [
            path for path in self._project.files() if path.endswith(_CODE) and os.path.basename(path) != "setup.py"
        ]
        texts = map(self._program.read, files)
        return bool(files) and not any(text is not None and _LIBRARIES.search(text) for text in texts)

    @cached_property
    def imports_gym(self) -> bool:
        """Whether a module or a notebook of the project imports Gym, but for what says that it is old."""
        return self._imports_gym_below(self._project.root)

    def _imports_gym_below(self, folder: str) -> bool:
        """The same of those in a folder, at any depth."""
        inside = os.path.join(folder, "")
        files = (path for path in self._project.files() if path.startswith(inside) and path.endswith(_CODE))
        code = (self._program.read(path) for path in files if old_place(path, self._project.settings.root) is None)
        return any(data is not None and prefilter.imports_gym(data) for data in code)

    @cached_property
    def _requires_both(self) -> bool:
        """Whether the project's own metadata ask for both libraries."""
        return requirements.asks_for_both(self._project.root)

    def _made_for_gym(self, surveys: Iterable[Survey]) -> str:
        """A package made for Gym, or a module of one, that some of these files import, and is none of the project's."""
        found = {
            name
            for one in surveys
            for name in (*one.packages.keys() & MADE_FOR_GYM, *modules_for_gym(one.imports))
            if not self._program.is_own(one.path, name.partition(".")[0])
        }
        return min(found, default="")
