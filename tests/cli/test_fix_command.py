"""`fix`: which files it changes, how it writes them, and what it leaves."""

from __future__ import annotations

import os
import stat
import subprocess
from pathlib import Path

import pytest
from command import FIXED, OLD, done_lint, python


def test_fix_changes_and_counts_what_the_result_shows(folder: Path) -> None:
    result = done_lint(folder, "fix")
    assert (folder / "old.py").read_text() == FIXED
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == "Fixed 2 findings in 1 file; 0 left.\n"


def test_fix_twice_is_fix_once_and_check_finds_nothing_that_fix_claimed(folder: Path) -> None:
    done_lint(folder, "fix")
    assert done_lint(folder, "check").returncode == 0
    result = done_lint(folder, "fix")
    assert (folder / "old.py").read_text() == FIXED
    assert result.stderr == "Nothing to fix.\n"


def test_fix_writes_nothing_on_a_clean_tree(folder: Path) -> None:
    done_lint(folder, "fix")
    for path in folder.iterdir():
        os.utime(path, ns=(1, 1))
    assert done_lint(folder, "fix").returncode == 0
    assert {path.stat().st_mtime_ns for path in folder.iterdir()} == {1}
    assert sorted(path.name for path in folder.iterdir()) == ["clean.py", "old.py"]


def test_what_fix_leaves_is_printed_and_exit_1(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "import gym\n\nenv = gym.make('CartPole-v1')\nstep = lambda a: env.step(a)\no, r, d, i = [env.step(0)][0]\n"
        "f = lambda: [d for o, r, d, i in [env.step(0)]]\n"
    )
    (tmp_path / "b.py").write_text(OLD)
    result = done_lint(tmp_path, "fix", "--output-format", "concise")
    left = result.stdout.splitlines()
    assert left
    assert result.returncode == 1
    again = done_lint(tmp_path, "check", "--output-format", "concise")
    assert again.stdout == result.stdout
    assert f"; {len(left)} left." in result.stderr


def test_the_summary_names_ids_that_programs_stop_at(tmp_path: Path) -> None:
    lander, cheetah = "gym.make('LunarLander-v2')", "gym.make('HalfCheetah-v2')"
    (tmp_path / "a.py").write_text(f"import gymnasium as gym\n\nfirst = {lander}\nsecond = {cheetah}\n")
    result = done_lint(tmp_path, "fix")
    assert result.stderr == (
        "Nothing to fix; 2 findings left.\n"
        "Programs stop at `make` until 2 outdated environment ids are changed: 1 with --unsafe-fixes, 1 by hand.\n"
    )
    result = done_lint(tmp_path, "fix", "--unsafe-fixes")
    assert result.stderr.endswith("until 1 outdated environment id is changed: 1 by hand.\n")


def test_the_summary_names_the_places_that_hold_fixes_back(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text(
        "import gym\n\nenv = gym.make('CartPole-v1')\nobs = env.reset()\nobs, reward, done, info = env.step(0)\n"
        "print(env.seed(1))\n"
    )
    result = done_lint(tmp_path, "fix")
    assert result.stderr == (
        "Nothing to fix; 4 findings left.\n"
        "3 findings wait for something else to be changed first:\n"
        "    3  blocked by run.py:6, which calls `seed` and has no fix\n"
    )
    (tmp_path / "run.py").write_text("import gym\n\nenv = gym.make('CartPole-v1')\nprint(env.seed(1))\n")
    result = done_lint(tmp_path, "fix")
    assert "\n1 finding waits for something else to be changed first:\n" in result.stderr
    assert "waits" not in done_lint(tmp_path, "check").stderr


@pytest.mark.parametrize(
    ("head", "encoding", "newline", "end"),
    [
        (b"", "utf-8", "\r\n", "\r\n"),
        (b"", "utf-8", "\r", "\r"),
        (b"\xef\xbb\xbf", "utf-8", "\n", "\n"),
        (b"\xef\xbb\xbf", "utf-8", "\r\n", ""),
        (b"# coding: latin-1\n", "latin-1", "\n", ""),
        (b"# -*- coding: cp1252 -*-\r\n", "cp1252", "\r\n", "\r\n"),
    ],
)
def test_fix_keeps_bom_cookie_newlines_and_the_end_of_the_file(
    tmp_path: Path, head: bytes, encoding: str, newline: str, end: str
) -> None:
    path = tmp_path / "old.py"

    def file(text: str) -> bytes:
        rows = [*text.splitlines(), "name = 'é'"]
        return head + (newline.join(rows) + end).encode(encoding)

    path.write_bytes(file(OLD))
    result = done_lint(tmp_path, "fix")
    assert path.read_bytes() == file(FIXED), result.stderr


def test_fix_keeps_mixed_newlines_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"import gym\r\nx = 1\ny = '''a\r\nb\n'''\r\n")
    done_lint(tmp_path, "fix")
    assert path.read_bytes() == b"import gymnasium as gym\r\nx = 1\ny = '''a\r\nb\n'''\r\n"


def test_fix_keeps_the_mode(folder: Path) -> None:
    path = folder / "old.py"
    path.chmod(0o755)
    done_lint(folder, "fix")
    assert path.read_text() == FIXED
    assert stat.S_IMODE(path.stat().st_mode) == 0o755


