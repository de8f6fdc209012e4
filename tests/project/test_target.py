from __future__ import annotations

from pathlib import Path

import pytest

from done_lint.core.findings import Finding
from done_lint.core.gymnasium_release import NEWEST, RELEASES, release
from done_lint.engine.analyze import check
from done_lint.project.discovery import projects
from done_lint.project.required_release import required
from done_lint.project.settings import ConfigError, Overrides, Settings


def target_in(folder: Path, overrides: Overrides | None = None) -> tuple[int, int]:
    return (overrides or Overrides()).settings(str(folder)).target


def test_the_newest_release_is_the_target() -> None:
    assert Settings().target == NEWEST == release(RELEASES[0])


@pytest.mark.parametrize(
    ("dependency", "expected"),
    [
        ("gymnasium", NEWEST),
        ("gymnasium>=0.26", NEWEST),
        ("gymnasium<1.0", (0, 29)),
        ("gymnasium[atari,mujoco] >=0.28.1, <1.0.0", (0, 29)),
        ("Gymnasium~=1.1.0", (1, 1)),
        ("gymnasium==0.29.1", (0, 29)),
        ("gymnasium>=0.29.1,<2.0", NEWEST),
        ("gymnasium>99", NEWEST),
        ("gymnasium!", NEWEST),
        ("gymnasium==0.29.1; python_version < '3.9'", NEWEST),
        ("gymnasium @ git+https://example.com/gymnasium", NEWEST),
        ("gymnasium-robotics<1.0", NEWEST),
        ("gym==0.21", NEWEST),
    ],
)
def test_the_bounds_of_the_projects_dependencies_decide(
    tmp_path: Path, dependency: str, expected: tuple[int, int]
) -> None:
    (tmp_path / "pyproject.toml").write_text(f'[project]\nname = "x"\ndependencies = ["numpy", "{dependency}"]\n')
    assert target_in(tmp_path) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("pyproject.toml", '[project.optional-dependencies]\nrl = ["gymnasium<1.2"]\n', (1, 1)),
        ("pyproject.toml", '[dependency-groups]\nrl = ["gymnasium<1.2", {include-group = "x"}]\n', (1, 1)),
        ("pyproject.toml", '[tool.poetry.dependencies]\ngymnasium = "^0.29"\n', (0, 29)),
        ("pyproject.toml", '[tool.poetry.dependencies]\ngymnasium = "^1.1"\n', NEWEST),
        ("pyproject.toml", '[tool.poetry.dependencies]\ngymnasium = "~1.1"\n', (1, 1)),
        ("pyproject.toml", '[tool.poetry.dependencies]\ngymnasium = "0.28.1"\n', (0, 28)),
        ("pyproject.toml", '[tool.poetry.dependencies]\ngymnasium = "*"\n', NEWEST),
        (
            "pyproject.toml",
            '[tool.poetry.group.dev.dependencies]\ngymnasium = {version = "<1.0", extras = ["x"]}\n',
            (0, 29),
        ),
        ("pyproject.toml", '[tool.poetry.dependencies.gymnasium]\nextras = ["x"]\nversion = "<1.0"\n', (0, 29)),
        ("pyproject.toml", '[tool.poetry.dependencies]\ngymnasium = [{version = "<1.0", python = "<3.9"}]\n', NEWEST),
        ("pyproject.toml", "[project]\ndependencies = 3\n", NEWEST),
        ("setup.cfg", "[options]\ninstall_requires =\n    numpy\n    gymnasium<1.0\n", (0, 29)),
        ("setup.cfg", "[options.extras_require]\nrl = gymnasium<1.0\n", (0, 29)),
        ("setup.cfg", "broken", NEWEST),
        ("requirements.txt", "# all of it\ngymnasium<1.0  # for now\n", (0, 29)),
        ("requirements-dev.txt", "-r requirements.txt\ngymnasium<1.0\n", (0, 29)),
    ],
)
def test_every_place_of_dependencies_is_read(tmp_path: Path, name: str, text: str, expected: tuple[int, int]) -> None:
    (tmp_path / name).write_text(text)
    assert target_in(tmp_path) == expected


def test_the_snapshot_of_an_installation_is_no_bound(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("numpy==1.26.4\ngymnasium==0.29.1\n")
    assert target_in(tmp_path) == NEWEST


def test_the_users_setting_comes_first(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["gymnasium<1.0"]\n')
    assert target_in(tmp_path) == (0, 29)
    assert target_in(tmp_path, Overrides(isolated=True)) == NEWEST
    assert target_in(tmp_path, Overrides(target_version="1.2")) == (1, 2)


def test_the_configuration_comes_before_the_dependencies(tmp_path: Path) -> None:
    text = '[project]\ndependencies = ["gymnasium<1.0"]\n[tool.done-lint]\ntarget-version = "1"\n'
    (tmp_path / "pyproject.toml").write_text(text)
    assert target_in(tmp_path) == (1, 0)


def test_a_configuration_that_is_no_toml_is_an_error_once(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project\n")
    with pytest.raises(ConfigError, match="invalid TOML"):
        target_in(tmp_path)


def test_what_the_target_still_has_is_not_reported(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text('import gymnasium as gym\n\nenv = gym.wrappers.FrameStack(gym.make("LunarLander-v2"), 4)\n')
    assert [finding.code for finding in found_in(tmp_path)] == ["GYM405", "GYM404"]
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["gymnasium<1.0"]\n')
    required.cache_clear()
    assert found_in(tmp_path) == []


def found_in(folder: Path) -> list[Finding]:
    return check(projects([str(folder)], Overrides().settings)).findings
