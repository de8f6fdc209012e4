"""A part whose files are as they were is not solved again, unless the rest of the project matters to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import OLD

from done_lint.analysis import linker
from done_lint.analysis.context import Analysis
from done_lint.analysis.weak_evidence import ProjectNames
from done_lint.engine import analyze
from done_lint.facts.build import Model, Whole, link
from done_lint.facts.solved_parts import SolvedParts
from done_lint.flowgraph.build import survey
from done_lint.flowgraph.schema import Survey
from done_lint.project.discovery import projects
from done_lint.project.settings import Settings

#: What it steps is known by its name alone, where the project is one of Gym's.
BY_NAME = """
def run(env, steps):
    for _ in range(steps):
        obs, reward, done, info = env.step(0)
"""


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The files of each part that is solved from now on."""
    found: list[list[str]] = []
    solve = linker.solve

    def noted(at: Analysis, project: ProjectNames | None) -> None:
        found.append(sorted(at.program.surveys))
        solve(at, project)

    monkeypatch.setattr(linker, "solve", noted)
    return found


def linked(before: SolvedParts, *surveys: Survey) -> Model:
    return link(surveys, "", None, None, Whole([one.path for one in surveys]), before)


def test_only_the_part_of_a_file_that_changed_is_solved_again(solved: list[list[str]]) -> None:
    before = SolvedParts()
    a, b = survey("a.py", OLD), survey("b.py", OLD)
    first = linked(before, a, b)
    again = linked(before, a, survey("b.py", OLD + "\nprint(total)\n"))
    assert solved == [["a.py"], ["b.py"], ["b.py"]]
    assert again.facts("a.py") == first.facts("a.py")
    assert first.facts("a.py").steps


def test_a_part_is_solved_again_where_the_names_of_the_whole_project_changed(solved: list[list[str]]) -> None:
    before = SolvedParts()
    named, other = survey("named.py", BY_NAME), survey("other.py", "import numpy\n")
    assert not linked(before, named, other).facts("named.py").steps
    assert linked(before, named, survey("other.py", "import gym\n")).facts("named.py").steps
    assert solved.count(["named.py"]) == 2


def test_a_fix_of_one_script_does_not_have_the_others_solved_again(tmp_path: Path, solved: list[list[str]]) -> None:
    right = "import gymnasium as gym\nenv = gym.make('CartPole-v1')\nobs, info = env.reset()\n"
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "right.py").write_text(right)
    analyze.fix(projects([str(tmp_path)], lambda root: Settings(root=root)))
    names = [[Path(path).name for path in one] for one in solved]
    assert names.count(["right.py"]) == 1
    assert names.count(["old.py"]) > 1