def test_fix_writes_through_a_link_inside_and_refuses_one_that_leads_out(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside.py"
    (project / "real").mkdir(parents=True)
    (project / "pyproject.toml").touch()
    (project / "real" / "a.py").write_text(OLD)
    outside.write_text(OLD)
    (project / "in.py").symlink_to("real/a.py")
    (project / "out.py").symlink_to(outside)
    assert done_lint(project, "fix", "in.py").returncode == 0
    assert (project / "in.py").is_symlink()
    assert (project / "real" / "a.py").read_text() == FIXED
    result = done_lint(project, "fix", "out.py", "--output-format", "concise")
    assert result.returncode == 1
    assert "symbolic link to a file outside the project" in result.stdout
    assert outside.read_text() == OLD


def test_a_file_that_changed_meanwhile_is_not_overwritten(folder: Path) -> None:
    program = (
        "from done_lint.engine.fix_loop import FixLoop\nfrom done_lint.cli import main\n"
        "run = FixLoop.run\n"
        "def slow(self):\n"
        "    run(self)\n"
        "    open('old.py', 'a').write('# edited meanwhile\\n')\n"
        "FixLoop.run = slow\n"
        "main(['fix', '--output-format', 'concise'])\n"
    )
    result = python(folder, "-c", program)
    assert (folder / "old.py").read_text() == f"{OLD}# edited meanwhile\n"
    assert "changed while done-lint was running; not written" in result.stdout
    assert "Fixed" not in result.stderr
    assert result.returncode == 1


@pytest.mark.parametrize("broken", ["x = (", "return = 1", "\0"])
def test_when_a_fix_breaks_the_file_the_original_stays_and_the_rule_is_named(folder: Path, broken: str) -> None:
    (folder / "other.py").write_text(OLD)
    program = (
        "import dataclasses, sys\nfrom done_lint.engine import lint as linter\nfrom done_lint.cli import main\n"
        "from done_lint.core.findings import Edit, Fix\n"
        "lint = linter.examined\n"
        "def breaking(source, facts, settings, diagnostics=None):\n"
        "    found = lint(source, facts, settings, diagnostics)\n"
        "    if source.path.endswith('other.py'):\n"
        "        return found\n"
        f"    broken = Fix('break', (Edit(0, 0, {broken!r} + chr(10)),))\n"
        "    return found._replace(findings=[dataclasses.replace(f, fix=broken) for f in found.findings])\n"
        "linter.examined = breaking\n"
        "main(['fix', '--output-format', 'concise'])\n"
    )
    result = python(folder, "-c", program)
    assert (folder / "old.py").read_text() == OLD, result.stderr
    assert (folder / "other.py").read_text() == FIXED
    assert (
        "the fixes of GYM101, GYM401 produced a file that cannot be parsed; the file was not changed" in result.stdout
    )
    assert result.stderr == (
        "Fixed 2 findings in 1 file; 2 left.\n"
        "2 findings wait for something else to be changed first:\n"
        "    2  blocked by old.py:1, which needs Gym and stands in a file that cannot be fixed\n"
    )
    assert result.returncode == 2


def test_a_fix_that_never_settles_ends_and_is_undone(folder: Path) -> None:
    program = (
        "import dataclasses\nfrom done_lint.engine import lint as linter\nfrom done_lint.cli import main\n"
        "from done_lint.core.findings import Edit, Fix\n"
        "lint = linter.examined\n"
        "def growing(*arguments):\n"
        "    found = lint(*arguments)\n"
        "    longer = Fix('grow', (Edit(0, 0, '#' + chr(10)),))\n"
        "    return found._replace(findings=[dataclasses.replace(f, fix=longer) for f in found.findings])\n"
        "linter.examined = growing\n"
        "main(['fix', '-q', '--output-format', 'concise'])\n"
    )
    python(folder, "-c", program)
    assert (folder / "old.py").read_text() == OLD


def test_diff_prints_an_applicable_patch_writes_nothing_and_is_exit_1(folder: Path) -> None:
    result = done_lint(folder, "fix", "--diff")
    assert (folder / "old.py").read_text() == OLD
    assert result.returncode == 1
    assert result.stderr == "Would fix 2 findings in 1 file; 0 would be left.\n"
    subprocess.run(["git", "apply", "-p0", "-"], cwd=folder, input=result.stdout, text=True, check=True)
    assert (folder / "old.py").read_text() == FIXED
    assert done_lint(folder, "fix", "--diff").returncode == 0


def test_only_unsafe_fixes_wait_for_their_option(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(OLD)
    program = (
        "import dataclasses, sys\nfrom done_lint.engine import lint as linter\nfrom done_lint.cli import main\n"
        "lint = linter.examined\n"
        "def marked(*arguments):\n"
        "    found = lint(*arguments)\n"
        "    marked = [dataclasses.replace(f.fix, safety=sys.argv[1]) for f in found.findings]\n"
        "    new = [dataclasses.replace(f, fix=fix) for f, fix in zip(found.findings, marked)]\n"
        "    return found._replace(findings=new)\n"
        "linter.examined = marked\n"
        "main(sys.argv[2:])\n"
    )

    def fixed(safety: str, *arguments: str) -> bool:
        (tmp_path / "old.py").write_text(OLD)
        python(tmp_path, "-c", program, safety, "fix", *arguments)
        return (tmp_path / "old.py").read_text() == FIXED

    assert fixed("safe")
    assert not fixed("unsafe")
    assert fixed("unsafe", "--unsafe-fixes")
    assert not fixed("display", "--unsafe-fixes")
