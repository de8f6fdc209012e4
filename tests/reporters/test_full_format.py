"""The path of a flag, as the full format prints it."""

from __future__ import annotations

import re

import pytest

from done_lint.core.findings import Finding, Related, Span
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
