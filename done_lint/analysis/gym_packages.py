"""Which files import packages that are made for Gym, by the tables and by how these are called."""

from __future__ import annotations

from collections.abc import Iterable

from done_lint.analysis.import_graph import ImportGraph
from done_lint.analysis.module_files import ModuleFiles
from done_lint.flowgraph.schema import Survey
from done_lint.knowledge import naming_conventions


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
