"""Dependencies on `gym` outside of Python files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import OLD, done_lint

from done_lint.project.requirement_files import is_requirements_file
from done_lint.project.requirements import beside, check, replacement


def found(name: str, text: str | bytes) -> list[tuple[int, str, str]]:
    """Row, text and new text of each finding."""
    data = text if isinstance(text, bytes) else text.encode()
    read, findings = check(name, data)
    rows = read.splitlines()
    return [
        (
            finding.span.row,
            rows[finding.span.row - 1][finding.span.column : finding.span.end_column],
            finding.help.removeprefix("write ").strip("`"),
        )
        for finding in findings
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("gym", "gymnasium>=1.0"),
        ("Gym == 0.21", "gymnasium>=1.0"),
        ("gym>=0.17,<0.22", "gymnasium>=1.0"),
        ("gym[atari,accept-rom-license]==0.19", "gymnasium[atari]>=1.0"),
        ("gym[classic_control]", "gymnasium[classic_control]>=1.0"),
        ('gym; python_version < "3.9"', 'gymnasium>=1.0; python_version < "3.9"'),
        ("gym @ https://example.org/gym.zip", "gymnasium>=1.0"),
        ("git+https://github.com/openai/gym.git@v0.21", "gymnasium>=1.0"),
        ("-e git+https://github.com/openai/gym#egg=gym", "gymnasium>=1.0"),
        ("gymnasium==0.29", ""),
        ("gym-minigrid==1.0", ""),
        ("gym_super_mario_bros", ""),
        ("gym3", ""),
        ("gym.x", ""),
        ("-r gym.txt", ""),
        ("git+https://github.com/me/gym-maze.git", ""),
    ],
)
def test_a_requirement_and_what_to_write_instead(old: str, new: str) -> None:
    assert replacement(old) == new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("stable-baselines3==1.1.0", "stable-baselines3>=2.0"),
        ("stable_baselines3[extra] ~= 1.6", "stable_baselines3[extra]>=2.0"),
        ("stable-baselines3>=1.1,<2", "stable-baselines3>=2.0"),
        ("stable-baselines3 (<2.0.0)", "stable-baselines3>=2.0"),
        ("sb3-contrib=1.8.0=pyhd", "sb3-contrib>=2.0"),
        ("ray[rllib]==2.0.0", "ray[rllib]>=2.3"),
        ("ray[tune, rllib]<2.3", "ray[tune, rllib]>=2.3"),
        ("ray[rllib]==1.13", "ray[rllib]>=2.3"),
        ("ray[rllib]==2.3.0", ""),
        ("ray[rllib]==2.*", ""),
        ("ray[rllib]~=2.1", ""),
        ("ray[tune]==2.0.0", ""),
        ("ray==2.0.0", ""),
        ("stable-baselines3", ""),
        ("stable-baselines3>=1.1", ""),
        ("stable-baselines3!=1.0", ""),
        ("stable-baselines3<2.1", ""),
        ("stable-baselines3>=2.0", ""),
        ("stable-baselines==1.0", ""),
        ("numpy<2", ""),
    ],
)
def test_a_package_that_is_made_for_gym_in_the_releases_asked_for(old: str, new: str) -> None:
    assert beside(old) == new


def test_a_package_made_for_gym_is_named_beside_gym() -> None:
    pins = "stable-baselines3==1.1.0\n"
    assert found("requirements.txt", f"gym==0.21\n{pins}") == [
        (1, "gym==0.21", "gymnasium>=1.0"),
        (2, "stable-baselines3==1.1.0", "stable-baselines3>=2.0"),
    ]
    assert found("requirements.txt", pins) == []
    poetry = '[tool.poetry.dependencies]\nstable-baselines3 = "^1.1.0"\ngym = "0.21.0"\n'
    assert found("pyproject.toml", poetry)[0] == (2, "stable-baselines3", "stable-baselines3>=2.0")


def test_a_requirements_file() -> None:
    text = "# gym==0.1\nnumpy\ngym==0.21.0  # old\ngym-minigrid\ngym==0.21 \\\n    --hash=sha256:00\n"
    assert found("requirements.txt", text) == [
        (3, "gym==0.21.0", "gymnasium>=1.0"),
        (5, "gym==0.21", "gymnasium>=1.0"),
    ]


def test_a_file_that_names_both_packages_supports_both() -> None:
    assert found("requirements.txt", "gym==0.21\ngymnasium\n") == []


def test_comments_silence() -> None:
    assert found("requirements.txt", "gym  # noqa: GYM401\n") == []
    assert found("requirements.txt", "gym  # noqa: GYM101\n") != []
    assert found("requirements.txt", "# done-lint: skip-file\ngym\n") == []


def test_the_encodings_that_shells_write() -> None:
    for encoding in ("utf-8-sig", "utf-16"):
        assert found("requirements.txt", "gym==0.21\r\n".encode(encoding)) == [(1, "gym==0.21", "gymnasium>=1.0")]


def test_pyproject_lists_and_tables() -> None:
    text = '''\
[project]
name = "gym"
keywords = ["gym"]
description = """
dependencies = ["gym"]
"""
dependencies = [
    "numpy",  # "gym"
    'gym[atari]==0.21; python_version < "3.9"',
]
[project.optional-dependencies]
gym = ["gym==0.2"]
[dependency-groups]
dev = ["gym"]
[tool.poetry.dependencies]
python = "^3.7"
gym = "^0.21"
[tool.poetry.group.dev.dependencies]
gym = { version = "^0.21", extras = ["atari"] }
[tool.poetry.group.docs.dependencies.gym]
version = "*"
[tool.other]
gym = "gym"
'''
    assert found("pyproject.toml", text) == [
        (9, 'gym[atari]==0.21; python_version < "3.9"', 'gymnasium[atari]>=1.0; python_version < "3.9"'),
        (12, "gym==0.2", "gymnasium>=1.0"),
        (14, "gym", "gymnasium>=1.0"),
        (17, "gym", 'gymnasium = ">=1.0"'),
        (19, "gym", 'gymnasium = { version = ">=1.0", extras = ["atari"] }'),
        (20, "gym", "[tool.poetry.group.docs.dependencies.gymnasium]"),
    ]


def test_setup_cfg() -> None:
    text = """\
