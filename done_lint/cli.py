"""The command: `done-lint check`, `done-lint fix`, `done-lint rule`, `done-lint clean`.

Exit status: 0 clean, 1 findings left (or a file that cannot be checked or written, an output that cannot be written, or
something that `fix --diff` would change), 2 wrong usage or configuration, a missing path, an internal error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from done_lint import __version__
from done_lint.core import interrupts
from done_lint.core.apply_edits import unified_diff
from done_lint.core.codes import CODES, nearest_code
from done_lint.core.findings import Diagnostic
from done_lint.core.paths import CACHE, section, shown
from done_lint.core.text import printable
from done_lint.engine import analyze, cache_folder, workers
from done_lint.engine.answer_cache import AnswerCache
from done_lint.engine.report import Report
from done_lint.project import settings
from done_lint.project.discovery import MissingPath, Project, exists, is_excluded, project_root, projects
from done_lint.reporters import FORMATS, render
from done_lint.reporters.entries import DIAGNOSTIC_NAMES
from done_lint.reporters.settings import origin_lines, settings_page
from done_lint.reporters.summary import check_summary, fix_summary, statistics, stops_at_make

#: Fewer files than this are finished before anyone could read a progress bar.
_WORTH_A_BAR = 50
_STDIN = "-"

Command = TypeVar("Command", bound=Callable[..., Any])


class Failure(click.ClickException):
    """Exit 2 with one line."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the line on stderr."""
        click.echo(f"error: {printable(self.message)}", file=file or sys.stderr)


class EnvironmentFailure(Failure):
    """Exit 1 with one line: the call is right, but the system refuses an operation."""

    exit_code = 1


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


def _comma_separated(values: Sequence[str]) -> list[str]:
    return [word.strip() for value in values for word in value.split(",") if word.strip()]


def _codes(values: Sequence[str], option: str) -> tuple[str, ...]:
    """The codes that an option names; each use of it has to name one."""
    # An empty value comes from an empty variable of a script more often than from a wish to select nothing.
    if not all(_comma_separated([value]) for value in values):
        raise Failure(f"{option}: names no rule; `done-lint rule` lists all rules")
    return settings.codes(_comma_separated(values), option)


def _common_options(command: Command) -> Command:
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


def _options(
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
    present = tuple(path for path in paths if path == _STDIN or exists(path))
    for path in paths:
        if path not in present:
            Failure(f"no such file or directory: {path}").show()
    if paths and not present:
        raise SystemExit(Failure.exit_code)
    return present


@contextmanager
def _one_line_errors() -> Iterator[None]:
    """Turn errors of the user into one line and exit 2, and errors of the system into one line and exit 1."""
    try:
        _require_current_folder()
        yield
    except MissingPath as error:
        raise Failure(f"no such file or directory: {error}") from error
    except (settings.ConfigError, workers.WorkerDied) as error:
        raise Failure(str(error)) from error
    except OSError as error:
        raise EnvironmentFailure(str(error)) from error


def _require_current_folder() -> None:
    try:
        os.getcwd()
    except OSError as error:
        raise EnvironmentFailure(f"the current folder cannot be read: {error.strerror or error}") from error


class _Commands(click.Group):
    """The commands, none of which ends with a traceback when standard output is closed."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command, as click does it."""
        try:
            return super().main(*args, **extra)
        except OSError as error:  # from click's help pages: the commands themselves print with `_print`
            failure = _output_failure(error)
            failure.show()
            raise SystemExit(failure.exit_code) from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="done-lint")
def main() -> None:
    """Find and fix the `done` bug: code that does not distinguish terminated from truncated."""
    for stream in (sys.stdout, sys.stderr):
        # A name or message that the terminal's encoding lacks must not end the run.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


@main.command()
@_common_options
@click.option("--show-settings", is_flag=True, help="Print the settings of each project, and check nothing.")
def check(show_settings: bool, **arguments: Any) -> None:
    """Report findings in PATHS.

    Without PATHS the current folder is checked; `-` is standard input.
    """
    with _one_line_errors():
        options = _options(**arguments)
        asked, given = _asked(options)
        if show_settings:
            _print("\n".join(map(settings_page, asked)))
            return
        report = analyze.check(asked, given=given, progress=_progress(options), cache=options.cache, jobs=options.jobs)
        _print_findings(options, report)
        _warn(options, report)
        options.note(check_summary(report, options.paths))
        _exit(options, report, bool(report.findings))


@main.command()
@_common_options
@click.option("--diff", is_flag=True, help="Print the changes as a diff, and write nothing.")
@click.option("--unsafe-fixes", is_flag=True, help="Also apply fixes that may change what the program does.")
def fix(diff: bool, unsafe_fixes: bool, **arguments: Any) -> None:
    """Fix what can be fixed in PATHS, and report the rest."""
    with _one_line_errors():
        options = _options(**arguments)
        from_stdin = _STDIN in options.paths
        asked, given = _asked(options)
        report = analyze.fix(
            asked,
            unsafe=unsafe_fixes,
            write=not (diff or from_stdin),
            given=given,
            progress=_progress(options),
            jobs=options.jobs,
        )
        if diff:
            changes = (unified_diff(*change) for _, changed in sorted(report.changed.items()) for change in changed)
            _write(options, "".join(changes))
        elif from_stdin:
            _print_fixed(options, report, given)
        else:
            _print_findings(options, report)
        if diff or from_stdin:
            for diagnostic in report.diagnostics:
                if diagnostic.kind not in ("cell", "skipped", "kept"):
                    name = DIAGNOSTIC_NAMES.get(diagnostic.kind, "warning")
                    options.note(f"{_place(diagnostic)}: {name}: {diagnostic.message}")
        _warn(options, report, without_warnings=diff or from_stdin)
        options.note(fix_summary(report, options.paths, diff=diff))
        if stops := stops_at_make(report):
            options.note(stops)
        _exit(options, report, bool(report.findings or (diff and report.changed)))


