"""One file through the linter: order, suppressions, and rules that fail."""

from __future__ import annotations

import pytest
from markdown_cases import OnlyCodes, findings_in, fixed

from done_lint.core.findings import Diagnostic
from done_lint.engine.lint import lint
from done_lint.facts.build import link
from done_lint.facts.facts import Facts
from done_lint.flowgraph.build import survey
from done_lint.rules.library.gym401_gym_import import GymImport
from done_lint.source.source import Source

BOTH = frozenset({"GYM101", "GYM106"})
STEP = """\
import gymnasium as gym

env = gym.make("CartPole-v1")
env.reset()
obs, reward, done, info = env.step(0)
print(done and not info.get("TimeLimit.truncated", False))
"""


def test_findings_come_in_the_order_of_the_source() -> None:
    findings = findings_in(STEP, BOTH)
    assert [finding.code for finding in findings] == ["GYM101", "GYM106"]


def test_the_step_and_the_read_of_its_time_limit_share_one_fix() -> None:
    step, read = findings_in(STEP, BOTH)
    assert step.fix is not None
    assert step.fix == read.fix


@pytest.mark.parametrize("row", [5, 6])
def test_a_fix_that_also_changes_a_silenced_place_is_withheld(row: int) -> None:
    rows = STEP.splitlines(keepends=True)
    rows[row - 1] = rows[row - 1].rstrip() + "  # noqa\n"
    text = "".join(rows)
    (finding,) = findings_in(text, BOTH)
    assert finding.fix is None
    assert finding.unfixed
    assert fixed(text, BOTH) == text


def test_a_fix_that_edits_a_silenced_row_beside_its_finding_is_withheld() -> None:
    text = STEP.replace("obs, reward, done, info =", "(obs,\n reward,\n done,  # noqa: GYM101\n info) =")
    assert text != STEP
    (finding,) = findings_in(text, frozenset({"GYM101"}))
    assert (finding.fix, finding.unfixed) == (None, "the fix would also change code where a comment silences the rule")
    assert fixed(text, frozenset({"GYM101"})) == text
    assert fixed(text.replace("GYM101", "GYM102"), frozenset({"GYM101"})) != text.replace("GYM101", "GYM102")


def test_a_file_can_be_skipped() -> None:
    assert findings_in("# done-lint: skip-file\nimport gym\n", frozenset({"GYM401"})) == []


def test_a_rule_that_fails_is_named_and_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: GymImport, node: object) -> None:
        raise RuntimeError("no such thing")

    monkeypatch.setattr(GymImport, "visit_Import", fail)
    text = f"import gym\n{STEP}"
    facts = link([survey("case.py", text)]).facts("case.py")
    diagnostics: list[Diagnostic] = []
    codes = OnlyCodes(frozenset({"GYM101", "GYM401"}))
    findings = lint(Source("case.py", text), facts, codes, diagnostics)
    assert [finding.code for finding in findings] == ["GYM101"]
    assert [one.message for one in diagnostics] == ["rule GYM401 failed: RuntimeError: no such thing"]
    with pytest.raises(RuntimeError):
        lint(Source("case.py", text), facts, codes)


def test_without_facts_only_imports_are_reported() -> None:
    source = Source("case.py", "import gym\nobs, reward, done, info = env.step(0)\n")
    codes = OnlyCodes(frozenset({"GYM101", "GYM401"}))
    assert [finding.code for finding in lint(source, Facts("case.py"), codes)] == ["GYM401"]
