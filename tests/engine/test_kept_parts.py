"""What is known of files is kept: one that changed is surveyed, solved and linted again, the others are not."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from command import OLD
from same_answers import full_disk, write

from done_lint.analysis import linker
from done_lint.analysis.context import Analysis
from done_lint.analysis.weak_evidence import ProjectNames
from done_lint.core import witness
from done_lint.core.paths import CACHE
from done_lint.engine import analyze, jobs, kept_parts, lint_project, load
from done_lint.engine.answer_cache import AnswerCache
from done_lint.engine.report import Report
from done_lint.project import required_release, settings
from done_lint.project.discovery import projects
from done_lint.project.settings import Overrides

AGENT = "def play(env):\n    obs, reward, done, info = env.step(0)\n    return done\n"
FILES = {
    "pyproject.toml": "[project]\nname = 'x'\ndependencies = ['gymnasium>=1.0']\n",
    "train.py": OLD,
    "old.py": f"{OLD}print('Pendulum')\n",
    "lib/__init__.py": "",
    "lib/agent.py": AGENT,
    "main.py": "import gymnasium as gym\nfrom lib.agent import play\nplay(gym.make('CartPole-v1'))\n",
}
#: What a file may become.
CHANGES: Mapping[str, list[str | None]] = {
    "pyproject.toml": [FILES["pyproject.toml"], "[tool.done-lint]\nignore = ['GYM101']\n"],
    "train.py": [OLD, f"# a comment\n{OLD}", f"{OLD}x = 1\n", f"# done-lint: skip-file\n{OLD}", "x = (\n", None],
    "lib/agent.py": [AGENT, AGENT.replace("step(0)", "reset()"), AGENT.replace("done", "over"), "def play(:\n"],
    "main.py": [FILES["main.py"], "from lib.agent import play\nplay(None)\n", "import gym\nimport lib.agent\n"],
    # a module of the project where there was a library
    "gym.py": ["def make(name):\n    return None\n", None],
    "gymnasium/__init__.py": ["def make(name):\n    return None\n", None],
    "requirements.txt": ["gym==0.21\n", "gymnasium\n", None],
}


def check(folder: Path, cache: AnswerCache | None = None, name: str = "") -> Report:
    """A run of a new process, which finds no answer about the whole."""
    witness.NOTED.clear()
    for module in (settings, required_release):
        for one in vars(module).values():
            if hasattr(one, "cache_clear"):
                one.cache_clear()
    for answer in (folder / CACHE).glob("*.json"):
        answer.unlink()
    return analyze.check(projects([str(folder / name)], Overrides().settings), cache=cache)


def parts(folder: Path) -> Path:
    (found,) = (folder / CACHE).glob("*.parts")
    return found


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is surveyed and linted: `survey main.py`, `lint main.py`."""
    found: list[str] = []

    def survey_file(job: tuple[str, bytes], *rest: object, **named: object) -> object:
        found.append(f"survey {os.path.basename(job[0])}")
        return jobs.survey_file(job, *rest, **named)  # type: ignore[arg-type]

    def lint_file(job: tuple[object, jobs.Facts, object]) -> object:
        found.append(f"lint {os.path.basename(job[1].path)}")
        return jobs.lint_file(job)  # type: ignore[arg-type]

    monkeypatch.setattr(load, "survey_file", survey_file)
    monkeypatch.setattr(lint_project, "lint_file", lint_file)
    return found


