"""A class whose four values become those of something else stays as it is: nothing would show there afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from done_lint.engine import analyze
from done_lint.project.discovery import projects
from done_lint.project.settings import Settings

PROGRAM = """from collections import namedtuple

import gymnasium as gym

Outcome = namedtuple("Outcome", "obs reward done info")


class Corridor(gym.Env):
    def step(self, action):
        return 0, 1.0, action > 3, {}


corridor = Corridor()
"""


@pytest.mark.parametrize(
    ("line", "fixable"),
    [
        ("outcome = Outcome(*corridor.step(0))", False),
        ("before, action, after, reward, done, info = (0, 1) + corridor.step(1)", False),
        ("before, after, reward, done, info = 0, *corridor.step(1)", False),
        ("after, reward, done, info = corridor.step(1)", True),
    ],
)
def test_the_class_changes_only_with_who_takes_its_values(tmp_path: Path, line: str, fixable: bool) -> None:
    (tmp_path / "corridor.py").write_text(f"{PROGRAM}{line}\n")
    report = analyze.check(projects([str(tmp_path)], lambda root: Settings(root=root)))
    found = {one.code: one for one in report.findings}
    assert found["GYM301"].fixable is fixable
