"""flake8 shows what the command shows about the same files, and never an exception."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from command import CLEAN, OLD, ROOT, done_lint, python

from done_lint.engine import one_file
from done_lint.flake8_plugin import Plugin

pytest.importorskip("flake8")


def flake8(folder: Path, *arguments: str) -> list[str]:
    """Lines that flake8 prints about GYM codes."""
    if not any(point.name == "GYM" for point in entry_points(group="flake8.extension")):
        pytest.skip("done-lint is not installed: pip install -e '.[test]'")
    result = python(folder, "-m", "flake8", "--isolated", "--select", "GYM,E9", *arguments)
    assert "Traceback" not in result.stderr, result.stderr
    return result.stdout.splitlines()


def test_flake8_prints_the_lines_of_the_concise_format(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "clean.py").write_text(CLEAN)
    ours = done_lint(tmp_path, "check", "--output-format", "concise").stdout.replace(" [*]", "").splitlines()
    assert sorted(row.removeprefix("./") for row in flake8(tmp_path, ".")) == sorted(ours)
    assert len(ours) == 2


@pytest.mark.parametrize("program", sorted((ROOT / "fixtures" / "projects").rglob("*.py")), ids=lambda path: path.stem)
def test_flake8_and_the_command_agree_on_the_fixture_programs(program: Path, tmp_path: Path) -> None:
    copy = tmp_path / program.name
    copy.write_bytes(program.read_bytes())
    ours = done_lint(tmp_path, "check", "--output-format", "concise", copy.name).stdout.replace(" [*]", "")
    assert sorted(flake8(tmp_path, copy.name)) == sorted(ours.splitlines())


def test_columns_are_characters(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("'é数'; import gym\n", encoding="utf-8")
    (row,) = flake8(tmp_path, "a.py")
    assert row.startswith("a.py:1:7: GYM401 ")


@pytest.mark.parametrize("data", [OLD.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + OLD.encode()])
def test_newlines_and_byte_order_marks_do_not_move_a_finding(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.py").write_bytes(data)
    assert [row.split()[0] for row in sorted(flake8(tmp_path, "a.py"))] == ["a.py:1:1:", "a.py:6:5:"]


def test_an_encoding_cookie_is_left_to_flake8(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"# coding: latin-1\nx = '\xe9'; import gym\n")
    (row,) = flake8(tmp_path, "a.py")
    assert row.startswith("a.py:2:10: GYM401 ")


def test_flake8_silences_by_itself(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import gym  # noqa: GYM401\n")
    assert flake8(tmp_path, "a.py") == []
    assert len(flake8(tmp_path, "--disable-noqa", "a.py")) == 1
    (tmp_path / "a.py").write_text("import gym\n")
    assert flake8(tmp_path, "--extend-ignore", "GYM4", "a.py") == []


def test_a_file_can_be_skipped_in_flake8_too(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(f"# done-lint: skip-file: GYM101\n{OLD}")
    assert [row.split()[1] for row in flake8(tmp_path, "a.py")] == ["GYM401"]
    (tmp_path / "a.py").write_text(f"# done-lint: skip-file\n{OLD}")
    assert flake8(tmp_path, "a.py") == []


def test_a_warning_of_the_command_is_none_of_flake8(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import gym\n# done-lint: skip-fil\n")
    assert [row.split()[1] for row in flake8(tmp_path, "a.py")] == ["GYM401"]


def test_a_syntax_error_is_reported_once_and_by_flake8(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import gym\nx = (\n")
    assert [row.split()[1] for row in flake8(tmp_path, "a.py")] == ["E999"]


def test_a_file_that_cannot_be_analysed_is_reported() -> None:
    text = f"import gym\nx = {'-' * 80_000}1\n"
    (found,) = Plugin(ast.parse(""), "a.py", text.splitlines(keepends=True)).run()
    assert found == (1, 0, "GYM000 is nested too deeply to be analysed", Plugin)


def test_a_file_without_environments_does_not_import_libcst() -> None:
    program = (
        "import ast, sys\nfrom done_lint.flake8_plugin import Plugin\n"
        "text = 'def f(x):\\n    return x\\n'\n"
        "assert not list(Plugin(ast.parse(text), 'a.py', text.splitlines(keepends=True)).run())\n"
        "print('libcst' in sys.modules)\n"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"


@pytest.fixture
def forgetful() -> Iterator[None]:
    """What a test's project was is not remembered, as it is for the life of a process."""
    yield
    one_file._whole.cache_clear()
    one_file._imported.cache_clear()


