"""No false alarm and no missed alarm on projects whose verdict is known by construction.

The suite draws a few dozen. Thousands: `DONE_LINT_GENERATED=2000 pytest tests/test_generated_flows.py`, or
`python tests/test_generated_flows.py 2000 [first seed]`, which prints the failures, shortest first.
"""

from __future__ import annotations

import ast
import random
import sys
from collections import Counter

import pytest
from drawing import COUNT, examples
from generated_flows.choose import Choose
from generated_flows.draft import Project
from generated_flows.project import project
from hypothesis import given
from hypothesis import strategies as st
from markdown_cases import OnlyCodes
from model_programs import linked

from done_lint.core.apply_edits import apply
from done_lint.core.findings import Finding
from done_lint.engine.lint import lint
from done_lint.source.source import Source

#: Which kinds of sinks (GYM201 to GYM203, or GYM204) answer a verdict.
KINDS = {"target": {"mask", "branch", "store"}, "recursion": {"recursion"}, "silent": set[str]()}


@st.composite
def projects(draw: st.DrawFn) -> Project:
    """Any project."""
    return project(Choose(lambda count: draw(st.integers(0, count - 1))))


def complaint(generated: Project) -> str:
    """What is wrong with the model's answer; empty where it is right."""
    model = linked(generated.files)
    found = [
        (path, at.row, sink.kind if sink.certainty == "proven" else f"{sink.kind} by name")
        for path in generated.files
        for at, sink in sorted(model.facts(path).sinks.items())
    ]
    markers = generated.markers()
    for path, row, kind in found:
        marker = markers.get((path, row), ())
        if kind not in KINDS[generated.verdict] or ("store" if kind == "store" else "cut") not in marker:
            return f"a false alarm: {path}:{row}: {kind}"
    if generated.verdict == "silent":
        return ""
    # a mask that is computed where it is stored is reported once, as a store
    if not any(kind != "store" or "cut" in markers[path, row] for path, row, kind in found):
        return f"the cut is missed; found: {found}"
    stores = any("store" in marker for marker in markers.values())
    if generated.verdict == "target" and stores and not any(kind == "store" for *_, kind in found):
        return f"the store is missed; found: {found}"
    return ""


@examples()
@given(projects())
def test_a_project_is_judged_by_its_parts(generated: Project) -> None:
    assert not complaint(generated), f"{complaint(generated)}\n{generated}"


CODES = OnlyCodes(frozenset({"GYM201", "GYM202", "GYM203"}))


def findings(files: dict[str, str]) -> dict[str, list[Finding]]:
    """The findings of the rules about value targets, by file."""
    model = linked(files)
    return {path: lint(Source(path, text), model.facts(path), CODES) for path, text in files.items()}


@examples(COUNT // 2)
@given(projects().filter(lambda generated: generated.verdict == "target"))
def test_a_project_is_fixed_as_a_whole_or_not_at_all(generated: Project) -> None:
    files = dict(generated.files)
    for _ in range(10):
        found = findings(files)
        fixes = {
            path: [one.fix for one in some if one.fix and one.fix.safety == "safe"] for path, some in found.items()
        }
        if not any(fixes.values()):
            break
        files = {path: apply(text, fixes[path])[0] for path, text in files.items()}
    left = [one for some in found.values() for one in some]
    assert not any(fixes.values()), "fixes do not come to an end"
    assert files == generated.files if left else files != generated.files, f"half fixed: {left}\n{generated}"
    assert all(one.unfixed for one in left)
    for text in files.values():
        ast.parse(text)


def drawn(seed: int) -> Project:
    """The project of a seed."""
    return project(Choose(random.Random(seed).randrange))


def test_the_generator_makes_valid_programs_of_every_verdict() -> None:
    made = [drawn(seed) for seed in range(300)]
    for one in made:
        for text in one.files.values():
            ast.parse(text)
    verdicts = Counter(one.verdict for one in made)
    assert min(verdicts.values()) >= 20, verdicts
    assert verdicts.keys() == KINDS.keys()
    assert Counter(len(one.files) for one in made).keys() >= {1, 2, 3}


@pytest.mark.parametrize("verdict", ["target", "recursion"])
def test_silence_is_counted_as_a_missed_alarm(verdict: str) -> None:
    one = next(p for p in map(drawn, range(1000)) if p.verdict == verdict)
    assert "missed" in complaint(Project({"main.py": "pass\n"}, one.verdict, one.parts))
    assert "false alarm" in complaint(Project(one.files, "silent", one.parts))


def main(count: int, first: int = 0) -> int:
    """Judge many projects; print what fails, the shortest three in full."""
    failed = [(found, one) for one in map(drawn, range(first, first + count)) if (found := complaint(one))]
    failed.sort(key=lambda pair: sum(map(len, pair[1].files.values())))
    for found, one in failed[:3]:
        print(f"{found}\n{one}\n")
    for found, one in failed[3:]:
        print(f"{found}: {one.parts}")
    print(f"{count} projects, {len(failed)} judged wrongly")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
