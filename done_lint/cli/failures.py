"""Errors of whoever calls the command, and of the system: one line, and the exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from done_lint.core.text import printable
from done_lint.engine import workers
from done_lint.project import settings
from done_lint.project.discovery import MissingPath


class Failure(click.ClickException):
    """Exit 2 with one line."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the line on stderr."""
        click.echo(f"error: {printable(self.message)}", file=file or sys.stderr)


class EnvironmentFailure(Failure):
    """Exit 1 with one line: the call is right, but the system refuses an operation."""

    exit_code = 1


@contextmanager
def one_line_errors() -> Iterator[None]:
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


def output_failure(error: OSError) -> EnvironmentFailure:
    """Standard output cannot be written: a closed pipe, a full disk."""
    # At its end Python writes the rest of its buffer, and would fail again.
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EnvironmentFailure(f"cannot write to standard output: {error.strerror or error}")
