"""The jobs on one file, in whatever process: survey it, parse it, lint it; what fails becomes a diagnostic."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from done_lint.core.file_io import SourceError, TooLarge
from done_lint.core.findings import Diagnostic, Finding
from done_lint.engine.diagnostics import of_exception, of_source, unreadable
from done_lint.engine.workers import on_deep_stack
from done_lint.project import import_folders
from done_lint.project.settings import Settings
from done_lint.source.source import Source

if TYPE_CHECKING:
    from done_lint.facts.facts import Facts
    from done_lint.flowgraph.schema import Survey


def survey_file(
    job: tuple[str, bytes], inside: Container[str], docstrings: bool, limit: int
) -> tuple[Source | None, Survey | None, list[Diagnostic]]:
    """Decode and survey one file of a project (`inside`: see `external_names.names`).

    The code in a document may be at most `limit` bytes long (0: of any length); its output does not count.
    """
    path, data = job
    from done_lint.flowgraph.build import survey

    try:
        source = on_deep_stack(lambda: Source.from_bytes(path, data, docstrings=docstrings))
    except SourceError as error:
        return None, None, [unreadable(path, error)]
    except Exception as error:
        # A file that is not Python is reported by the run on its code.
        return None, None, [] if docstrings else [of_exception(path, "reading failed", error)]
    if limit and source.layout is not None and (size := len(source.text.encode(errors="replace"))) > limit:
        return None, None, [unreadable(path, TooLarge(size, limit))]
    try:
        found = on_deep_stack(lambda: survey(path, source.text, inside))
        if source.layout is not None:
            from done_lint.source.documents.old_and_new import old_examples

            found.kept += tuple(old_examples(source.layout))
        return source, found, list(of_source(source))
    except Exception as error:
        return source, None, [of_exception(path, "surveying failed", error, source.text)]


def decoded(path: str, data: bytes) -> tuple[Source, list[Diagnostic]]:
    """A Python file that was surveyed before, and what its text alone gives to say."""
    source = Source.from_bytes(path, data)
    return source, list(of_source(source))


def added_folders_of(path: str, data: bytes) -> tuple[str, ...]:
    """The folders that a file adds to those where modules are looked for; none where it cannot be read."""
    if not import_folders.may_add(data):
        return ()
    import ast

    def found() -> tuple[str, ...]:
        text = Source.from_bytes(path, data).text
        return import_folders.added_folders(ast.parse(text), text)

    try:
        return on_deep_stack(found)
    except Exception:
        # the run on its code reports what is wrong
        return ()


def parse_file(path: str, data: bytes) -> list[Diagnostic]:
    """The syntax errors of a file in which no rule can find anything."""
    import ast

    text = ""
    try:
        source = on_deep_stack(lambda: Source.from_bytes(path, data))
        text = source.text
        on_deep_stack(lambda: ast.parse(text))
    except SourceError as error:
        return [unreadable(path, error)]
    except Exception as error:
        return [of_exception(path, "parsing failed", error, text)]
    return list(of_source(source))


class Linted(NamedTuple):
    """What the rules say of one file."""

    findings: list[Finding]
    diagnostics: list[Diagnostic]
    #: Findings that a comment silences.
    silenced: list[Finding]


def lint_file(job: tuple[Source, Facts, Settings]) -> Linted:
    """Lint one file."""
    from done_lint.engine.lint import examined

    source, facts, settings = job
    diagnostics: list[Diagnostic] = []
    try:
        found, hidden = on_deep_stack(lambda: examined(source, facts, settings, diagnostics))
        # An exception's text may have rows of its own.
        return Linted(found, [replace(one, message=" ".join(one.message.split())) for one in diagnostics], hidden)
    except Exception as error:
        return Linted([], [*diagnostics, of_exception(source.path, "linting failed", error)], [])
