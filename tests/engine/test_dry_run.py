"""`check` predicts what `fix` will do: the findings that it counts as fixable are those that are gone afterwards."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from command import ROOT, done_lint

from done_lint.core.apply_edits import Moved
from done_lint.core.findings import Edit, Finding, Span
from done_lint.engine.dry_run import Companions, fixed
from done_lint.engine.fix_loop import Applied

PROJECTS = sorted(path for path in (ROOT / "fixtures" / "projects").iterdir() if path.is_dir())
#: The step of the class has to change before its caller and its wrapper can.
FAMILY = """\
import gymnasium as gym


class Own(gym.Env):
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return 0, {}

    def step(self, action):
        return 0, 1.0, False, {}


env = Own()
obs, info = env.reset()
obs, reward, done, info = env.step(0)
"""


def found(folder: Path, *arguments: str) -> list[dict[str, object]]:
    """The findings of a folder."""
    decoded: list[dict[str, object]] = json.loads(
        done_lint(folder, "check", "--output-format", "json", *arguments).stdout
    )
    return decoded


def finding(code: str = "GYM101", path: str = "a.py") -> Finding:
    return Finding(code, "name", "message", path, Span(1, 0, 1, 1))


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_as_many_are_counted_fixable_as_are_fixed(project: Path, tmp_path: Path) -> None:
    shutil.copytree(project, tmp_path, dirs_exist_ok=True)
    checked = done_lint(tmp_path, "check")
    promised = re.search(r"(\d+) fixable with done-lint fix", checked.stderr)
    fixed = re.search(r"Fixed (\d+) findings?", done_lint(tmp_path, "fix").stderr)
    assert (promised and promised[1]) == (fixed and fixed[1])


def test_a_finding_that_waits_for_another_fix_is_fixed_together_with_it(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(FAMILY)
    reasons = {(one["code"], one["unfixed"]) for one in found(tmp_path)}
    assert reasons == {("GYM301", ""), ("GYM101", "fixed together with GYM301")}
    full = done_lint(tmp_path, "check").stdout
    assert "GYM101 [*] `env.step(0)`" in full
    assert "fix: fixed together with GYM301" in full
    assert "no fix" not in full
    assert done_lint(tmp_path, "check", "--statistics").stdout.count("[*]") == 2
    assert done_lint(tmp_path, "fix").returncode == 0


def test_what_the_same_run_does_not_fix_keeps_its_reason(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(FAMILY.replace("{}\n\n\nenv", "{}  # noqa: GYM301\n\n\nenv"))
    (one,) = found(tmp_path)
    assert (one["code"], one["fix"]) == ("GYM101", None)
    assert one["unfixed"] == "the environment's own `step` has to return five values first"
    assert done_lint(tmp_path, "check", "--output-format", "concise").stdout.count("[*]") == 0


def test_trying_the_fixes_changes_neither_files_nor_findings(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(FAMILY)
    first, second = found(tmp_path), found(tmp_path)
    assert first == second
    assert [one["location"] for one in first] == [{"row": 10, "column": 9}, {"row": 15, "column": 1}]
    assert (tmp_path / "own.py").read_text() == FAMILY


def test_a_place_is_followed_back_through_edits() -> None:
    edits = [Edit(2, 4, "wxyz"), Edit(6, 6, "+"), Edit(8, 10, "")]
    # 0 1 2 3 4 5 6 7 8 9 a b  becomes  0 1 w x y z 4 5 + 6 7 a b
    assert list(map(Moved(edits).before, range(13))) == [0, 1, 2, 2, 2, 2, 4, 5, 6, 6, 7, 10, 11]


def test_what_is_left_is_the_nearest() -> None:
    one, two, three = finding(), finding(), finding()
    first = {10: [one], 50: [two], 90: [three]}
    assert fixed(first, [50]) == [one, three]
    assert fixed(first, [48, 90]) == [one]
    assert fixed(first, [1, 2, 3, 4]) == []
    assert fixed({}, [4]) == []


def test_the_companion_is_the_fix_that_the_rule_waits_for_then_one_on_the_trace_then_the_nearest() -> None:
    far, near = Applied("a.py", "GYM401", 5), Applied("a.py", "GYM103", 95)
    other, strange = Applied("b.py", "GYM301", 7, frozenset({"b.py"})), Applied("c.py", "GYM301", 7)
    together = replace(finding(), family=frozenset({"a.py", "b.py"}))
    assert Companions([far, near]).of(finding(), 100, []) == "GYM103"
    assert Companions([far, near]).of(finding(), 100, [("a.py", 0, 9)]) == "GYM401"
    assert Companions([far, near, other]).of(together, 100, [("a.py", 0, 9)]) == "GYM301"
    assert Companions([strange]).of(together, 100, []) == ""
    assert Companions([strange]).of(replace(together, code="GYM201"), 100, []) == "GYM301"
    assert Companions([Applied("a.py", "GYM101", 100)]).of(finding(), 100, []) == ""


def test_a_finding_whose_own_fix_came_later_was_fixed_together_with_another_one() -> None:
    step = Finding(
        code="GYM301", name="four-value-return", message="", path="a.py", span=Span(1, 0, 1, 0), fix=None, unfixed=""
    )
    own, other, above = Applied("a.py", "GYM301", 100), Applied("a.py", "GYM401", 0), Applied("a.py", "GYM301", 200)
    assert Companions([own, other]).of(step, 100, []) == "GYM401"
    assert Companions([own, other, above]).of(step, 100, []) == "GYM301"
