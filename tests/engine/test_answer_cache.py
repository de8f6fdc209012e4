"""Answers that are kept: the same as without, whatever has changed and whatever is in the folder."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from command import CLEAN, OLD, ROOT
from same_answers import full_disk, write

from done_lint.core import witness
from done_lint.core.paths import CACHE
from done_lint.engine import analyze, answer_cache, cache_folder, one_project
from done_lint.engine.answer_cache import AnswerCache
from done_lint.engine.report import Report
from done_lint.project import required_release, settings
from done_lint.project.discovery import projects
from done_lint.project.settings import Overrides

FILES = {
    "pyproject.toml": "[project]\nname = 'x'\ndependencies = ['gymnasium>=1.0']\n",
    "train.py": OLD,
    "modern.py": CLEAN,
    "lib/__init__.py": "",
    "lib/agent.py": "def play(env):\n    obs, reward, done, info = env.step(0)\n",
}
#: What a file may become.
CHANGES = {
    "pyproject.toml": [FILES["pyproject.toml"], "", "[tool.done-lint]\nignore = ['GYM101']\n"],
    "train.py": [
        OLD,
        CLEAN,
        f"# a comment\n{OLD}",
        "import gymnasium as gym\nfrom lib.agent import play\nplay(gym.make('CartPole-v1'))\n",
        None,
    ],
    "lib/agent.py": [FILES["lib/agent.py"], "def play(env):\n    return env.reset()[2]\n", "def play(:\n"],
    "requirements.txt": ["gym==0.21\n", "gymnasium\n", None],
    "extra/new.py": [OLD, None],
}


def check(folder: Path, cache: AnswerCache | None = None) -> Report:
    """A run of a new process."""
    witness.NOTED.clear()
    for module in (settings, required_release):
        for one in vars(module).values():
            if hasattr(one, "cache_clear"):
                one.cache_clear()
    return analyze.check(projects([str(folder)], Overrides().settings), cache=cache)


def answers(folder: Path) -> list[Path]:
    return sorted((folder / CACHE).glob("*.json"))


def test_answers_are_the_same_after_any_change(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    chosen = random.Random(0)
    for _ in range(25):
        name = chosen.choice(sorted(CHANGES))
        write(tmp_path, {name: chosen.choice(CHANGES[name])})
        without = check(tmp_path)
        assert check(tmp_path, AnswerCache()) == without
        assert check(tmp_path, AnswerCache()) == without


def test_what_was_found_before_is_not_looked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    first = check(tmp_path, AnswerCache())
    assert first.findings
    monkeypatch.setattr(one_project, "lint_project", None)
    assert check(tmp_path, AnswerCache()) == first


def test_nothing_is_imported_that_an_answer_does_not_need(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    program = (
        "import sys\nfrom done_lint import cli\ntry:\n    cli.main(['check', '-q', sys.argv[1]])\n"
        "except SystemExit:\n    pass\nsys.exit(not {'libcst', 'done_lint.flowgraph.build'}.isdisjoint(sys.modules))"
    )
    runs = [
        subprocess.run([sys.executable, "-c", program, tmp_path], cwd=ROOT, capture_output=True, check=False)
        for _ in range(2)
    ]
    assert [run.returncode for run in runs] == [1, 0]
    assert runs[0].stdout == runs[1].stdout


def test_the_folder_says_what_it_is(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    check(tmp_path, AnswerCache())
    assert (tmp_path / CACHE / ".gitignore").read_text() == "*\n"
    assert (tmp_path / CACHE / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert cache_folder.clean(str(tmp_path / CACHE))
    assert not (tmp_path / CACHE).exists()


def test_a_folder_of_somebody_else_is_not_removed(tmp_path: Path) -> None:
    write(tmp_path, {f"{CACHE}/notes.txt": "mine"})
    assert not cache_folder.clean(str(tmp_path / CACHE))
    assert (tmp_path / CACHE / "notes.txt").exists()


def test_no_cache_means_what_it_says(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    check(tmp_path, AnswerCache(off=True))
    assert not (tmp_path / CACHE).exists()


def test_answers_can_be_kept_elsewhere(tmp_path: Path) -> None:
    write(tmp_path / "project", FILES)
    first = check(tmp_path / "project", AnswerCache(folder=str(tmp_path / "kept")))
    assert not (tmp_path / "project" / CACHE).exists()
    assert list((tmp_path / "kept").glob("*.json"))
    assert check(tmp_path / "project", AnswerCache(folder=str(tmp_path / "kept"))) == first


HOSTILE = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b"\xff\xfe",
    b"[" * 200_000,
    b'[0,"",[],[],[],"x",[]]',
    b'[0,"",[["../x",[0,0,""]]],[["GYM101",1,2,3]],[],1,[]]',
    b"1e999",
]


@pytest.mark.parametrize("data", HOSTILE)
def test_a_file_of_something_else_is_no_answer(data: bytes, tmp_path: Path) -> None:
    write(tmp_path, FILES)
    first = check(tmp_path, AnswerCache())
    (path,) = answers(tmp_path)
    path.write_bytes(data)
    assert check(tmp_path, AnswerCache()) == first


def test_a_part_of_an_answer_is_none(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    first = check(tmp_path, AnswerCache())
    (path,) = answers(tmp_path)
    whole = path.read_bytes()
    for end in range(0, len(whole), max(len(whole) // 12, 1)):
        path.write_bytes(whole[:end])
        assert check(tmp_path, AnswerCache()) == first


def test_every_value_is_of_its_type(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    first = check(tmp_path, AnswerCache())
    (path,) = answers(tmp_path)
    answer = json.loads(path.read_text())
    for place in range(len(answer)):
        for wrong in (None, 1, "x", [1], [["x"]], {}):
            path.write_text(json.dumps([*answer[:place], wrong, *answer[place + 1 :]]))
            if place != 5 or wrong != 1:  # how many files there are is a number
                assert check(tmp_path, AnswerCache()) == first


def test_a_disk_that_is_full_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    monkeypatch.setattr(os, "replace", full_disk)
    assert check(tmp_path, AnswerCache()) == check(tmp_path)
    assert not list((tmp_path / CACHE).iterdir())


@pytest.mark.parametrize("kind", ["file", "link"])
def test_what_is_no_folder_is_left_alone(kind: str, tmp_path: Path) -> None:
    write(tmp_path / "project", FILES)
    if kind == "file":
        (tmp_path / "project" / CACHE).write_text("x")
    else:
        (tmp_path / "other").mkdir()
        (tmp_path / "project" / CACHE).symlink_to(tmp_path / "other")
    assert check(tmp_path / "project", AnswerCache()) == check(tmp_path / "project")
    assert kind == "file" or not list((tmp_path / "other").iterdir())


def test_two_processes_at_once_give_the_same(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    command = [sys.executable, "-m", "done_lint", "check", "-q", str(tmp_path)]
    runs = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) for _ in range(3)]
    assert len({run.communicate()[0] for run in runs}) == 1
    assert {run.returncode for run in runs} == {1}


def test_only_the_newest_answers_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_cache, "_MOST", 2)
    write(tmp_path, FILES)
    for name in ("train.py", "modern.py", "lib"):
        analyze.check(projects([str(tmp_path / name)], Overrides().settings), cache=AnswerCache())
    assert len(answers(tmp_path)) == 2


def test_no_file_is_digested_where_no_answer_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, FILES)
    with_cache = check(tmp_path, AnswerCache())
    digested: list[bytes] = []
    whole = witness.digest
    monkeypatch.setattr(witness, "digest", lambda data: digested.append(data) or whole(data))
    assert check(tmp_path, AnswerCache(off=True)) == with_cache
    texts = {text.encode() for text in FILES.values() if text}
    assert texts.isdisjoint(digested)
