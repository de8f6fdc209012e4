"""Classes that import their base from where it was: the base does not change without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from done_lint.engine import analyze
from done_lint.engine.report import Report
from done_lint.project.discovery import projects
from done_lint.project.settings import Settings

BASE = """import gym


class Walker(gym.Env):
    def reset(self, start=0.0):
        self.at = start
        return self.at

    def step(self, action):
        self.at += action
        return self.at, 1.0, self.at > 4, {}
"""
HEIR = """import gym
from {} import {} as Base


class Lidar(Base):
    space = gym.spaces.Discrete(2)

    def reset(self, start=0.0):
        return [super().reset(start), 1.0]
"""


def fixed(folder: Path, files: dict[str, str]) -> Report:
    (folder / "pyproject.toml").write_text("")
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return analyze.fix(projects([str(folder)], lambda root: Settings(root=root)))


@pytest.mark.parametrize("package", [True, False])
@pytest.mark.parametrize("module", ["robots.arena.old.walker", "robots.lost", "robots.floor.walker"])
def test_a_base_waits_for_the_class_that_looks_for_it_elsewhere(tmp_path: Path, module: str, package: bool) -> None:
    files = {"robots/arena/walker.py": BASE, "robots/arena/lidar.py": HEIR.format(module, "Walker")}
    if package:
        files |= {"robots/__init__.py": "", "robots/arena/__init__.py": ""}
    report = fixed(tmp_path, files)
    assert {name: (tmp_path / name).read_text() for name in files} == files
    assert all(not one.fixable and one.unfixed for one in report.findings if one.fix is not None)


@pytest.mark.parametrize(("module", "name"), [("robots.lost", "Arm"), ("other.walker", "Walker")])
def test_a_base_of_another_name_or_of_another_package_is_no_reason_to_wait(
    tmp_path: Path, module: str, name: str
) -> None:
    files = {"robots/arena/walker.py": BASE, "robots/arena/lidar.py": HEIR.format(module, name)}
    fixed(tmp_path, files)
    assert "return self.at, {}" in (tmp_path / "robots/arena/walker.py").read_text()
