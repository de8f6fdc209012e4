"""Whole runs that are kept: the same is printed as without, whatever has changed and whatever is in the folder."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command import CLEAN, OLD, ROOT
from same_answers import write

from done_lint import cli
from done_lint.core import witness
from done_lint.core.paths import CACHE
from done_lint.engine import known_runs
from done_lint.project import required_release, script_metadata, settings

Answer = tuple[object, str, str, bool]
Run = Callable[..., Answer]

FILES = {
    "pyproject.toml": "[project]\nname = 'x'\ndependencies = ['gymnasium>=1.0']\n",
    "train.py": OLD,
    "lib/__init__.py": "",
    "lib/agent.py": "def play(env):\n    obs, reward, done, info = env.step(0)\n",
}
#: What a file may become; None: it is gone.
CHANGES = {
    "pyproject.toml": [FILES["pyproject.toml"], "", "[tool.done-lint]\nignore = ['GYM101']\n"],
    "done-lint.toml": ["ignore = ['GYM4']\n", None],
    "train.py": [OLD, CLEAN, f"# a comment\n{OLD}", None],
    ".gitignore": ["train.py\n", "lib/\n", "", None],
    ".git/info/exclude": ["lib/agent.py\n", None],
    "lib/.gitignore": ["*.py\n", None],
    "lib/pyproject.toml": ["", None],
    "requirements.txt": ["gym==0.21\n", "gymnasium\n", None],
    "extra/new.py": [OLD, None],
}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Runs the command as a new process would; gives its exit status, what it prints, and whether that was known."""

    def run(folder: Path, *arguments: str) -> Answer:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["done-lint", "check", *arguments])
        for known in (witness.NOTED, witness.SOUGHT, witness.KINDS, known_runs._runs):
            known.clear()
        for module in (settings, required_release, script_metadata):
            for one in vars(module).values():
                if hasattr(one, "cache_clear"):
                    one.cache_clear()
        status = known_runs.repeated(sys.argv[1:])
        known = status is not None
        if status is None:
            with pytest.raises(SystemExit) as end:
                cli.main()
            status = end.value.code
        printed = capsys.readouterr()
        return status, printed.out, printed.err, known

    yield run
    for known in (witness.SOUGHT, witness.KINDS, known_runs._runs):
        known.clear()
    witness._searches[0] = False


def runs(folder: Path) -> list[Path]:
    return sorted((folder / CACHE).glob("*.run"))


def test_a_run_is_repeated_word_for_word(tmp_path: Path, run: Run) -> None:
    write(tmp_path, FILES)
    *first, known = run(tmp_path)
    assert first[0] == 1
    assert "GYM101" in first[1]
    assert "finding" in first[2]
    assert not known
    assert run(tmp_path) == (*first, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("lib",),
        ("--output-format", "json"),
        ("-v",),
        ("--exit-zero", "-q", "train.py"),
        ("--statistics",),
        ("--force-exclude", "train.py"),
        ("--cache-dir", "kept"),
        ("--cache-dir=kept",),
    ],
)
def test_each_command_has_an_answer_of_its_own(arguments: tuple[str, ...], tmp_path: Path, run: Run) -> None:
    write(tmp_path, FILES)
    run(tmp_path)
    first = run(tmp_path, *arguments)
    assert not first[3]
    assert run(tmp_path, *arguments)[:3] == first[:3] == run(tmp_path, "--no-cache", *arguments)[:3]


def test_what_is_printed_is_the_same_after_any_change(tmp_path: Path, run: Run) -> None:
    write(tmp_path, {**FILES, ".git/HEAD": ""})
    chosen = random.Random(1)
    for _ in range(14):
        name = chosen.choice(sorted(CHANGES))
        write(tmp_path, {name: chosen.choice(CHANGES[name])})
        without = run(tmp_path, "--no-cache")
        assert run(tmp_path)[:3] == without[:3]
        assert run(tmp_path) == (*without[:3], True)


