from __future__ import annotations

from pathlib import Path

import pytest

from done_lint.core.findings import Finding
from done_lint.core.gymnasium_release import NEWEST, RELEASES, Release, Supported, release
from done_lint.engine.analyze import check
from done_lint.project.discovery import projects
from done_lint.project.release_bounds import release_bounds
from done_lint.project.required_release import _bounds, _of_folder, supported
from done_lint.project.settings import ConfigError, Overrides, Settings


def releases_in(folder: Path, overrides: Overrides | None = None, path: str = "program.py") -> Supported:
    supported.cache_clear()
    _of_folder.cache_clear()
    _bounds.cache_clear()
    return (overrides or Overrides()).settings(str(folder)).releases(str(folder / path))


def target_in(folder: Path, overrides: Overrides | None = None) -> Release:
    return releases_in(folder, overrides).newest


def test_the_newest_release_is_the_target() -> None:
    assert Settings().releases("program.py").newest == NEWEST == release(RELEASES[0])


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
        ("gymnasium @ git+https://example.com/gymnasium@main", NEWEST),
        ("gymnasium @ git+https://git@example.com/somebody/Gymnasium.git@0.29.2", (0, 29)),
        ("gymnasium[mujoco] @ git+ssh://git@example.com/Gymnasium.git@v1.0.0#egg=gymnasium", (1, 0)),
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
    ("pins", "expected"),
    [
        (["gymnasium==0.29.1"], (0, 29)),
        (["gymnasium==0.29.1", "gymnasium==0.29.0"], (0, 29)),
        (["gymnasium==0.29.1", "gymnasium==1.0.0"], NEWEST),
        (["gymnasium>=0.29"], NEWEST),
        (["numpy"], NEWEST),
    ],
)
def test_what_all_parts_pin_bounds_the_fixes_of_the_code_beside_them(
    tmp_path: Path, pins: list[str], expected: Release
) -> None:
    for number, pin in enumerate(pins):
        part = tmp_path / "course" / f"part_{number}"
        part.mkdir(parents=True)
        (part / "requirements.txt").write_text(pin)
        (part / "program.py").touch()
    found = releases_in(tmp_path, path="taxi/program.py")
    assert (found.lowest, found.newest) == (expected, NEWEST)


@pytest.mark.parametrize(("conda", "expected"), [("0.29.1", (0, 29)), ("1.0.0", NEWEST)])
def test_ways_to_install_the_project_that_agree_decide(tmp_path: Path, conda: str, expected: Release) -> None:
    for place, text in (
        ("install/docker/files/requirements.txt", "gymnasium==0.29.1\n"),
        ("install/conda/environment.yml", f"dependencies:\n  - pip:\n    - gymnasium=={conda}\n"),
    ):
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_text(text)
    found = releases_in(tmp_path, path="taxi/program.py")
    assert (found.lowest, found.newest) == (expected, expected)


def test_a_project_inside_the_project_pins_for_itself(tmp_path: Path) -> None:
    part = tmp_path / "arena"
    part.mkdir()
    (part / "setup.py").write_text("setup()\n")
    (part / "requirements.txt").write_text("gymnasium==0.29.1")
    assert releases_in(tmp_path).lowest == NEWEST


@pytest.mark.parametrize(("imported", "expected"), [("arena", (0, 28)), ("numpy", NEWEST)])
@pytest.mark.parametrize("place", ["arena_part", "libs/arena_part", "system/libs/arena_part"])
def test_an_imported_part_bounds_the_fixes_by_what_it_pins(
    tmp_path: Path, place: str, imported: str, expected: Release
) -> None:
    part = tmp_path / place
    (part / "arena").mkdir(parents=True)
    (part / "arena" / "__init__.py").write_text("")
    (part / "pyproject.toml").write_text('[project]\nname = "arena"\ndependencies = ["gymnasium>=0.28"]\n')
    (part / "requirements.txt").write_text("gymnasium==0.28.1")
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "program.py").write_text(f"import {imported}\n")
    found = releases_in(tmp_path, path="examples/program.py")
    assert (found.lowest, found.newest) == (expected, NEWEST)


