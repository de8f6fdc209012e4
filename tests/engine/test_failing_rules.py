"""Where a rule fails on a file, nobody knows what it would have said: nothing of the file's families is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from done_lint.engine import analyze
from done_lint.engine.report import Report
from done_lint.project.discovery import projects
from done_lint.project.settings import Settings
from done_lint.rules.base import Rule
from done_lint.rules.registry import RULES

MAKER = """import gym


def make():
    env = gym.make("CartPole-v1")
    env.seed(3)
    return env
"""
USER = """from maker import make

env = make()
obs = env.reset()
obs, reward, done, info = env.step(0)
print(obs, done)
"""
SHOWING = f"{USER}env.render()\n"
ALONE = """import gym

env = gym.make("CartPole-v1")
obs = env.reset()
"""
FIXED_ALONE = """import gymnasium as gym

env = gym.make("CartPole-v1")
obs, _ = env.reset()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    for name, text in (("maker", MAKER), ("user", USER), ("alone", ALONE)):
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


def read(folder: Path) -> tuple[str, str, str]:
    maker, user, alone = ((folder / f"{name}.py").read_text() for name in ("maker", "user", "alone"))
    return maker, user, alone


def run(folder: Path, *, unsafe: bool = False) -> Report:
    return analyze.fix(projects([str(folder)], lambda root: Settings(root=root)), unsafe=unsafe, jobs=1)


def failing(monkeypatch: pytest.MonkeyPatch, file: str, code: str, text: str) -> None:
    """Let a rule fail on a file that has this text."""
    rule = next(one for one in RULES if one.code == code)

    def fails(self: Rule) -> object:
        if self.context.path.endswith(file) and text in self.tree.text:
            raise ValueError("x not in tuple")
        return Rule.run(self)

    monkeypatch.setattr(rule, "run", fails)


def test_a_rule_that_fails_keeps_its_file_and_the_families_of_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, "maker.py", "GYM103", "seed")
    report = run(folder)
    assert read(folder) == (MAKER, USER, FIXED_ALONE)
    assert [one.kind for one in report.diagnostics] == ["internal"]


def test_what_is_withheld_says_which_rule_failed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, "maker.py", "GYM103", "seed")
    report = analyze.check(projects([str(folder)], lambda root: Settings(root=root)), jobs=1)
    reasons = {one.path.rpartition("/")[2]: one.unfixed for one in report.findings}
    reason = "blocked by maker.py:1, which cannot be checked (rule GYM103 failed: ValueError: x not in tuple)"
    assert {path: why.replace(f"{folder}/", "") for path, why in reasons.items()} == {
        "alone.py": "",
        "maker.py": reason,
        "user.py": reason,
    }


@pytest.mark.parametrize("unsafe", [False, True])
def test_a_rule_that_fails_on_fixed_code_undoes_the_fixes_of_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, unsafe: bool
) -> None:
    (folder / "user.py").write_text(SHOWING)
    failing(monkeypatch, "user.py", "GYM111", "terminated")
    run(folder, unsafe=unsafe)
    maker, user, alone = read(folder)
    assert (user, alone) == (SHOWING, FIXED_ALONE)
    assert unsafe or maker == MAKER


def test_unsafe_fixes_leave_the_file_alone_as_well(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, "maker.py", "GYM103", "seed")
    run(folder, unsafe=True)
    assert read(folder)[0] == MAKER
