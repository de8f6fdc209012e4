"""Test doubles have to do what their tests use, not all that an environment should do."""

from __future__ import annotations

from pathlib import Path

from command import done_lint

DOUBLE = """import gymnasium as gym


class Dummy(gym.Env):
    def reset(self, seed=None):
        self.steps = 0
        return 0, {}

    def step(self, action):
        self.steps += 1
        return 0, 0.0, self.steps >= 5, False, {}
"""


def codes(folder: Path, name: str) -> set[str]:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(DOUBLE)
    out = done_lint(folder, "check", "--output-format", "concise", name).stdout
    return {row.split()[1] for row in out.splitlines()}


def test_an_environment_of_the_program_answers_in_full(tmp_path: Path) -> None:
    assert codes(tmp_path, "corridor.py") == {"GYM302", "GYM307", "GYM309"}


def test_a_stand_in_implements_what_its_tests_call(tmp_path: Path) -> None:
    assert codes(tmp_path, "tests/corridor.py") == set()
    assert codes(tmp_path, "test_corridor.py") == set()


def test_a_stand_in_with_the_old_api_is_reported(tmp_path: Path) -> None:
    (tmp_path / "test_old.py").write_text(DOUBLE.replace("0, {}", "0").replace("False, {}", "{}"))
    out = done_lint(tmp_path, "check", "--output-format", "concise", "test_old.py").stdout
    assert {"GYM301", "GYM303"} <= {row.split()[1] for row in out.splitlines()}
