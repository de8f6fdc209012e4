"""The metadata of a script decide its releases: a comment block that begins with `# /// script`."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from done_lint.core.gymnasium_release import NEWEST, Release
from done_lint.project import script_metadata
from done_lint.project.before_gymnasium import imported_before
from done_lint.project.settings import Overrides

_NEEDS = '# /// script\n# requires-python = ">=3.10"\n# dependencies = [\n#   "numpy",\n#   "{}",\n# ]\n# ///\n'


def _releases(folder: Path, script: str, name: str = "train.py") -> tuple[Release, Release, str]:
    (folder / name).write_text(script)
    found = Overrides().settings(str(folder)).releases(str(folder / name))
    return found.lowest, found.newest, found.newest_source


@pytest.mark.parametrize(
    ("requirement", "lowest", "newest"),
    [
        ("gymnasium>=1.0.0", (1, 0), NEWEST),
        ("gymnasium==0.29.1", (0, 29), (0, 29)),
        ("gymnasium[mujoco]~=0.28", (0, 28), (0, 29)),
        ("memory-gym", (0, 29), (0, 29)),
    ],
)
def test_a_script_says_which_releases_it_runs_with(
    tmp_path: Path, requirement: str, lowest: Release, newest: Release
) -> None:
    (tmp_path / "requirements.txt").write_text("gymnasium==1.1.1\n")
    script = '"""Trains."""\n' + _NEEDS.format(requirement) + "import gymnasium\n"
    assert _releases(tmp_path, script)[:2] == (lowest, newest)
    assert _releases(tmp_path, "import gymnasium\n", "other.py")[:2] == ((1, 1), (1, 1))


def test_a_script_without_a_bound_gets_the_newest_and_its_fixes_are_right_in_the_project(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("gymnasium==0.29.1\n")
    lowest, newest, source = _releases(tmp_path, _NEEDS.format("gymnasium"))
    assert (lowest, newest) == ((0, 29), NEWEST)
    assert source.endswith("train.py:5")


@pytest.mark.parametrize(
    "script",
    [
        _NEEDS.format("gymnasium-robotics"),
        _NEEDS.format("gymnasium>=1.0").replace("# ///\n", "#\n"),
        _NEEDS.format("gymnasium>=1.0").replace("/// script", "/// notes"),
        _NEEDS.format("gymnasium>=1.0").replace("# /// script", "#/// script"),
        _NEEDS.format("gymnasium>=1.0").replace("#   ", "  # "),
        _NEEDS.format("gymnasium>=1.0") + "import numpy\n" + _NEEDS.format("gymnasium>=1.0"),
        '# /// script\n# dependencies = [\n#   "gymnasium>=1.0"\n# ///\n',
        '# /// script\n# [tool.other]\n# title = "gymnasium>=1.0"\n# ///\n',
    ],
)
def test_what_is_no_statement_of_the_script_leaves_the_projects(tmp_path: Path, script: str) -> None:
    (tmp_path / "requirements.txt").write_text("gymnasium==0.29.1\n")
    assert _releases(tmp_path, script)[:2] == ((0, 29), (0, 29))


def test_the_rows_of_windows_are_read_too(tmp_path: Path) -> None:
    assert _releases(tmp_path, _NEEDS.format("gymnasium==0.29.1").replace("\n", "\r\n"))[1] == (0, 29)


def test_the_last_end_is_that_of_the_block(tmp_path: Path) -> None:
    """The specification's example: a text in the metadata has a row that looks like the end."""
    inside = _NEEDS.format("gymnasium==0.29.1").replace("# ]\n", '# ]\n# [tool.other]\n# text = """\n# ///\n# """\n')
    assert _releases(tmp_path, inside)[1] == (0, 29)
    assert _releases(tmp_path, _NEEDS.format("gymnasium==0.29.1") + "# Trains.\n", "other.py")[1] == (0, 29)


def test_a_mark_that_is_repeated_takes_no_time(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text("# /// script\n" * 20_000)
    before = time.process_time()
    assert script_metadata.metadata(str(path)) == ""
    assert time.process_time() - before < 10


def test_the_bound_of_its_python_bounds_its_releases(tmp_path: Path) -> None:
    script = _NEEDS.format("gymnasium").replace(">=3.10", "<3.8")
    assert _releases(tmp_path, script)[1] == (0, 28)


def test_other_packages_of_the_script_come_first_too(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("stable-baselines3==2.3.0\npettingzoo==1.24.0\n")
    path = tmp_path / "train.py"
    path.write_text(_NEEDS.format("stable-baselines3==1.8.0").replace("numpy", "pettingzoo==1.22.0"))
    assert imported_before(["stable_baselines3"], str(path), str(tmp_path)) == "stable-baselines3==1.8.0"
    assert Overrides().settings(str(tmp_path)).releases(str(path)).pettingzoo == (1, 22)
    other = tmp_path / "other.py"
    other.write_text("import stable_baselines3\n")
    assert imported_before(["stable_baselines3"], str(other), str(tmp_path)) == ""
