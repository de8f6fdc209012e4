"""What the command prints and writes, and its exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from done_lint.cli.failures import EnvironmentFailure, Failure, output_failure
from done_lint.cli.options import Options
from done_lint.core import interrupts
from done_lint.core.findings import Diagnostic
from done_lint.core.paths import section, shown
from done_lint.engine import known_runs, workers
from done_lint.engine.report import Report
from done_lint.reporters import render
from done_lint.reporters.summary import statistics

#: Fewer files than this are finished before anyone could read a progress bar.
_WORTH_A_BAR = 50


def print_findings(options: Options, report: Report) -> None:
    """Print the findings, or how many there are of each rule."""
    if options.statistics:
        write(options, statistics(report, options.output_format))
    else:
        write(options, render(report, options.output_format, color=_colored(options), verbose=options.verbose))


def print_fixed(options: Options, report: Report, given: dict[str, bytes]) -> None:
    """Print standard input as it is after the fixes, byte by byte."""
    ((path, data),) = given.items()
    fixed = report.written.get(shown(path), data)
    if options.output_file:
        _write_file(options.output_file, fixed)
    else:
        print_text(fixed)


def write(options: Options, text: str) -> None:
    """Print a text, or write it to the file that an option names."""
    if options.output_file:
        _write_file(options.output_file, text.encode("utf-8", "backslashreplace"))
    elif text:
        print_text(text, color=_colored(options))


def print_text(text: str | bytes, *, color: bool | None = None) -> None:
    """Write to standard output."""
    if sys.stdout is None:
        raise EnvironmentFailure("cannot write to standard output: it is closed")
    try:
        click.echo(text, nl=False, color=color)
        if isinstance(text, str):
            known_runs.say(1, text)
    except OSError as error:
        raise output_failure(error) from error


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


def warn(options: Options, report: Report, *, without_warnings: bool = False) -> None:
    """Say on stderr what was left out or left alone."""
    for diagnostic in report.diagnostics:
        if diagnostic.kind == "skipped":
            options.note(f"{diagnostic.path}: skipped: {diagnostic.message}")
        elif diagnostic.kind == "warning" and not without_warnings:
            options.note(f"{place_of(diagnostic)}: warning: {diagnostic.message}")
        elif diagnostic.kind == "kept" and (options.verbose or options.names(diagnostic.path)):
            options.note(f"{diagnostic.path}:{diagnostic.row}: kept old on purpose: {diagnostic.message}")
        elif diagnostic.kind == "cell" and options.verbose:
            options.note(f"{place_of(diagnostic)}: not checked: {diagnostic.message}")


def place_of(diagnostic: Diagnostic) -> str:
    """The place of a diagnostic as people read it, `train.py:3:1`."""
    return f"{diagnostic.path}{section(diagnostic.cell)}:{diagnostic.row}:{diagnostic.column + 1}"


def progress(options: Options) -> workers.Progress:
    """A progress bar, if stderr is a terminal and there are many files."""

    @contextmanager
    def bar(label: str, length: int) -> Iterator[Callable[[], None]]:
        if options.quiet or length < _WORTH_A_BAR or sys.stderr is None or not sys.stderr.isatty():
            yield lambda: None
            return
        with click.progressbar(length=length, label=label, file=sys.stderr) as progress:
            yield lambda: progress.update(1)

    return bar


def leave(options: Options, report: Report, found: bool) -> None:
    """End with the exit status; `found`: something is left to do."""
    if report.internal or options.missing:
        raise SystemExit(2)
    status = int((found or report.failed) and not options.exit_zero)
    if not options.output_file:
        known_runs.keep(options.cache, status)
    raise SystemExit(status)