def test_a_package_that_several_parts_have_tells_nothing(tmp_path: Path) -> None:
    for name in ("arena", "board"):
        (tmp_path / "libs" / name / "tests").mkdir(parents=True)
        (tmp_path / "libs" / name / "tests" / "__init__.py").write_text("")
        (tmp_path / "libs" / name / "setup.cfg").write_text("[options]\ninstall_requires =\n    gymnasium<1.0\n")
    (tmp_path / "program.py").write_text("import tests.boards\n")
    assert target_in(tmp_path) == NEWEST


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
        ("requirements.txt", 'gymnasium==0.29.1 ; python_version >= "3.8" \\\n    --hash=sha256:00\n', (0, 29)),
        ("requirements.txt", "gymnasium==0.29.1 \\\n    --hash=sha256:00\n    # via x\n", (0, 29)),
        ("requirements.txt", "gymnasium<1.0  # see https://example.com/#a;b\n", (0, 29)),
        ("requirements/base.in", "gymnasium<1.0\n", (0, 29)),
        ("docker/environment.yaml", "dependencies:\n  - pip:\n    - gymnasium==0.29.1\n", (0, 29)),
        ("environment.yml", "dependencies:\n  - conda-forge::gymnasium=1.1=pyhd8ed1ab_0\n", (1, 1)),
        ("environment.yml", "dependencies:\n  - gymnasium==0.29.1=pyhd8ed1ab_0\n", (0, 29)),
        ("environment.yml", "dependencies:\n  - gymnasium 0.29.1\n", (0, 29)),
        ("environment.yml", "dependencies:\n  - gymnasium=0.29\n", (0, 29)),
        ("requirements.txt", "gymnasium==1.0.0a2\n", (1, 0)),
        ("requirements.txt", "gymnasium==no\n", NEWEST),
        ("uv.lock", '[[package]]\nname = "gymnasium"\nversion = "no"\n', NEWEST),
        ("setup.cfg", "[options]\ninstall_requires = gymnasium<1.0; python_version>='3.8'\n", (0, 29)),
        ("setup.cfg", "[options]\ninstall_requires = gymnasium<1.0; nonsense\n", NEWEST),
        ("environment.yml", "dependencies:\n  - gymnasium >=0.28,<1.0  # old\n", (0, 29)),
        ("setup.py", "from setuptools import setup\nsetup(install_requires=['gymnasium<1.0'])\n", (0, 29)),
        ("setup.py", "import setuptools\nsetuptools.setup(extras_require={'a': ['gymnasium<1.0']})\n", (0, 29)),
        ("uv.lock", '[[package]]\nname = "gymnasium"\nversion = "1.1.1"\nsource = {}\n', (1, 1)),
        ("poetry.lock", '[[package]]\nname = "gymnasium"\nversion = "0.29.1"\n', (0, 29)),
        ("pdm.lock", '[[package]]\nname = "gymnasium"\nversion = "0.29.1"\n', (0, 29)),
        ("pdm.lock", '[[package]]\nname = "gymnasium-robotics"\nversion = "0.29.1"\n', NEWEST),
        ("Pipfile.lock", '{"default": {"gymnasium": {"hashes": ["a"], "version": "==0.28.1"}}}', (0, 28)),
        ("Pipfile", '[packages]\ngymnasium = "==0.29.1"\n', (0, 29)),
        ("Pipfile", '[packages]\ngymnasium = {version = "<1.1", extras = ["atari"]}\n', (1, 0)),
        ("Pipfile", '[packages]\ngymnasium = "*"\n', NEWEST),
        ("requirements.txt", "memory_gym>=1.0.2,<2\n", (0, 29)),
        ("requirements.txt", "stable-baselines3[extra]==2.0.0\n", (0, 28)),
        ("requirements.txt", "stable-baselines3>=2.0\n", NEWEST),
        ("requirements.txt", "stable-baselines3 @ git+https://example.com/x\n", NEWEST),
        ("requirements-dev.txt", "-r requirements.txt\ngymnasium<1.0\n", (0, 29)),
    ],
)
def test_every_place_of_dependencies_is_read(tmp_path: Path, name: str, text: str, expected: tuple[int, int]) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    assert target_in(tmp_path) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        # The oldest release is the one that a bound names; without one it is what an installation gets.
        ({"setup.cfg": "[options]\ninstall_requires = gymnasium>=0.28.1,<2\n"}, ((0, 28), NEWEST)),
        ({"setup.cfg": "[options]\ninstall_requires = gymnasium<1.2\n"}, ((1, 1), (1, 1))),
        ({"pyproject.toml": '[tool.poetry.dependencies]\ngymnasium = "^1.0"\n'}, ((1, 0), NEWEST)),
        # An extra and some machines are further installations.
        (
            {"pyproject.toml": '[project.optional-dependencies]\na = ["gymnasium"]\nb = ["gymnasium<1.0"]\n'},
            ((0, 29), NEWEST),
        ),
        (
            {"setup.cfg": "[options]\ninstall_requires = \n    gymnasium==0.29.1; python_version<'3.9'\n"},
            ((0, 29), NEWEST),
        ),
        # What is installed says more than what is allowed, and less than it where the two contradict each other.
        (
            {"setup.cfg": "[options]\ninstall_requires = gymnasium>=0.28\n", "requirements.txt": "gymnasium==1.1.0"},
            ((0, 28), (1, 1)),
        ),
        (
            {"setup.cfg": "[options]\ninstall_requires = gymnasium>=1.0\n", "requirements.txt": "gymnasium==0.29.1"},
            ((1, 0), NEWEST),
        ),
        (
            {"requirements.txt": "gymnasium", "poetry.lock": '[[package]]\nname = "gymnasium"\nversion = "0.29.1"\n'},
            ((0, 29), (0, 29)),
        ),
        ({"requirements.txt": "gymnasium==1.1.0", "requirements-old.txt": "gymnasium==0.29.1"}, ((0, 29), (1, 1))),
        ({"requirements.txt": "gymnasium>=1.0\nmemory-gym==1.0.2\n"}, ((1, 0), NEWEST)),
        ({"requirements.txt": "\ufeffgymnasium==0.29.1\n"}, ((0, 29), (0, 29))),
        # A page tells where nothing else does.
        ({"requirements.txt": "gymnasium", "HOW.md": "    pip install gymnasium==0.29.1 numpy\n"}, ((0, 29), (0, 29))),
        ({"README.md": "Run `pip install 'gymnasium[atari]==1.1.0'`.\n"}, ((1, 1), (1, 1))),
        ({"README.md": "pip install gymnasium==0.29.1\n", "requirements.txt": "gymnasium>=1.1"}, ((1, 1), NEWEST)),
        ({"README.md": "We removed gymnasium==0.29.1.\npip install gymnasium\n"}, (NEWEST, NEWEST)),
        ({"README.md": "pip install my-gymnasium==0.29.1 'gymnasium>=0.29'\n"}, (NEWEST, NEWEST)),
    ],
)
def test_both_ends_of_what_is_supported(
    tmp_path: Path, files: dict[str, str], expected: tuple[Release, Release]
) -> None:
    for name, text in files.items():
        encoding = "utf-16" if text.startswith("\ufeff") else "utf-8"  # as some shells write the output of a command
        (tmp_path / name).write_bytes(text.removeprefix("\ufeff").encode(encoding))
    found = releases_in(tmp_path)
    assert (found.lowest, found.newest) == expected


