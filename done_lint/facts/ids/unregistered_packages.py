"""Packages that have to be imported because they register what a file makes by its id, and that nothing imports there.

An import counts where every program that runs the file runs it, too. What shares a module with the file, and is a
program of its own, registers nothing for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set

from done_lint.analysis import registrations
from done_lint.analysis.context import Analysis
from done_lint.analysis.values import Place
from done_lint.facts.ids.package_signs import PackageSigns
from done_lint.knowledge import env_id_apis


def unregistered_packages(at: Analysis, own: Set[str]) -> dict[str, str]:
    """By file that makes environments of Gym's, a package that it lacks; `own` are the ids that the project registers.

    Of several packages, the last one by name.
    """
    makers: dict[str, set[str]] = defaultdict(set)
    signs = PackageSigns(at)
    for node, dotted, site in at.envs.id_arguments:
        if site is None or dotted in env_id_apis.REGISTERING or not dotted.startswith("gym."):
            continue
        ids = [one for one in registrations.ids(at, node) if one not in own]
        for package in {env_id_apis.registering_package(one) for one in ids} | {_asserted(at, site), signs.of(node)}:
            makers[package].add(site.path)
    found: dict[str, str] = {}
    for package, paths in sorted(makers.items()):
        importing = [path for path, survey in at.program.surveys.items() if package in survey.packages]
        lacking = paths - at.imports.never_without(importing) if package else ()
        found.update(dict.fromkeys(lacking, package))
    return found


def _asserted(at: Analysis, site: Place) -> str:
    """The package of the ids that the function around a call asserts to be given."""
    survey = at.program.surveys[site.path]
    homes = (survey.homes.get(call.result, -2) for call in survey.calls() if call.at == site.span)
    packages = (survey.asserted_ids[home] for home in homes if home in survey.asserted_ids)
    return next(packages, "") if survey.asserted_ids else ""