def test_answers_are_the_same_after_any_change(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    chosen = random.Random(1)
    for _ in range(20):
        name = chosen.choice(sorted(CHANGES))
        write(tmp_path, {name: chosen.choice(CHANGES[name])})
        without = check(tmp_path)
        assert check(tmp_path, AnswerCache()) == without
        assert check(tmp_path, AnswerCache()) == without
        asked = "train.py" if (tmp_path / "train.py").exists() else "main.py"
        assert check(tmp_path, AnswerCache(), asked) == check(tmp_path, None, asked)


def test_one_changed_file_is_surveyed_and_linted_alone(tmp_path: Path, done: list[str]) -> None:
    write(tmp_path, FILES)
    first = check(tmp_path, AnswerCache())
    assert {"survey train.py", "lint train.py", "survey agent.py", "lint agent.py"} <= set(done)
    done.clear()
    assert check(tmp_path, AnswerCache()) == first
    assert not done
    write(tmp_path, {"train.py": f"{OLD}x = 1\n"})
    assert check(tmp_path, AnswerCache()).findings == first.findings
    # the second time each as its fixes would leave it
    assert {one.partition(" ")[2] for one in done} == {"train.py"}


def test_a_file_whose_facts_have_changed_is_linted_again(tmp_path: Path, done: list[str]) -> None:
    write(tmp_path, FILES)
    first = check(tmp_path, AnswerCache())
    done.clear()
    write(tmp_path, {"main.py": "import gym\nfrom lib.agent import play\nplay(gym.make('CartPole-v1'))\n"})
    assert check(tmp_path, AnswerCache()) != first
    assert "lint agent.py" in done
    assert "survey agent.py" not in done


HOSTILE = [b"", b"null", b"[]\n", b"{}\n", b"\xff\xfe", b"[" * 100_000, b'[[], [["x", -1]]]\n', b'[[], [["x", 99]]]\n']


@pytest.mark.parametrize("data", HOSTILE)
def test_a_file_of_something_else_has_no_parts(data: bytes, tmp_path: Path) -> None:
    write(tmp_path, FILES)
    first = check(tmp_path, AnswerCache())
    parts(tmp_path).write_bytes(data)
    assert check(tmp_path, AnswerCache()) == first


def test_a_part_that_is_damaged_is_found_out_again(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    first = check(tmp_path, AnswerCache())
    whole = parts(tmp_path).read_bytes()
    for place in range(0, len(whole), max(len(whole) // 16, 1)):
        parts(tmp_path).write_bytes(whole[:place])
        assert check(tmp_path, AnswerCache()) == first
        parts(tmp_path).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert check(tmp_path, AnswerCache()) == first


def test_what_breaks_a_run_is_found_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    first = check(tmp_path, AnswerCache())
    found = kept_parts.KeptParts.survey

    def broken(*asked: object) -> object:
        survey = found(*asked)  # type: ignore[arg-type]
        if survey is not None:
            survey.size = 1
        return survey

    monkeypatch.setattr(kept_parts.KeptParts, "survey", broken)
    assert check(tmp_path, AnswerCache()) == first


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The names of the files that are solved, together and in order."""
    found: list[list[str]] = []

    def solve(at: Analysis, names: ProjectNames | None) -> None:
        found.append(sorted(os.path.basename(path) for path in at.program.surveys))
        linker_solve(at, names)

    linker_solve = linker.solve
    monkeypatch.setattr(linker, "solve", solve)
    return found


def test_a_change_that_no_survey_shows_solves_nothing(tmp_path: Path, solved: list[list[str]]) -> None:
    write(tmp_path, FILES)
    first = check(tmp_path, AnswerCache())
    assert solved
    solved.clear()
    write(tmp_path, {"train.py": f"{OLD}# a comment\n", "lib/agent.py": f"{AGENT}\n\n# another one\n"})
    assert check(tmp_path, AnswerCache()).findings == first.findings
    assert solved == []


def test_only_what_imports_connect_with_a_change_is_solved(tmp_path: Path, solved: list[list[str]]) -> None:
    write(tmp_path, FILES)
    check(tmp_path, AnswerCache())
    solved.clear()
    write(tmp_path, {"lib/agent.py": AGENT.replace("done", "over")})
    assert check(tmp_path, AnswerCache()) == check(tmp_path)
    assert solved[0] == ["__init__.py", "agent.py", "main.py"]


def test_a_new_file_may_be_what_an_import_means(tmp_path: Path, solved: list[list[str]]) -> None:
    write(tmp_path, FILES)
    check(tmp_path, AnswerCache())
    solved.clear()
    write(tmp_path, {"gymnasium.py": "def make(name):\n    return None\n"})
    assert check(tmp_path, AnswerCache()) == check(tmp_path)
    assert any("main.py" in names for names in solved)


def test_a_disk_that_is_full_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    monkeypatch.setattr(os, "replace", full_disk)
    assert check(tmp_path, AnswerCache()) == check(tmp_path)


def test_the_file_does_not_grow_with_each_change(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    check(tmp_path, AnswerCache())
    size = parts(tmp_path).stat().st_size
    for number in range(12):
        write(tmp_path, {"train.py": f"{OLD}x = {number}\n"})
        check(tmp_path, AnswerCache())
    assert parts(tmp_path).stat().st_size < 3 * size


def test_what_is_too_large_to_be_read_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    monkeypatch.setattr(kept_parts, "_LARGEST_PART", 1)
    assert check(tmp_path, AnswerCache()) == check(tmp_path)
    assert not list((tmp_path / CACHE).glob("*.parts"))


def test_no_cache_means_what_it_says(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    check(tmp_path, AnswerCache(off=True))
    assert not (tmp_path / CACHE).exists()