def test_the_nearest_folder_decides(tmp_path: Path) -> None:
    for folder, bound in (("old", "==0.29.1"), ("docs", ""), (".", ">=1.0")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "requirements.txt").write_text(f"gymnasium{bound}\n")
        (tmp_path / folder / "program.py").touch()
    assert releases_in(tmp_path, path="old/deep/program.py").described == (
        f"Gymnasium 0.29 ({tmp_path / 'old' / 'requirements.txt'}:1)"
    )
    # A name without a bound says nothing.
    assert releases_in(tmp_path, path="docs/program.py") == releases_in(tmp_path)
    assert releases_in(tmp_path).lowest == (1, 0)


_OLD, _LOW = "setup(install_requires=['gymnasium==0.28.1'])\n", "setup(install_requires=['gymnasium>=0.28'])\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"arena/setup.py": _OLD, "arena/duels/__init__.py": "", "program.py": "import duels\n"}, (0, 28)),
        ({"arena/setup.py": _OLD, "arena/src/duels/__init__.py": "", "program.py": "from duels.one import a"}, (0, 28)),
        ({"arena/setup.py": _OLD, "arena/duels/__init__.py": "", "program.py": "", "run.py": "import duels"}, (0, 28)),
        # What has a lower bound only is installed with the newest release.
        ({"arena/setup.py": _LOW, "arena/duels/__init__.py": "", "program.py": "import duels\n"}, NEWEST),
        # A part that nothing imports is about itself, and what is stated here comes first.
        ({"arena/setup.py": _OLD, "arena/duels/__init__.py": "", "program.py": "import numpy\n"}, NEWEST),
        ({"arena/setup.py": _OLD, "program.py": "import duels\n"}, NEWEST),
        (
            {
                "arena/setup.py": _OLD,
                "arena/duels/__init__.py": "",
                "program.py": "import duels\n",
                "requirements.txt": "gymnasium==1.1.0\n",
            },
            (1, 1),
        ),
        # The set-up script of the part reads its list, and pages use the package that imports the part's.
        (
            {
                "arena/setup.py": "setup(install_requires=open('requirements.txt').read().split())\n",
                "arena/requirements.txt": "gymnasium>=0.28.1,<1.0\n",
                "arena/duels/__init__.py": "",
                "runs/__init__.py": "import duels\n",
            },
            (0, 29),
        ),
        # A list of one environment of the part is not what its package requires.
        (
            {
                "arena/setup.py": "setup()\n",
                "arena/requirements.txt": "gymnasium==0.28.1\n",
                "arena/duels/__init__.py": "",
                "program.py": "import duels\n",
            },
            NEWEST,
        ),
    ],
)
def test_an_imported_package_of_the_project_says_what_is_installed(
    tmp_path: Path, files: dict[str, str], expected: Release
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = releases_in(tmp_path)
    assert (found.lowest, found.newest) == (expected, expected)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("setup.py", 'setup(name="x", python_requires=">=3.7, <3.8", install_requires=["gym"])\n', (0, 28)),
        ("setup.py", 'setup(\n    python_requires="<3.7.5",\n)\n', (0, 28)),
        ("setup.py", 'PYTHON = "<3.8"\nsetup(python_requires=PYTHON)\n', (0, 28)),
        ("setup.py", 'setup(\n    # python_requires="<3.8",\n)\n', NEWEST),
        ("pyproject.toml", '[project]\n# requires-python = "<3.8"\n', NEWEST),
        ("setup.cfg", "[options]\npython_requires = >=3.6,<3.7\n", (0, 26)),
        ("pyproject.toml", '[project]\nrequires-python = ">=3.8,<3.10"\n', (1, 1)),
        ("pyproject.toml", '[tool.poetry.dependencies]\npython = ">=3.7,<3.9"\n', (1, 1)),
        ("pyproject.toml", '[project]\nrequires-python = ">=3.7"\n', NEWEST),
        ("pyproject.toml", '[project]\nrequires-python = ">=3.8,<4"\n', NEWEST),
        ("pyproject.toml", '[project]\nrequires-python = "<3.8 or so"\n', NEWEST),
        ("pyproject.toml", '[tool.mypy]\npython_version = "3.7"\n', NEWEST),
        # the other bound names a release that this Python has not
        ("setup.py", 'setup(python_requires="<3.8", install_requires=["gymnasium>=1.0"])\n', NEWEST),
        ("setup.py", 'setup(python_requires="<3.8", install_requires=["gymnasium<0.27"])\n', (0, 26)),
    ],
)
def test_a_bound_of_python_bounds_the_releases(tmp_path: Path, name: str, text: str, expected: tuple[int, int]) -> None:
    (tmp_path / name).write_text(text)
    assert target_in(tmp_path) == expected


