"""The commands themselves."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from done_lint import __version__
from done_lint.cli.failures import Failure, one_line_errors, output_failure
from done_lint.cli.options import STDIN, asked, checked_options, common_options
from done_lint.cli.output import leave, place_of, print_findings, print_fixed, print_text, progress, warn, write
from done_lint.core.apply_edits import unified_diff
from done_lint.core.codes import CODES, nearest_code
from done_lint.core.paths import CACHE, shown
from done_lint.core.text import printable
from done_lint.engine import analyze, cache_folder
from done_lint.project import settings
from done_lint.project.discovery import project_root
from done_lint.reporters.entries import DIAGNOSTIC_NAMES
from done_lint.reporters.settings import settings_page
from done_lint.reporters.summary import check_summary, fix_summary, held_back, stops_at_make, stops_on_request


class _Commands(click.Group):
    """The commands, none of which ends with a traceback when standard output is closed."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command, as click does it."""
        try:
            return super().main(*args, **extra)
        except OSError as error:  # from click's help pages: the commands themselves print with `print_text`
            failure = output_failure(error)
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
@common_options
@click.option("--show-settings", is_flag=True, help="Print the settings of each project, and check nothing.")
def check(show_settings: bool, **arguments: Any) -> None:
    """Report findings in PATHS.

    Without PATHS the current folder is checked; `-` is standard input.
    """
    with one_line_errors():
        options = checked_options(**arguments)
        projects, given = asked(options)
        if show_settings:
            print_text("\n".join(map(settings_page, projects)))
            return
        report = analyze.check(
            projects, given=given, progress=progress(options), cache=options.cache, jobs=options.jobs
        )
        print_findings(options, report)
        warn(options, report)
        options.note(check_summary(report, options.paths))
        leave(options, report, bool(report.findings))


@main.command()
@common_options
@click.option("--diff", is_flag=True, help="Print the changes as a diff, and write nothing.")
@click.option("--unsafe-fixes", is_flag=True, help="Also apply fixes that may change what the program does.")
def fix(diff: bool, unsafe_fixes: bool, **arguments: Any) -> None:
    """Fix what can be fixed in PATHS, and report the rest."""
    with one_line_errors():
        options = checked_options(**arguments)
        from_stdin = STDIN in options.paths
        projects, given = asked(options)
        report = analyze.fix(
            projects,
            unsafe=unsafe_fixes,
            write=not (diff or from_stdin),
            given=given,
            progress=progress(options),
            jobs=options.jobs,
        )
        if diff:
            changes = (unified_diff(*change) for _, changed in sorted(report.changed.items()) for change in changed)
            write(options, "".join(changes))
        elif from_stdin:
            print_fixed(options, report, given)
        else:
            print_findings(options, report)
        if diff or from_stdin:
            for diagnostic in report.diagnostics:
                if diagnostic.kind not in ("cell", "skipped", "kept"):
                    name = DIAGNOSTIC_NAMES.get(diagnostic.kind, "warning")
                    options.note(f"{place_of(diagnostic)}: {name}: {diagnostic.message}")
        warn(options, report, without_warnings=diff or from_stdin)
        options.note(fix_summary(report, options.paths, diff=diff))
        for more in (*held_back(report), stops_at_make(report), stops_on_request(report)):
            if more:
                options.note(more)
        leave(options, report, bool(report.findings or (diff and report.changed)))


@main.command()
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--cache-dir", default="", metavar="FOLDER", envvar="DONE_LINT_CACHE_DIR", help="Remove FOLDER.")
def clean(paths: tuple[str, ...], cache_dir: str) -> None:
    """Remove the answers that `check` keeps for the projects around PATHS."""
    with one_line_errors():
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
        print_text("".join(f"{code}  {name}\n" for code, name in sorted(CODES.items())))
        return
    wanted = settings.named_rule(code)
    if wanted is None:
        raise Failure(f"unknown rule {code!r}; {nearest_code(code)}")
    from done_lint.rules.registry import rule_page

    print_text(rule_page(wanted))
