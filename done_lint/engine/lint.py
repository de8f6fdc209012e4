"""Lints one file: one parse, one walk, every enabled rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from done_lint.core.codes import CODES
from done_lint.core.findings import Diagnostic, Finding, Span
from done_lint.core.gymnasium_release import Supported
from done_lint.core.text import Lines
from done_lint.facts.facts import Facts
from done_lint.project import requirements
from done_lint.rules.sight import Sight, wanting
from done_lint.source.source import Source
from done_lint.source.suppressions import SILENCING, Suppressions


class Selection(Protocol):
    """The settings that linting a file needs."""

    def releases(self, path: str) -> Supported:
        """The releases of Gymnasium that a file has to run with."""
        ...

    def enabled(self, code: str, path: str) -> bool:
        """Whether a rule is on for a file."""
        ...


def lint(
    source: Source, facts: Facts, settings: Selection, diagnostics: list[Diagnostic] | None = None
) -> list[Finding]:
    """Findings of one file, sorted, without those that a comment silences.

    A rule that fails is named in `diagnostics` and does not stop the others; without that list its
    exception goes up.

    Raises:
        libcst.ParserSyntaxError: LibCST cannot parse the file.
    """
    return examined(source, facts, settings, diagnostics).findings


class Examined(NamedTuple):
    """What the rules find in one file."""

    findings: list[Finding]
    #: Those that a comment silences: what changes together with their places stays as it is, too.
    silenced: list[Finding]


def examined(source: Source, facts: Facts, settings: Selection, diagnostics: list[Diagnostic] | None) -> Examined:
    """The same, and the findings that a comment silences and that share a family with something.

    Raises:
        libcst.ParserSyntaxError: LibCST cannot parse the file.
    """
    wanted = wanting(_sight(source, facts, settings), (one for one in CODES if settings.enabled(one, source.path)))
    commands = requirements.in_commands(source) if settings.enabled(requirements.CODE, source.path) else []
    if not (wanted or commands):
        return Examined([], [])  # its comments are not read
    suppressions = Suppressions.of(source)
    silencing = SILENCING.search(source.text) is not None and bool(facts.all_families)
    if suppressions.skip_file and not silencing:
        return Examined([], [])
    found = _run(wanted, source, facts, settings, [] if suppressions.skip_file else diagnostics) if wanted else []
    found = _kept(found + commands, source, facts)
    hidden = [one for one in found if suppressions.skip_file or suppressions.hides(one)] if silencing else []
    shown = [] if suppressions.skip_file else _not_suppressed(found, suppressions, source.text)
    return Examined(sorted(shown, key=lambda finding: finding.sort_key), hidden)


def _sight(source: Source, facts: Facts, settings: Selection) -> Sight:
    return Sight(source.text, facts, settings.releases(source.path))


def _kept(found: list[Finding], source: Source, facts: Facts) -> list[Finding]:
    """Findings of one file, those that a comment silences among them, with fixes that change its code alone."""
    found = [_kept_in_cells(finding, source) for finding in found]
    if facts.kept:
        lines = Lines(source.text)
        found = [_apart(finding, facts.kept, lines) for finding in found]
    return found


def _run(
    codes: Sequence[str], source: Source, facts: Facts, settings: Selection, diagnostics: list[Diagnostic] | None
) -> list[Finding]:
    """Findings of the rules that want a file."""
    # LibCST is slow to import: only a file that may have findings needs it.
    from done_lint.rewrites.context import Context
    from done_lint.rules.lookup import rule
    from done_lint.syntax.tree import Tree

    context = Context(source.path, Tree(source.text), facts, settings.releases(source.path))
    found: list[Finding] = []
    for code in codes:
        try:
            found += rule(code)(context).run()
        except Exception as error:
            if diagnostics is None:
                raise
            what = f"rule {code} failed: {type(error).__name__}: {error}"
            diagnostics.append(Diagnostic(source.path, what, kind="internal"))
    return found


def _kept_in_cells(finding: Finding, source: Source) -> Finding:
    """The finding, without a fix that would change more of a document than the code that stands in it."""
    if finding.fix is None or source.accepts(finding.fix.edits):
        return finding
    return replace(finding, fix=None, unfixed="the fix would change text outside of the cells or examples")


def _apart(finding: Finding, kept: Sequence[Span], lines: Lines) -> Finding:
    """The finding, without a fix that would also change code that is there for old Gym."""
    edits = finding.fix.edits if finding.fix is not None else ()
    places = [Span(*lines.position(edit.start), *lines.position(edit.end)) for edit in edits]
    if not any(place.within(one) for place in places for one in kept):
        return finding
    return replace(finding, fix=None, unfixed="the fix would also change code that is kept for old Gym")


def _not_suppressed(findings: Sequence[Finding], suppressions: Suppressions, text: str) -> list[Finding]:
    """Findings that no comment silences; a fix that changes a silenced place is removed from all that share it."""
    hidden = {id(finding) for finding in findings if suppressions.hides(finding)}
    lines = Lines(text)
    withheld = {
        finding.fix
        for finding in findings
        if finding.fix is not None
        and (id(finding) in hidden or suppressions.forbid(finding.code, finding.fix.edits, lines))
    }
    return [
        replace(finding, fix=None, unfixed="the fix would also change code where a comment silences the rule")
        if finding.fix in withheld
        else finding
        for finding in findings
        if id(finding) not in hidden
    ]
