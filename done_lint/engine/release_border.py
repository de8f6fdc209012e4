"""What a program asks of Gymnasium 1.0 changes together with what only that release runs, or not at all.

A program that may be for a release before 1.0 runs there as it is. A fix that writes what is there since 1.0 takes that
away, and is right only where all else that this release asks of the same program is fixed as well: what is left would
raise an error, or do something else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from done_lint.core.findings import Family, Finding
from done_lint.engine.blocked import border_of
from done_lint.facts.environments.autoreset_modes import asks_for_one, knows_modes
from done_lint.knowledge.gymnasium_changes import below_root, is_since_one
from done_lint.project.settings import Settings

if TYPE_CHECKING:
    from done_lint.facts.build import Model
    from done_lint.facts.facts import Facts

_GYMNASIUM = "gymnasium."


class ReleaseBorder:
    """Finds, for what holds since 1.0 alone, which files wait for it with what only 1.0 runs."""

    def __init__(self, settings: Settings) -> None:
        """Look at nothing yet; `settings`: of the project."""
        self._settings = settings
        #: Whether a file may be for a release before 1.0, as it was before any fix.
        self._open: dict[str, bool] = {}

    def with_border(self, finding: Finding, model: Model) -> Finding:
        """The finding, with what stands for the fixes that wait for it in every program that runs its file."""
        if not finding.since_one or not self._is_open(finding.path, model):
            return finding
        together = (path for path in model.running_with(finding.path) if self._is_open(path, model))
        return replace(finding, border=Family(map(border_of, together)))

    def _is_open(self, path: str, model: Model) -> bool:
        if path not in self._open:
            asked = asks_for_one(self._settings.releases(path))
            self._open[path] = not asked and _may_run_before_one(model.facts(path))
        return self._open[path]


def _may_run_before_one(facts: Facts) -> bool:
    """Whether a file uses Gymnasium, and nothing of it that there is since 1.0."""
    names = [name for name in facts.names.values() if name.startswith(_GYMNASIUM)]
    return bool(names) and not knows_modes(facts) and not any(is_since_one(below_root(name)) for name in names)
