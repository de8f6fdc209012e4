"""What keeps the families of a project from being changed, beside what its solved graph shows.

These are files that cannot be read or checked, files for Python 2, what configuration files name, the entry points by
which Gym finds a package, and what documents install.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from done_lint.core.findings import Diagnostic, Finding, Span
from done_lint.core.paths import DOCUMENTS, NOTEBOOKS
from done_lint.core.text import Lines
from done_lint.engine.blocked import all_members
from done_lint.engine.load import Program
from done_lint.facts.kinds.obstacles import Obstacle
from done_lint.knowledge.packages_for_gym import RUN_BY_GYM
from done_lint.project.entry_point_groups import groups_of_gym
from done_lint.project.required_release import upwards
from done_lint.project.requirements import installed_for_gym
from done_lint.project.run_commands import run_commands
from done_lint.source.python_versions import CONVERT_FIRST, needs_python_2
from done_lint.source.source import Source

if TYPE_CHECKING:
    from done_lint.facts.build import Model
    from done_lint.facts.facts import Facts

_GROUP = "names the entry points `gym.envs`, where Gymnasium looks for `gymnasium.envs`"
_RUNS = "has `{}` run what the project registers, and that takes environments as Gym has them"
#: The package that makes what configuration files name.
_HYDRA = "hydra"
#: The modules by which a program imports what a text names.
_LOADING = frozenset({"importlib", "pydoc"})


def obstacles_of_project(
    program: Program,
    model: Model,
    facts: Mapping[str, Facts],
    findings: Mapping[str, Sequence[Finding]],
    failures: Mapping[str, Diagnostic],
) -> Iterator[Obstacle]:
    """All of them.

    Args:
        program: the files of the project.
        model: what its solved graph shows.
        facts: those of the files that the rules were run on, with the ids that configuration files give.
        findings: those of these files.
        failures: the files on which a rule failed, and how.
    """
    yield from _unread(program, model)
    yield from _of_python_2(program, model, findings)
    yield from _configured(facts)
    yield from _unchecked(failures, facts)
    yield from _instantiated(program, model)
    yield from _found_by_gym(program, model)
    yield from _run_by_commands(program, model)
    yield from _installing(program, facts)


def _unread(program: Program, model: Model) -> Iterator[Obstacle]:
    """Files that are not Python of today and may use what they run: a program for Python 2 has some.

    Another program that runs the same files is none of theirs; one that imports them may hand them anything.
    """
    for path, run, users in program.unread():
        families = [model.facts(one).families_within for one in sorted(run)]
        families += [model.facts(one).all_families for one in sorted(users)]
        if family := frozenset().union(*families):
            yield Obstacle(path, Span(1, 0, 1, 0), "", "cannot be read and may use it", family)


def _of_python_2(program: Program, model: Model, findings: Mapping[str, Sequence[Finding]]) -> Iterator[Obstacle]:
    """Files for Python 2, for which there is no Gymnasium."""
    for path in sorted(program.surveys):
        source, known = program.sources.get(path), model.facts(path)
        if source is not None and (known.all_families or findings.get(path)) and (which := _python_2(source)):
            yield Obstacle(path, Span(1, 0, 1, 0), "", which, all_members(path, known))


def _configured(facts: Mapping[str, Facts]) -> Iterator[Obstacle]:
    """The calls of Gym's `make` that are given only what is gone for good, by the configuration files."""
    from done_lint.facts.obstacles.gym_only_makes import REMOVED
    from done_lint.knowledge.env_id_versions import is_removed

    for path, known in facts.items():
        if known.configured_ids and all(map(is_removed, known.configured_ids)):
            for call in known.unseen_ids:
                if call.taker.startswith("gym."):
                    yield Obstacle(path, call.span, "", REMOVED, all_members(path, known))


def _unchecked(failures: Mapping[str, Diagnostic], facts: Mapping[str, Facts]) -> Iterator[Obstacle]:
    """The files on which a rule failed: nobody knows what it would have said, so all fixes are in doubt."""
    for path, diagnostic in failures.items():
        row, column, which = diagnostic.row, diagnostic.column, f"cannot be checked ({diagnostic.message})"
        yield Obstacle(path, Span(row, column, row, column), "", which, all_members(path, facts[path]))


