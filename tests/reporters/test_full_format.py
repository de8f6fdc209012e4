"""The path of a flag, as the full format prints it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from done_lint.core.findings import Finding, Fix, Related, Span
from done_lint.engine.report import Report
from done_lint.reporters.full import render

HERE = Span(1, 0, 1, 1)


def listed(*spans: Span) -> list[str]:
    """The numbered rows of a finding with these related places."""
    related = tuple(Related("missing.py", at, f"place {at.row}") for at in spans)
    finding = Finding("GYM204", "done-recursion", "wrong", "missing.py", HERE, related=related)
    rows = render(Report([finding])).splitlines()
    return [row.strip() for row in rows if re.match(r"  \d+\. |     \(", row)]


def place(row: int) -> Span:
    return Span(row, 0, row, 1)


def test_each_place_is_listed_once_with_all_that_happens_there() -> None:
    assert listed(place(2), place(3), place(3), HERE) == [
        "1. place 2 (missing.py:2:1)",
        "2. place 3 (missing.py:3:1)",
        "3. place 1 (missing.py:1:1)",
    ]


@pytest.mark.parametrize("count", [1, 6, 7])
def test_a_path_of_common_length_is_listed_whole(count: int) -> None:
    assert len(listed(*map(place, range(1, count + 1)))) == count


def test_the_middle_of_a_long_path_is_counted() -> None:
    rows = listed(*map(place, range(1, 11)))
    assert [row.split()[0] for row in rows] == ["1.", "2.", "3.", "(4", "8.", "9.", "10."]
    assert rows[3] == "(4 more places)"


def repeated(count: int, code: str = "GYM111", message: str = "`{0}` draws nothing") -> list[Finding]:
    """Findings of one kind in one file, a row each."""
    return [
        Finding(code, "name", message.format(f"env{row}.render()"), "missing.py", place(row))
        for row in range(1, count + 1)
    ]


def titles(findings: list[Finding], *, verbose: bool = False) -> list[str]:
    """The first row of each entry."""
    return re.findall(r"^GYM.*$", render(Report(findings), verbose=verbose), re.MULTILINE)


def test_findings_of_one_kind_are_summed_up_after_the_first_five() -> None:
    others = repeated(2, "GYM101")
    assert titles(repeated(5)) == [finding.code + " " + finding.message for finding in repeated(5)]
    shown = titles([*repeated(8), *others])
    assert len(shown) == 8
    assert shown[-1] == "GYM111 3 more of this kind: missing.py:6, :7, :8 (-v shows all)"
    assert len(titles([*repeated(8), *others], verbose=True)) == 10


def test_findings_of_another_kind_or_in_another_file_are_counted_by_themselves() -> None:
    elsewhere = [replace(finding, path="other.py") for finding in repeated(4)]
    other = repeated(4, message="`{0}` raises `TypeError`")
    assert len(titles([*repeated(4), *elsewhere, *other])) == 12


def test_of_very_many_only_the_first_places_are_listed() -> None:
    assert titles(repeated(96))[-1].endswith(":14, :15, ... (-v shows all)")


def test_a_reason_stands_behind_the_unsafe_fix_that_it_is_about_or_says_that_there_is_none() -> None:
    finding = Finding("GYM307", "limit-as-termination", "wrong", "missing.py", HERE, unfixed="a test would not see it")
    unsafe = replace(finding, fix=Fix("return it", (), "unsafe"))
    assert render(Report([finding])).split("\n")[-3] == "no fix: a test would not see it"
    assert render(Report([unsafe])).split("\n")[-4:-2] == [
        "fix: return it (apply it with `done-lint fix --unsafe-fixes`)",
        "not safe: a test would not see it",
    ]
