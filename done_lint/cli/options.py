"""The options that `check` and `fix` share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from done_lint.cli.failures import EnvironmentFailure, Failure
from done_lint.core.paths import CACHE
from done_lint.core.text import printable
from done_lint.engine import known_runs
from done_lint.engine.answer_cache import AnswerCache
from done_lint.project import settings
from done_lint.project.discovery import Project, exists, is_excluded, project_root, projects
from done_lint.reporters import FORMATS
from done_lint.reporters.settings import origin_lines

STDIN = "-"

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Options:
    """The options that `check` and `fix` share."""

    #: The paths that were given and exist.
    paths: tuple[str, ...]
    missing: bool
    overrides: settings.Overrides
    cache: AnswerCache
    jobs: int
    stdin_filename: str
    force_exclude: bool
    output_format: str
    output_file: str
    color: str
    statistics: bool
    exit_zero: bool
    quiet: bool
    verbose: bool

    def projects(self) -> list[Project]:
        """The files that are asked for."""
        return projects(self.paths or (".",), self.overrides.settings, force_exclude=self.force_exclude)

    def names(self, path: str) -> bool:
        """Whether a file was given by its own name, and not by a folder's."""
        return os.path.abspath(path) in map(os.path.abspath, self.paths)

    def note(self, line: str) -> None:
        """Print a line for people on stderr."""
        if not self.quiet:
            click.echo(printable(line), err=True)
            known_runs.say(2, f"{printable(line)}\n")


def _comma_separated(values: Sequence[str]) -> list[str]:
    return [word.strip() for value in values for word in value.split(",") if word.strip()]


def _codes(values: Sequence[str], option: str) -> tuple[str, ...]:
    """The codes that an option names; each use of it has to name one."""
    # An empty value comes from an empty variable of a script more often than from a wish to select nothing.
    if not all(_comma_separated([value]) for value in values):
        raise Failure(f"{option}: names no rule; `done-lint rule` lists all rules")
    return settings.codes(_comma_separated(values), option)


def common_options(command: Command) -> Command:
    """The options that `check` and `fix` share."""
    many: dict[str, Any] = {"multiple": True, "metavar": "RULES"}
    options = [
        click.argument("paths", nargs=-1, metavar="[PATHS]..."),
        click.option(
            "--select", help="Rules (codes, prefixes, names) to enable, comma-separated (default: all).", **many
        ),
        click.option("--ignore", help="Rules (codes, prefixes, names) to disable, comma-separated.", **many),
        click.option("--extend-select", help="Rules (codes, prefixes, names) to enable in addition.", **many),
        click.option(
            "--per-file-ignores", multiple=True, metavar="PATTERN:CODES", help="Rules to disable in some files."
        ),
        click.option("--exclude", multiple=True, metavar="PATTERNS", help="Files and folders to leave out."),
        click.option("--include-docs", is_flag=True, help="Check documents (.md, .mdx, .rst) and docstrings too."),
        click.option("--force-exclude", is_flag=True, help="Exclude even files that are given by name."),
        click.option("--target-version", default="", metavar="RELEASE", help="Gymnasium release to migrate to."),
        click.option("--config", "config_file", default="", metavar="FILE", help="Configuration file to use."),
        click.option("--isolated", is_flag=True, help="Ignore all configuration files."),
        click.option(
            "--stdin-filename", default="", metavar="PATH", help="File name for the code on standard input (`-`)."
        ),
        click.option(
            "--output-format", type=click.Choice(FORMATS), default=FORMATS[0], show_default=True, help="Output format."
        ),
        click.option(
            "--output-file", default="", metavar="FILE", help="Write findings to FILE, not to standard output."
        ),
        click.option(
            "--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="When to use color."
        ),
        click.option("--statistics", is_flag=True, help="Show only the number of findings of each rule."),
        click.option("--exit-zero", is_flag=True, help="Exit 0 even if there are findings."),
        click.option("--no-cache", is_flag=True, help="Neither use answers of before nor keep these (`check`)."),
        click.option(
            "--cache-dir",
            default="",
            metavar="FOLDER",
            envvar="DONE_LINT_CACHE_DIR",
            help=f"Keep answers in FOLDER, not in `{CACHE}` of each project.",
        ),
        click.option(
            "-j",
            "--jobs",
            type=click.IntRange(min=0),
            default=0,
            metavar="N",
            help="Use at most N processes (default: one for each processor).",
        ),
        click.option("-q", "--quiet", is_flag=True, help="Print findings only."),
        click.option(
            "-v", "--verbose", is_flag=True, help="Show which projects and settings are used, and every finding."
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def checked_options(
    *,
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    extend_select: tuple[str, ...],
    per_file_ignores: tuple[str, ...],
    exclude: tuple[str, ...],
    target_version: str,
    config_file: str,
    include_docs: bool,
    isolated: bool,
    no_cache: bool,
    cache_dir: str,
    **rest: Any,
) -> Options:
    """Check the options."""
    if isolated and config_file:
        raise Failure("--isolated and --config cannot be used together")
    overrides = settings.Overrides(
        select=_codes(select, "--select") if select else None,
        ignore=_codes(ignore, "--ignore"),
        extend_select=_codes(extend_select, "--extend-select"),
        exclude=tuple(_comma_separated(exclude)),
        per_file_ignores=settings.per_file_ignores(per_file_ignores),
        target_version=settings.target_version(target_version, "--target-version") if target_version else "",
        include_docs=include_docs,
        isolated=isolated,
        config=config_file,
    )
    present = _present(paths)
    cache = AnswerCache(off=no_cache, folder=os.path.abspath(cache_dir) if cache_dir else "")
    return Options(paths=present, missing=present != paths, overrides=overrides, cache=cache, **rest)


def _present(paths: tuple[str, ...]) -> tuple[str, ...]:
    """The paths that exist, after one line about each other path; exits if none is left."""
    present = tuple(path for path in paths if path == STDIN or exists(path))
    for path in paths:
        if path not in present:
            Failure(f"no such file or directory: {path}").show()
    if paths and not present:
        raise SystemExit(Failure.exit_code)
    return present


def asked(options: Options) -> tuple[list[Project], dict[str, bytes]]:
    """The projects that are asked for, and the content of files that is not the one on disk."""
    asked, given = _standard_input(options) if STDIN in options.paths else (options.projects(), {})
    if options.verbose:
        for line in (line for project in asked for line in origin_lines(project)):
            options.note(line)
    return asked, given


def _standard_input(options: Options) -> tuple[list[Project], dict[str, bytes]]:
    """Standard input as a file of the project around its name."""
    if len(options.paths) > 1:
        raise Failure("`-` (standard input) cannot be combined with other paths")
    if sys.stdin is None:
        raise EnvironmentFailure("cannot read standard input: it is closed")
    data = sys.stdin.buffer.read()
    if not options.stdin_filename:
        here = os.getcwd()
        return [Project(here, options.overrides.settings(here), [STDIN], alone=True)], {STDIN: data}
    path = os.path.abspath(options.stdin_filename)
    root = project_root(path)
    project = Project(root, options.overrides.settings(root), [path])
    if options.force_exclude and is_excluded(path, options.overrides.settings):
        project.asked.clear()
    return [project], {path: data}
