"""Codes, names, pages and the changelog belong together."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import libcst as cst
import pytest
from markdown_cases import CASES, findings_in, fixed

from done_lint.core.codes import CODES, MODULES
from done_lint.rules.base import Rule
from done_lint.rules.registry import RULES, rule_page

ROOT = Path(__file__).parents[2]
HEADINGS = ["What it does", "Why it matters", "Example", "Use instead", "Fix safety", "References"]

FAMILIES = {"1": "usage", "2": "value_targets", "3": "env_classes", "4": "library"}

by_code = pytest.mark.parametrize("code", CODES)


def block(page: str, heading: str) -> str:
    """The program under a heading of a page."""
    match = re.search(rf"^## {heading}\n```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert match is not None, heading
    return match[1]


def test_every_rule_has_the_code_of_its_file() -> None:
    assert [rule.code for rule in RULES] == list(CODES)


def test_every_file_in_a_family_is_a_rule_or_what_its_rules_share() -> None:
    rules = {f"{module.rpartition('.')[2]}.py" for module in MODULES.values()}
    for family in FAMILIES.values():
        files = {path.name for path in (ROOT / "done_lint" / "rules" / family).glob("*.py")}
        assert files - rules <= {"__init__.py", "base.py", "evidence.py"}, family


def test_flake8_accepts_every_code() -> None:
    assert all(re.fullmatch(r"[A-Z]{1,3}[0-9]{0,3}", code) for code in CODES)


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_a_rule_stands_in_the_file_of_its_name_and_is_a_visitor(rule: type) -> None:
    code: str = getattr(rule, "code")  # noqa: B009
    file = f"{code.lower()}_{CODES[code].replace('-', '_')}"
    assert rule.__module__ == f"done_lint.rules.{FAMILIES[code[3]]}.{file}"
    assert issubclass(rule, cst.CSTVisitor)


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_every_rule_states_what_its_findings_do_under_gymnasium(rule: type[Rule]) -> None:
    stated = [base for base in rule.__mro__ if "incompatibility" in vars(base)]
    assert stated, "state what the code does that it finds, or an empty text where the program runs the same"
    assert Rule not in stated, "a default could be forgotten"
    assert re.fullmatch(r"([a-z].*[^.])?", rule.incompatibility), "a clause after `which`: calls `seed`"
    assert rule.incompatibility or not rule.stops_with_advice


def test_a_finding_carries_what_its_rule_states() -> None:
    (finding,) = findings_in("import gym\n", frozenset({"GYM401"}))
    assert finding.incompatibility == "needs Gym"


@by_code
def test_every_rule_has_cases(code: str) -> None:
    text = (CASES / f"{CODES[code]}.md").read_text(encoding="utf-8")
    assert f"# error: [{code}" in text, "no case that reports"


@by_code
def test_every_page_has_all_headings_in_order(code: str) -> None:
    page = rule_page(code)
    assert page.startswith(f"# {code} {CODES[code]}\n")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == HEADINGS


@by_code
def test_the_example_of_a_page_is_reported_and_becomes_what_the_page_says(code: str) -> None:
    page = rule_page(code)
    codes = frozenset({code})
    example, instead = block(page, "Example"), block(page, "Use instead")
    found = findings_in(example, codes)
    assert found
    assert findings_in(instead, codes) == []
    safeties = {finding.fix.safety for finding in found if finding.fix is not None}
    if safeties:
        assert fixed(example, codes, unsafe="safe" not in safeties) == instead


def test_an_unknown_code_has_no_page() -> None:
    with pytest.raises(KeyError):
        rule_page("GYM999")


def test_codes_are_known_without_importing_libcst() -> None:
    program = "import sys, done_lint.engine.lint, done_lint.core.codes; sys.exit('libcst' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0