def test_a_change_of_the_same_size_and_time_is_seen_where_the_file_is_new(tmp_path: Path, run: Run) -> None:
    write(tmp_path, FILES)
    before = (tmp_path / "train.py").stat()
    first = run(tmp_path)
    (tmp_path / "train.py").write_text(OLD.replace("0", "1").replace("import gym\n", "import abc\n"))
    os.utime(tmp_path / "train.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert run(tmp_path)[1] != first[1]


def test_what_stands_around_the_project_is_asked_for(tmp_path: Path, run: Run) -> None:
    write(tmp_path / "inner", {name: text for name, text in FILES.items() if name != "pyproject.toml"})
    write(tmp_path / "inner", {".git/HEAD": ""})
    first = run(tmp_path / "inner")
    assert run(tmp_path / "inner") == (*first[:3], True)
    write(tmp_path, {"done-lint.toml": "ignore = ['GYM']\n"})
    assert run(tmp_path / "inner")[1] == ""


@pytest.mark.parametrize("arguments", [("--no-cache",), ("--output-file", "out.txt"), ("nowhere.py", "train.py")])
def test_some_runs_are_not_kept(arguments: tuple[str, ...], tmp_path: Path, run: Run) -> None:
    write(tmp_path, FILES)
    run(tmp_path, *arguments)
    assert not runs(tmp_path)


def test_the_environment_counts(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "project", FILES)
    run(tmp_path / "project")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert not run(tmp_path / "project")[3]
    monkeypatch.setenv("DONE_LINT_CACHE_DIR", str(tmp_path / "kept"))
    assert not run(tmp_path / "project")[3]
    assert run(tmp_path / "project")[3]


def test_nothing_is_imported_that_finds_files(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    command = [sys.executable, "-X", "importtime", "-m", "done_lint", "check"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    first, second = (
        subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        for _ in range(2)
    )
    assert (first.returncode, first.stdout) == (second.returncode, second.stdout)
    assert not [row for row in second.stderr.splitlines() if row.endswith((" click", " done_lint.project.discovery"))]
    assert [row for row in first.stderr.splitlines() if row.endswith((" click", " done_lint.project.discovery"))]


HOSTILE = [
    b"",
    b"null",
    b"[]",
    b"[0,{},{},[],2]",
    b'[0,{},{},[[1,"\\u001b[2J"]],0]',
    b'[0,{},{},[[3,"x"]],0]',
    b"[0,{},{},[[1,7]],0]",
    b'["x",{},{},[],0]',
    b'[0,{"x":1},{},[],0]',
    b'[0,{"/":["x",0,""]},{},[],0]',
    b'[0,{},{"x":1},[],0]',
    b"\xff\xfe",
    b"[" * 100_000,
]


@pytest.mark.parametrize("data", HOSTILE)
def test_a_file_of_something_else_is_no_run(data: bytes, tmp_path: Path, run: Run) -> None:
    write(tmp_path, FILES)
    first = run(tmp_path)
    (path,) = runs(tmp_path)
    path.write_bytes(data)
    assert run(tmp_path) == first


def test_a_part_of_a_run_is_none(tmp_path: Path, run: Run) -> None:
    write(tmp_path, FILES)
    first = run(tmp_path)
    (path,) = runs(tmp_path)
    whole = path.read_bytes()
    for end in (1, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:end])
        assert run(tmp_path) == first


def test_a_link_is_not_followed(tmp_path: Path, run: Run) -> None:
    write(tmp_path, FILES)
    run(tmp_path)
    (tmp_path / CACHE).rename(tmp_path.parent / f"{tmp_path.name}-moved")
    (tmp_path / CACHE).symlink_to(tmp_path.parent / f"{tmp_path.name}-moved")
    assert not run(tmp_path)[3]


def test_searches_are_noted_only_where_a_run_is_kept(tmp_path: Path) -> None:
    witness.kind(str(tmp_path))
    witness.listed(str(tmp_path))
    assert not witness.KINDS
    assert not witness.SOUGHT


def test_what_is_kept_is_plain_data(tmp_path: Path, run: Run) -> None:
    write(tmp_path, FILES)
    run(tmp_path)
    (path,) = runs(tmp_path)
    at, read, kinds, said, status = json.loads(path.read_bytes())
    assert at > 0
    assert str(tmp_path / "train.py") in read
    assert kinds[str(tmp_path / "pyproject.toml")] == "file"
    assert [stream for stream, _ in said] == [1, 2]
    assert status == 1