@pytest.mark.parametrize("other", ["program.py", "pyproject.toml", "src/program.py"])
def test_the_lists_of_a_folder_with_code_are_about_that_code(tmp_path: Path, other: str) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "requirements.txt").write_text("gymnasium<1.0\n")
    assert target_in(tmp_path) == (0, 29)
    (tmp_path / "inside" / other).parent.mkdir(exist_ok=True)
    (tmp_path / "inside" / other).touch()
    assert target_in(tmp_path) == NEWEST


def test_nothing_is_read_outside_of_the_project(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "requirements.txt").write_text("gymnasium==0.29.1\n")
    (project / "requirements.txt").symlink_to(tmp_path / "requirements.txt")
    (project / "requirements").symlink_to(tmp_path)
    assert releases_in(project) == Supported()
    assert releases_in(project, path="../other/program.py") == Supported()


@pytest.mark.parametrize("name", ["setup.py", "setup.cfg", "pyproject.toml", "uv.lock", "Pipfile.lock", "Pipfile"])
@pytest.mark.parametrize("data", [b"", b"gymnasium \x00\xff(", b"[" * 2000 + b"gymnasium", b"\xff\xfegymnasium<1.0"])
def test_a_broken_file_says_nothing(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert not release_bounds(str(tmp_path))


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("gymnasium==0.29.1\n" + "#" * 5_000_000)
    assert releases_in(tmp_path) == Supported()


def test_no_requirement_takes_long(tmp_path: Path) -> None:
    rows = ["gymnasium" + " " * 200_000 + "@", "gymnasium" + " " * 450 + "@", "gymnasium" + "[" * 450, "gymnasium<1.0"]
    (tmp_path / "requirements.txt").write_text("\n".join(rows))
    (tmp_path / "uv.lock").write_text('[[package]]\nname = "gymnasium"\nversion = "0.29.1"\n' * 20_000)
    assert releases_in(tmp_path).newest == (0, 29)


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
    supported.cache_clear()
    _of_folder.cache_clear()
    _bounds.cache_clear()
    assert found_in(tmp_path) == []


def found_in(folder: Path) -> list[Finding]:
    return check(projects([str(folder)], Overrides().settings)).findings


def test_an_extra_bounds_the_code_that_imports_what_it_pins(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text(
        "import setuptools\n"
        "extras = {'agents': ['sheeprl==0.5.5'], 'other': ['stable-baselines3==2.0.0']}\n"
        "setuptools.setup(install_requires=['gymnasium>=0.26.3'], extras_require=extras)\n"
    )
    for folder, text in (("agents", "from sheeprl.envs import wrappers\n"), ("core", "import gymnasium\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "program.py").write_text(text)
    found = releases_in(tmp_path, path="agents/program.py")
    assert (found.lowest, found.newest) == ((0, 29), (0, 29))
    assert found.newest_source.endswith("through sheeprl 0.5.5")
    assert target_in(tmp_path) == NEWEST
    supported.cache_clear()
    assert releases_in(tmp_path, path="core/program.py").newest == NEWEST
