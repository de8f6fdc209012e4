"""The Markdown cases of every rule, and what must hold for each of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

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
    read,
    silenced,
    unmarked,
    with_crlf,
    with_tabs,
    without_last_newline,
)

from done_lint.analysis.relevance import may_report
from done_lint.core.codes import CODES
from done_lint.core.gymnasium_release import Supported
from done_lint.facts.facts import Facts
from done_lint.rewrites.context import Context
from done_lint.rules.registry import RULES
from done_lint.rules.sight import Sight, wanting
from done_lint.syntax.tree import Tree

ALL = [case for path in sorted(CASES.glob("*.md")) for case in cases_of(path)]
#: Programs with findings.
WRONG = [case for case in ALL if case.marks]


def by_name(cases: Sequence[Case]) -> pytest.MarkDecorator:
    """One test for each case."""
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


def laid_out(case: Case, text: str) -> str:
    """The text of another editor, in a method where it can stand in one: tabs, newlines of Windows, none at the end."""
    return with_crlf(without_last_newline(with_tabs(in_method(text) if is_plain(case.source) else text)))


def reporting(text: str, facts: Facts) -> set[str]:
    """The rules that have a finding, were all of them asked."""
    context = Context(facts.path, Tree(text), facts)
    return {rule.code for rule in RULES if rule(context).run()}


# One test asks all this: the facts of a program are found out once.
@by_name(ALL)
def test_findings_and_fixes_are_those_shown(case: Case) -> None:
    part, facts = read(case.source)
    assert may_report(case.source.encode(), part) or not case.marks, "the prefilter leaves it out"
    assert reporting(case.source, facts) <= {*wanting(Sight(case.source, facts, Supported()), CODES)}
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


@by_name([case for case in ALL if case.marks or is_plain(case.source)])
def test_the_layout_makes_no_difference(case: Case) -> None:
    expected = case.source if case.fixed is None else case.fixed
    assert fixed(laid_out(case, case.source), case.codes, unsafe=case.unsafe) == laid_out(case, expected)
    before = sorted(finding.code for finding in findings_in(laid_out(case, case.source), case.codes))
    assert before == sorted(code for codes in case.marks.values() for code in codes)


@by_name(ALL)
def test_a_cell_of_a_notebook_makes_no_difference(case: Case) -> None:
    found = sorted(findings_in_cell(case.source, case.codes))
    assert found == sorted((2, row, code) for row, codes in case.marks.items() for code in codes)
    expected = case.source if case.fixed is None else case.fixed
    assert fixed_in_cell(case.source, case.codes, unsafe=case.unsafe) == expected


def test_marks_are_taken_off_the_program() -> None:
    assert unmarked("a = 1  # error: [GYM101, GYM106]\nb = 2\n") == ("a = 1\nb = 2\n", {1: ["GYM101", "GYM106"]})