@main.command()
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--cache-dir", default="", metavar="FOLDER", envvar="DONE_LINT_CACHE_DIR", help="Remove FOLDER.")
def clean(paths: tuple[str, ...], cache_dir: str) -> None:
    """Remove the answers that `check` keeps for the projects around PATHS."""
    with _one_line_errors():
        roots = {project_root(os.path.abspath(path)) for path in paths or (".",)}
        folders = [os.path.abspath(cache_dir)] if cache_dir else [os.path.join(root, CACHE) for root in sorted(roots)]
        for folder in folders:
            if cache_folder.clean(folder):
                click.echo(f"removed {printable(shown(folder))}", err=True)


@main.command()
@click.argument("code", required=False)
def rule(code: str | None) -> None:
    """Explain a rule, or list them all."""
    if code is None:
        _print("".join(f"{code}  {name}\n" for code, name in sorted(CODES.items())))
        return
    wanted = settings.named_rule(code)
    if wanted is None:
        raise Failure(f"unknown rule {code!r}; {nearest_code(code)}")
    from done_lint.rules.registry import rule_page

    _print(rule_page(wanted))


def _asked(options: Options) -> tuple[list[Project], dict[str, bytes]]:
    """The projects that are asked for, and the content of files that is not the one on disk."""
    asked, given = _standard_input(options) if _STDIN in options.paths else (options.projects(), {})
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
        return [Project(here, options.overrides.settings(here), [_STDIN], alone=True)], {_STDIN: data}
    path = os.path.abspath(options.stdin_filename)
    root = project_root(path)
    project = Project(root, options.overrides.settings(root), [path])
    if options.force_exclude and is_excluded(path, options.overrides.settings):
        project.asked.clear()
    return [project], {path: data}


def _print_findings(options: Options, report: Report) -> None:
    if options.statistics:
        _write(options, statistics(report, options.output_format))
    else:
        _write(options, render(report, options.output_format, color=_colored(options), verbose=options.verbose))


def _print_fixed(options: Options, report: Report, given: dict[str, bytes]) -> None:
    """Print standard input as it is after the fixes, byte by byte."""
    ((path, data),) = given.items()
    fixed = report.written.get(shown(path), data)
    if options.output_file:
        _write_file(options.output_file, fixed)
    else:
        _print(fixed)


def _write(options: Options, text: str) -> None:
    if options.output_file:
        _write_file(options.output_file, text.encode("utf-8", "backslashreplace"))
    elif text:
        _print(text, color=_colored(options))


def _print(text: str | bytes, *, color: bool | None = None) -> None:
    """Write to standard output."""
    if sys.stdout is None:
        raise EnvironmentFailure("cannot write to standard output: it is closed")
    try:
        click.echo(text, nl=False, color=color)
    except OSError as error:
        raise _output_failure(error) from error


def _output_failure(error: OSError) -> EnvironmentFailure:
    """Standard output cannot be written: a closed pipe, a full disk."""
    # At its end Python writes the rest of its buffer, and would fail again.
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EnvironmentFailure(f"cannot write to standard output: {error.strerror or error}")


@interrupts.delayed()
def _write_file(path: str, data: bytes) -> None:
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        raise Failure(f"{path}: cannot write: {error.strerror or error}") from error


def _colored(options: Options) -> bool:
    if options.color != "auto":
        return options.color == "always"
    if options.output_file or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def _warn(options: Options, report: Report, *, without_warnings: bool = False) -> None:
    for diagnostic in report.diagnostics:
        if diagnostic.kind == "skipped":
            options.note(f"{diagnostic.path}: skipped: {diagnostic.message}")
        elif diagnostic.kind == "warning" and not without_warnings:
            options.note(f"{_place(diagnostic)}: warning: {diagnostic.message}")
        elif diagnostic.kind == "kept" and (options.verbose or options.names(diagnostic.path)):
            options.note(f"{diagnostic.path}:{diagnostic.row}: kept old on purpose: {diagnostic.message}")
        elif diagnostic.kind == "cell" and options.verbose:
            options.note(f"{_place(diagnostic)}: not checked: {diagnostic.message}")


def _place(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.path}{section(diagnostic.cell)}:{diagnostic.row}:{diagnostic.column + 1}"


def _progress(options: Options) -> workers.Progress:
    """A progress bar, if stderr is a terminal and there are many files."""

    @contextmanager
    def bar(label: str, length: int) -> Iterator[Callable[[], None]]:
        if options.quiet or length < _WORTH_A_BAR or sys.stderr is None or not sys.stderr.isatty():
            yield lambda: None
            return
        with click.progressbar(length=length, label=label, file=sys.stderr) as progress:
            yield lambda: progress.update(1)

    return bar


def _exit(options: Options, report: Report, found: bool) -> None:
    if report.internal or options.missing:
        raise SystemExit(2)
    raise SystemExit(int((found or report.failed) and not options.exit_zero))