def in_process(path: Path, text: str | None = None) -> list[str]:
    """The lines of the plugin for one file, run in this process."""
    text = path.read_text() if text is None else text
    found = Plugin(ast.parse(""), str(path), text.splitlines(keepends=True)).run()
    return [f"{row}:{column} {message}" for row, column, message, _ in found]


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def same_as_the_command(folder: Path, *arguments: str) -> list[str]:
    """The lines of flake8 about a folder, which are those of the command."""
    ours = done_lint(folder, "check", "--output-format", "concise").stdout.replace(" [*]", "").splitlines()
    theirs = sorted(row.removeprefix("./") for row in flake8(folder, *arguments, "."))
    assert theirs == sorted(row for row in ours if ".py:" in row)
    return theirs


STEP = "def play(env):\n    env.reset()\n    obs, reward, done, info = env.step(0)\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_package_that_imports_itself(tmp_path: Path, jobs: str) -> None:
    write(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/other.py": "thing = 1\n",
            "pkg/train.py": f"from pkg.other import thing\nfrom pkg import other\n{OLD}",
        },
    )
    assert len(same_as_the_command(tmp_path, "--jobs", jobs)) == 2


def test_what_other_files_define_decides_in_flake8_too(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pyproject.toml": "",
            "base.py": "class Protocol:\n    def step(self, a):\n        return 1, 2, 3, 4\n",
            "own.py": "from base import Protocol\n\n\nclass Env(Protocol):\n    pass\n",
            "play.py": STEP,
            "right.py": "from own import Env\nfrom play import play\n\nenv = Env()\nplay(env)\n",
        },
    )
    assert same_as_the_command(tmp_path) == []
    (tmp_path / "wrong.py").write_text(
        "import gymnasium as gym\nfrom play import play\n\nplay(gym.make('CartPole-v1'))\n"
    )
    (tmp_path / "right.py").unlink()
    assert [row.split()[0] for row in same_as_the_command(tmp_path)] == ["play.py:3:5:"]


def test_the_configuration_of_the_project_counts(tmp_path: Path) -> None:
    vector = "import gymnasium as gym\n\nenvs = gym.vector.make('CartPole-v1', num_envs=2)\n"
    write(tmp_path, {"pyproject.toml": "", "old.py": OLD, "vector.py": vector, "skipped/old.py": OLD})
    assert {row.split()[1] for row in same_as_the_command(tmp_path)} == {"GYM101", "GYM401", "GYM407"}
    (tmp_path / "pyproject.toml").write_text(
        "[tool.done-lint]\ntarget-version = '0.29'\nexclude = ['skipped']\n"
        "[tool.done-lint.per-file-ignores]\n'old.py' = ['GYM401']\n"
    )
    assert [row.split()[:2] for row in same_as_the_command(tmp_path)] == [["old.py:6:5:", "GYM101"]]
    (tmp_path / "pyproject.toml").write_text("[tool.done-lint]\nselect = ['GYM9']\n")
    rows = flake8(tmp_path, "old.py")
    assert rows == ["old.py:1:1: GYM000 done-lint failed: ConfigError: " + rows[0].partition("ConfigError: ")[2]]


def test_text_that_is_not_on_disk_is_judged_with_its_project(tmp_path: Path, forgetful: None) -> None:
    write(
        tmp_path,
        {
            "pyproject.toml": "",
            "play.py": "",
            "train.py": "import gymnasium as gym\nfrom play import play\n\nplay(gym.make('CartPole-v1'))\n",
        },
    )
    assert in_process(tmp_path / "play.py") == []
    assert [row.split()[:2] for row in in_process(tmp_path / "play.py", STEP)] == [["3:4", "GYM101"]]
    assert [row.split()[:2] for row in in_process(tmp_path / "new.py", OLD)] == [["1:0", "GYM401"], ["6:4", "GYM101"]]


def test_in_a_project_too_large_to_read_nothing_is_reported_that_another_file_could_contradict(
    tmp_path: Path, forgetful: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one_file, "_MOST", 0)
    write(
        tmp_path,
        {
            "pyproject.toml": "",
            "old.py": OLD,
            "train.py": "from agent import Agent\nimport gymnasium as gym\n\nAgent(gym.make('CartPole-v1')).act()\n",
            "agent.py": (
                "import gym\n\n\nclass Agent:\n    def __init__(self, env: gym.Env):\n        self.env = env\n\n"
                "    def act(self):\n        obs, reward, done, info = self.env.step(0)\n"
            ),
            "named.py": STEP,
        },
    )
    assert [row.split()[1] for row in in_process(tmp_path / "old.py")] == ["GYM401", "GYM101"]
    assert [row.split()[1] for row in in_process(tmp_path / "agent.py")] == ["GYM401"]
    assert in_process(tmp_path / "named.py") == []


def test_what_goes_wrong_inside_is_one_line_and_no_exception(
    tmp_path: Path, forgetful: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(root: str) -> None:
        raise RecursionError("too\ndeep")

    monkeypatch.setattr(one_file, "project_root", failing)
    assert in_process(tmp_path / "a.py", OLD) == ["1:0 GYM000 done-lint failed: RecursionError: too deep"]
