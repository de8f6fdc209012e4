"""The Markdown cases of every rule, and what must hold for each of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

import pytest
from markdown_cases import (
    CASES,
    Case,
    cases_of,
    findings_in,
    findings_in_cell,
    fixed,
    fixed_in_cell,
    in_method,
    is_plain,
    silenced,
    unmarked,
    with_crlf,
    with_tabs,
    without_last_newline,
)

ALL = [case for path in sorted(CASES.glob("*.md")) for case in cases_of(path)]
#: Programs with findings.
WRONG = [case for case in ALL if case.marks]


def by_name(cases: Sequence[Case]) -> pytest.MarkDecorator:
    """One test for each case."""
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


def of_windows(text: str) -> str:
    """Another editor's text: tabs, newlines of Windows, and none at the end."""
    return with_crlf(without_last_newline(with_tabs(text)))


LAYOUTS: dict[str, Callable[[str], str]] = {"tabs and Windows newlines": of_windows, "a method": in_method}


def laid_out() -> Iterator[tuple[Case, str]]:
    """Each case in the layouts that make another text of it."""
    for case in ALL:
        for name, layout in LAYOUTS.items():
            fits = is_plain(case.source) if name == "a method" else layout(case.source) != case.source
            if fits:
                yield case, name


@by_name(ALL)
def test_findings_and_fixes_are_those_shown(case: Case) -> None:
    # one test: what is asked of a program is found out once for all of it
    found: dict[int, list[str]] = {}
    for finding in findings_in(case.source, case.codes):
        found.setdefault(finding.span.row, []).append(finding.code)
        assert finding.fix is not None or finding.unfixed, "a finding has a safe fix or a reason why not"
        assert finding.fix is None or (finding.fix.safety == "unsafe") is bool(finding.unfixed), finding
    assert {row: sorted(codes) for row, codes in found.items()} == case.marks
    result = fixed(case.source, case.codes, unsafe=case.unsafe)
    assert result == (case.source if case.fixed is None else case.fixed)
    ast.parse(result)
    assert fixed(result, case.codes, unsafe=case.unsafe) == result, "a second fix changes nothing"


@by_name(WRONG)
def test_a_comment_silences_and_blocks_the_fix(case: Case) -> None:
    text = silenced(case)
    assert findings_in(text, case.codes) == []
    assert fixed(text, case.codes, unsafe=True) == text


@pytest.mark.parametrize(
    ("case", "layout"), [pytest.param(case, name, id=f"{case.name}, {name}") for case, name in laid_out()]
)
def test_the_layout_makes_no_difference(case: Case, layout: str) -> None:
    lay_out = LAYOUTS[layout]
    expected = case.source if case.fixed is None else case.fixed
    assert fixed(lay_out(case.source), case.codes, unsafe=case.unsafe) == lay_out(expected)
    before = sorted(finding.code for finding in findings_in(lay_out(case.source), case.codes))
    assert before == sorted(code for codes in case.marks.values() for code in codes)


@by_name(ALL)
def test_a_cell_of_a_notebook_makes_no_difference(case: Case) -> None:
    found = sorted(findings_in_cell(case.source, case.codes))
    assert found == sorted((2, row, code) for row, codes in case.marks.items() for code in codes)
    expected = case.source if case.fixed is None else case.fixed
    assert fixed_in_cell(case.source, case.codes, unsafe=case.unsafe) == expected


def test_marks_are_taken_off_the_program() -> None:
    assert unmarked("a = 1  # error: [GYM101, GYM106]\nb = 2\n") == ("a = 1\nb = 2\n", {1: ["GYM101", "GYM106"]})