def _instantiated(program: Program, model: Model) -> Iterator[Obstacle]:
    """The names of Gym's in configuration files that Hydra calls for a program: what it makes stays with Gym.

    Or those that a program itself imports, as it imports modules by their names.
    """
    for path, survey in program.surveys.items() if not program.project.alone else ():
        by_hydra = _HYDRA in survey.packages
        if (by_hydra or not _LOADING.isdisjoint(survey.packages)) and (data := program.read(path)) is not None:
            family = all_members(path, model.facts(path))
            for one in program.configs.targets([(path, data)], any_key=not by_hydra):
                at = Span(one.row, one.column, one.row, one.column + len(one.value))
                which = f"has {'Hydra' if by_hydra else 'the program'} call `{one.value}`"
                named = (all_members(other, model.facts(other)) for other in _named_beside(program, one.path))
                yield Obstacle(one.path, at, "", which, family.union(*named))


def _named_beside(program: Program, config: str) -> list[str]:
    """The files of a project whose modules a configuration file names: `maze.wrappers.Scale`."""
    text = program.configs.text(config)
    stems = ((path, os.path.basename(path).removesuffix(".py")) for path in program.surveys)
    return [path for path, stem in stems if f"{stem}." in text]


def _found_by_gym(program: Program, model: Model) -> Iterator[Obstacle]:
    """The packages that Gym finds by their entry points: their ids are made without an import of them."""
    if program.project.alone:
        return
    root = program.project.root
    folders = {one for path in program.surveys for one in upwards(os.path.dirname(path), root)}
    for group in (one for folder in sorted(folders) for one in groups_of_gym(folder)):
        inside = os.path.join(os.path.dirname(group.path), "")
        families = (model.facts(path).all_families for path in program.surveys if path.startswith(inside))
        if family := frozenset[str]().union(*families):
            at = Span(group.row, group.column, group.row, group.column + len("gym.envs"))
            yield Obstacle(group.path, at, "", _GROUP, family)


def _run_by_commands(program: Program, model: Model) -> Iterator[Obstacle]:
    """The commands by which a package made for Gym runs the environments that the project registers."""
    if program.project.alone:
        return
    runs = [one for one in run_commands(program.project.root) if one.package in RUN_BY_GYM]
    for run in runs:
        files = [path for path in program.surveys if any(_names(program.read(path), one) for one in run.ids)]
        families = (model.facts(path).all_families for path in files)
        if family := frozenset[str]().union(*families):
            at = Span(run.row, run.column, run.row, run.column)
            yield Obstacle(run.path, at, "", _RUNS.format(run.package), family)


def _names(data: bytes | None, env_id: str) -> bool:
    """Whether a file writes an id as a text."""
    return data is not None and any(f"{quote}{env_id}{quote}".encode() in data for quote in "'\"")


def _installing(program: Program, facts: Mapping[str, Facts]) -> Iterator[Obstacle]:
    """The commands of documents that install what is for Gym: who follows the page has no Gymnasium.

    What an example shares with code of the project changes as that does, whose releases the project chooses.
    """
    for path, known in facts.items():
        source = program.sources.get(path)
        if source is None or source.layout is None or not path.endswith(DOCUMENTS):
            continue
        notebook = path.endswith(NOTEBOOKS)
        text = source.text if notebook else source.layout.cells[0].text
        places = source.layout.commands() if notebook else [(0, len(text))]
        installed = next(installed_for_gym(text, places), None)
        alone = "gym" in program.surveys[path].packages and all(one.startswith(path) for one in known.all_families)
        if installed is not None and alone:
            at, requirement = installed
            row, column = Lines(text).position(at)
            span = Span(row, column, row, column + len(requirement))
            which = f"installs `{requirement}`"
            yield Obstacle(path, span, "", which, all_members(path, known), around=not notebook)


def _python_2(source: Source) -> str:
    """What is to be said of a file for Python 2; empty: it is none."""
    if source.layout is None:
        return CONVERT_FIRST if needs_python_2(source.text) else ""
    return "is a notebook for Python 2" if source.layout.python_2 else ""