[metadata]
name = gym
[options]
packages =
    gym
install_requires =
    numpy
    gym>=0.17
[options.extras_require]
atari = gym[atari]
"""
    assert found("setup.cfg", text) == [
        (8, "gym>=0.17", "gymnasium>=1.0"),
        (10, "gym[atari]", "gymnasium[atari]>=1.0"),
    ]


def test_conda_environments() -> None:
    text = """\
name: gym
channels:
  - gym
dependencies:
  - python=3.7
  - conda-forge::gym=0.21  # old
  - pip:
    - "gym[atari]==0.19"
prefix: gym
"""
    assert found("environment.yml", text) == [
        (6, "conda-forge::gym=0.21", "gymnasium>=1.0"),
        (8, "gym[atari]==0.19", "gymnasium[atari]>=1.0"),
    ]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("requirements.txt", True),
        ("dev-requirements.txt", True),
        ("Requirements.txt", True),
        ("requirements/base.txt", True),
        ("requirements.in", True),
        ("conda_env.yml", True),
        ("docs/index.txt", False),
        ("config.yml", False),
        ("tox.ini", False),
    ],
)
def test_which_files_name_packages(name: str, is_one: bool) -> None:
    assert is_requirements_file(name) is is_one


def test_the_command_reports_only_what_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("gym==0.21\n")
    (tmp_path / "train.py").write_text(OLD)
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "requirements.txt").write_text("gym\n")
    whole = done_lint(tmp_path, "check", ".", "--output-format", "json")
    assert sorted(one["filename"] for one in json.loads(whole.stdout) if one["code"] == "GYM401") == [
        "requirements.txt",
        "tools/requirements.txt",
        "train.py",
    ]
    given = done_lint(tmp_path, "check", "requirements.txt")
    assert "help: write `gymnasium>=1.0`" in given.stdout
    assert given.returncode == 1
    assert done_lint(tmp_path, "check", "train.py").stdout.count("requirements") == 0
    assert done_lint(tmp_path, "check", "requirements.txt", "--ignore", "GYM401").returncode == 0


def test_what_is_said_of_a_package_whose_old_releases_are_made_for_gym() -> None:
    _, findings = check("requirements.txt", b"gym\nstable_baselines3==1.6.2\n")
    assert findings[1].message == (
        "`stable_baselines3==1.6.2` asks for a release that is made for Gym; later ones are made for Gymnasium"
    )


def test_fix_leaves_the_choice_to_the_user(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("gym==0.21\n")
    (tmp_path / "train.py").write_text(OLD)
    fixed = done_lint(tmp_path, "fix", ".")
    assert (tmp_path / "requirements.txt").read_text() == "gym==0.21\n"
    assert (tmp_path / "train.py").read_text().startswith("import gymnasium")
    assert fixed.returncode == 1
    assert "no fix: you decide which releases your project supports" in fixed.stdout
