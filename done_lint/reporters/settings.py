"""The settings of a run, and the releases of Gymnasium that they lead to, as lines for people."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from done_lint.core.gymnasium_release import Supported
from done_lint.core.paths import shown
from done_lint.project.discovery import Project
from done_lint.project.script_metadata import statement_of
from done_lint.reporters.summary import plural


def origin_lines(project: Project) -> Iterator[str]:
    """How many files a project has, and where its settings and its releases of Gymnasium come from."""
    origin = project.settings.origin or "the defaults"
    yield f"{shown(project.root)}: {plural(len(project.asked), 'file')}, settings from {origin}"
    for folder, releases in _releases(project):
        yield f"{shown(folder)}: {releases.described}"


def settings_page(project: Project) -> str:
    """All settings of a project in the form of its configuration."""
    rows = [f"# {line}" for line in origin_lines(project)]
    settings = project.settings
    values: Mapping[str, object] = {
        "select": [*settings.select, *settings.extend_select],
        "ignore": settings.ignore,
        "exclude": settings.exclude,
        "per-file-ignores": dict(settings.per_file_ignores),
        "env-apis": dict(settings.env_apis),
        "moved-packages": settings.moved_packages,
        "include-docs": settings.include_docs,
        "max-file-size": settings.max_file_size,
        **({"target-version": settings.target_version} if settings.target_version else {}),
    }
    rows += (f"{key} = {_toml(value)}" for key, value in values.items())
    return "\n".join(rows) + "\n"


def _releases(project: Project) -> Iterator[tuple[str, Supported]]:
    """The releases of the project, and the folders and scripts of which something else is said than around them."""
    settings = project.settings
    whole = settings.releases(os.path.join(project.root, "-"))
    yield project.root, whole
    folders: dict[Supported, list[str]] = {}
    for folder in sorted({os.path.dirname(path) for path in project.asked}):
        releases = settings.releases(os.path.join(folder, "-"))
        if releases != whole:
            folders.setdefault(releases, []).append(folder)
    for releases, inside in folders.items():
        yield os.path.commonpath(inside), releases
    for path in sorted(project.asked):
        around = os.path.join(os.path.dirname(path), "-")
        if statement_of(path) == path and (releases := settings.releases(path)) != settings.releases(around):
            yield path, releases


def _toml(value: object) -> str:
    """A value as TOML writes it: as JSON does, but for tables."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(inside)}" for key, inside in value.items()) + "}"
    return json.dumps(value)
