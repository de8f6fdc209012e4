"""A finding without a fix says why, and that is true."""

from __future__ import annotations

import pytest
from markdown_cases import CASES, cases_of, findings_in

#: Rule, heading of its cases, code, reasons.
REASONS = [
    (
        "done-stored",
        "A wrapper ends the episode at a count of its own",
        "GYM203",
        {"nothing in scope here is known to be `terminated` alone"},
    ),
]


@pytest.mark.parametrize(
    ("rule", "heading", "code", "reasons"), REASONS, ids=[f"{code} {heading}" for _, heading, code, _ in REASONS]
)
def test_the_reason_is_true_of_the_place(rule: str, heading: str, code: str, reasons: set[str]) -> None:
    cases = [one for one in cases_of(CASES / f"{rule}.md") if one.name.endswith(f" {heading}")]
    found = [one for case in cases for one in findings_in(case.source, case.codes) if one.code == code]
    assert {one.unfixed for one in found if one.fix is None} == reasons
