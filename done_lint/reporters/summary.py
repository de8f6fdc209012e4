"""Counts of a report: how often each rule reports, and the last line of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from done_lint.reporters.entries import DIAGNOSTIC_NAMES

#: The rule whose findings are ids for which `make` raises an error.
_OUTDATED_ID = "GYM404"
#: The rule whose findings are recorders that Gymnasium does not have.
_MONITOR = "GYM402"
#: The rule whose findings are imports of Gym that stay.
_GYM_IMPORT = "GYM401"
#: So many reasons why findings are left are shown in the end.
_SHOWN_REASONS = 5

if TYPE_CHECKING:
    from done_lint.core.findings import Finding
    from done_lint.engine.report import Report


def statistics(report: Report, output_format: str) -> str:
    """How often each rule reports, most often first."""
    counts = Counter((finding.code, finding.name) for finding in report.findings)
    fixable = Counter(finding.code for finding in report.findings if finding.fixable)
    for diagnostic in report.diagnostics:
        if diagnostic.kind in DIAGNOSTIC_NAMES:
            counts["", DIAGNOSTIC_NAMES[diagnostic.kind]] += 1
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    if output_format == "json":
        objects = [
            {"code": code or None, "name": name, "count": count, "fixable": fixable[code]}
            for (code, name), count in rows
        ]
        import json

        return json.dumps(objects, indent=2) + "\n"
    width = max((len(str(count)) for _, count in rows), default=0)
    return "".join(
        f"{count:>{width}}  {code:6}  {'[*]' if fixable[code] else '[ ]'}  {name}\n" for (code, name), count in rows
    )


def check_summary(report: Report, paths: Sequence[str]) -> str:
    """The last line of `check`."""
    if not report.files:
        return _no_files(paths)
    count = len(report.findings)
    if not count:
        return f"No findings in {plural(report.files, 'file')}{_unchecked(report)}."
    safe = sum(finding.fixable for finding in report.findings)
    unsafe = sum(
        not finding.fixable and finding.fix is not None and finding.fix.safety == "unsafe"
        for finding in report.findings
    )
    ways = [f"{safe} fixable with done-lint fix"] if safe else []
    ways += [f"{unsafe} {'more ' if safe else 'fixable '}with --unsafe-fixes"] if unsafe else []
    fixes = f" ({', '.join(ways)})" if ways else ""
    files = len({finding.path for finding in report.findings})
    return f"Found {plural(count, 'finding')} in {plural(files, 'file')}{fixes}{_unchecked(report)}."


def fix_summary(report: Report, paths: Sequence[str], *, diff: bool) -> str:
    """The last line of `fix`, counted from the result."""
    if not report.files:
        return _no_files(paths)
    left = len(report.findings)
    if report.changed:
        verb, rest = ("Would fix", "would be left") if diff else ("Fixed", "left")
        files = plural(len(report.changed), "file")
        return f"{verb} {plural(report.fixed, 'finding')} in {files}; {left} {rest}{_unchecked(report)}."
    rest = f"; {plural(left, 'finding')} left" if left else ""
    return f"Nothing to fix{rest}{_unchecked(report)}."


def held_back(report: Report) -> list[str]:
    """What keeps most of the findings that `fix` leaves from being changed, a line each; empty if nothing does.

    One place often holds back a whole project: who changes it by hand can have all the rest fixed.
    """
    reasons = Counter(finding.unfixed for finding in report.findings if finding.held_back)
    if not reasons:
        return []
    shown = reasons.most_common(_SHOWN_REASONS)
    rows = [f"{count:>5}  {reason}" for reason, count in shown]
    if hidden := sum(reasons.values()) - sum(count for _, count in shown):
        rows.append(f"{hidden:>5}  for {plural(len(reasons) - len(shown), 'other reason')}")
    total = sum(reasons.values())
    what = "1 finding waits" if total == 1 else f"{total} findings wait"
    return [f"{what} for something else to be changed first:", *rows]


def stops_at_make(report: Report) -> str:
    """What `fix` leaves that ends a program where it makes its environment; empty if nothing does."""
    return _stops("at `make`", "outdated environment id", _moved(report, _OUTDATED_ID))


def stops_on_request(report: Report) -> str:
    """What `fix` leaves that ends a program where it is asked to record; empty if nothing does."""
    left = [one for one in _moved(report, _MONITOR) if one.stops_with_advice]
    return _stops("where they are asked to record", "`Monitor`", left)


def _moved(report: Report, code: str) -> list[Finding]:
    """The findings of a rule that are left in what has moved: what stays with Gym runs with it."""
    kept = frozenset().union(*(one.family for one in report.findings if one.code == _GYM_IMPORT))
    return [one for one in report.findings if one.code == code and one.family.isdisjoint(kept)]


def _stops(where: str, what: str, left: Sequence[Finding]) -> str:
    unsafe = sum(finding.fix is not None and finding.fix.safety == "unsafe" for finding in left)
    ways = [f"{unsafe} with --unsafe-fixes"] if unsafe else []
    ways += [f"{len(left) - unsafe} by hand"] if len(left) > unsafe else []
    be = "is" if len(left) == 1 else "are"
    return f"Programs stop {where} until {plural(len(left), what)} {be} changed: {', '.join(ways)}." if left else ""


def _unchecked(report: Report) -> str:
    """The number of files that were not checked."""
    failed = {diagnostic.path for diagnostic in report.diagnostics if diagnostic.kind in ("syntax", "unreadable")}
    skipped = {diagnostic.path for diagnostic in report.diagnostics if diagnostic.kind == "skipped"}
    text = f"; {plural(len(failed), 'file')} could not be checked" if failed else ""
    return text + (f"; {plural(len(skipped), 'file')} skipped" if skipped else "")


def _no_files(paths: Sequence[str]) -> str:
    return f"No Python files or notebooks found in {', '.join(paths or ('.',))}."


def plural(count: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
