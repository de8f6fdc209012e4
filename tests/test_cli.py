"""The command as a user meets it: output, exit status, options, and files on disk."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from command import CLEAN, OLD, ROOT, done_lint

FIXED = """\
import gymnasium as gym

env = gym.make("CartPole-v1")
done = False
while not done:
    obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    done = terminated or truncated
"""

#: The stored-done bug over two files: the flag is stored here and cuts the target there.
TRAIN = """\
import gymnasium as gym

from learner import Learner

env = gym.make("CartPole-v1")
learner = Learner()
obs, info = env.reset()
done = False
while not done:
    next_obs, reward, terminated, truncated, info = env.step(env.action_space.sample())
    done = terminated or truncated
    learner.memory.append((obs, reward, next_obs, done))
    learner.learn()
    obs = next_obs
"""
LEARNER = """\
class Learner:
    gamma = 0.99

    def __init__(self):
        self.memory = []

    def learn(self):
        obs, reward, next_obs, done = self.memory[-1]
        target = reward + self.gamma * self.value(next_obs) * (1 - done)
        self.update(obs, target)

    def value(self, obs):
        return 0.0

    def update(self, obs, target):
        pass
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one old program and one that is right."""
    (tmp_path / "old.py").write_text(OLD)
    (tmp_path / "clean.py").write_text(CLEAN)
    return tmp_path


# --- check ------------------------------------------------------------------------------------------------


def test_findings_are_exit_1_and_a_clean_file_is_exit_0(folder: Path) -> None:
    assert done_lint(folder, "check", "old.py").returncode == 1
    result = done_lint(folder, "check", "clean.py")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "No findings in 1 file.\n")


def test_the_current_folder_is_checked_when_no_path_is_given(folder: Path) -> None:
    assert done_lint(folder, "check").stdout == done_lint(folder, "check", ".").stdout != ""


def test_the_concise_format_is_one_line_a_finding(folder: Path) -> None:
    result = done_lint(folder, "check", "--output-format", "concise")
    first, second = result.stdout.splitlines()
    assert first.startswith("old.py:1:1: GYM401 [*] ")
    assert second.startswith("old.py:6:5: GYM101 [*] ")
    assert result.stderr == "Found 2 findings in 1 file (2 fixable with done-lint fix).\n"


def test_the_full_format_marks_the_expression_and_says_what_to_do(folder: Path) -> None:
    rows = done_lint(folder, "check", "--select", "GYM101").stdout.splitlines()
    assert rows[0].startswith("GYM101 [*] `env.step(")
    assert rows[1] == "  --> old.py:6:5"
    assert rows[2] == "6 |     obs, reward, done, info = env.step(env.action_space.sample())"
    assert rows[3] == "  |     " + "^" * 61
    assert rows[4].startswith("help: ")


def test_the_full_format_follows_the_flag_from_step_to_store_to_target(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "learner.py").write_text(LEARNER)
    text = done_lint(tmp_path, "check", "--select", "GYM2").stdout
    places = ["1. `terminated` is born here (train.py:10:", "(train.py:12:", "is read back here (learner.py:8:"]
    places.append("(learner.py:9:")
    found = [text.find(place) for place in places]
    assert -1 not in found, text
    assert found == sorted(found)
    assert "target = reward + self.gamma * self.value(next_obs) * (1 - done)" in text


def test_tabs_wide_and_control_characters_do_not_move_the_marks_or_the_cursor(tmp_path: Path) -> None:
    old = "import gymnasium as gym\nenv = gym.make('CartPole-v1')\nif env:\n\t'数\x1b'; a, b, c, d = env.step(0)\n"
    (tmp_path / "a.py").write_text(old)
    text = done_lint(tmp_path, "check", "--select", "GYM101").stdout
    assert "\x1b" not in text
    frame, marks = (row for row in text.splitlines() if " | " in row)
    # The wide character counts twice.
    assert marks.index("^") == frame.index("a, b, c, d") + 1


def test_json_has_the_fields_of_ruff_and_its_own(folder: Path) -> None:
    result = done_lint(folder, "check", "--output-format", "json", "--select", "GYM101")
    (finding,) = json.loads(result.stdout)
    assert set(finding) == {
        *("code", "name", "message", "filename", "cell", "location", "end_location", "fix", "unfixed", "related"),
        *("certainty", "noqa_row", "url"),
    }
    assert (finding["code"], finding["name"], finding["cell"]) == ("GYM101", "four-value-step", None)
    assert finding["filename"] == "old.py"
    assert finding["location"] == {"row": 6, "column": 5}
    assert finding["end_location"] == {"row": 6, "column": 66}
    assert finding["certainty"] == "proven"
    assert finding["noqa_row"] == 6
    assert set(finding["fix"]) == {"applicability", "message", "edits"}
    assert finding["fix"]["applicability"] == "safe"
    for edit in finding["fix"]["edits"]:
        assert set(edit) == {"content", "cell", "location", "end_location"}


def test_the_edits_in_json_are_what_fix_does(folder: Path) -> None:
    """An editor that applies them gets the same file."""
    findings = json.loads(done_lint(folder, "check", "old.py", "--output-format", "json").stdout)
    rows = OLD.splitlines(keepends=True)
    edits = {json.dumps(edit): edit for finding in findings for edit in finding["fix"]["edits"]}.values()

    def offset(place: dict[str, int]) -> int:
        return sum(map(len, rows[: place["row"] - 1])) + place["column"] - 1

    text = OLD
    for edit in sorted(edits, key=lambda edit: offset(edit["location"]), reverse=True):
        text = text[: offset(edit["location"])] + edit["content"] + text[offset(edit["end_location"]) :]
    assert text == FIXED


@pytest.mark.parametrize("name", ["clean.py", "empty"])
def test_json_is_an_array_even_when_there_is_nothing_to_say(folder: Path, name: str) -> None:
    (folder / "empty").mkdir()
    assert json.loads(done_lint(folder, "check", name, "--output-format", "json").stdout) == []


def test_columns_are_characters_not_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("'é数'; import gym\n", encoding="utf-8")
    (finding,) = json.loads(done_lint(tmp_path, "check", "--output-format", "json").stdout)
    assert finding["location"]["column"] == 7


def test_the_same_is_said_of_a_file_whatever_was_asked(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    (tmp_path / "train.py").write_text(TRAIN.replace("from learner", "from pkg.learner"))
    (tmp_path / "pkg" / "learner.py").write_text(LEARNER)

    def said(*paths: str) -> list[str]:
        # what a fix reaches is another matter: only files that were asked for are changed
        text = done_lint(tmp_path, "check", "--output-format", "concise", *paths).stdout
        return text.replace(" [*]", "").splitlines()

    both = said()
    assert said("train.py") == [row for row in both if row.startswith("train.py")] != []
    assert said("pkg/learner.py") == [row for row in both if row.startswith("pkg/learner.py")] != []
    assert said("pkg") == said("pkg/learner.py")


def test_select_ignore_and_extend_select_take_prefixes(folder: Path) -> None:
    def codes(*arguments: str) -> list[str]:
        rows = done_lint(folder, "check", "--output-format", "concise", *arguments).stdout.splitlines()
        return [row.split()[1] for row in rows]

    assert codes("--select", "GYM1") == ["GYM101"]
    assert codes("--select", "GYM2,GYM4") == ["GYM401"]
    assert codes("--select", "GYM2", "--extend-select", "GYM10") == ["GYM101"]
    assert codes("--ignore", "GYM101") == ["GYM401"]
    assert codes("--select", "ALL") == ["GYM401", "GYM101"]
    assert codes("--select", "four-value-step") == codes("--select", "gym101") == ["GYM101"]
    assert codes("--ignore", "gym401") == ["GYM101"]
    assert codes("--per-file-ignores", "o*.py:GYM4,clean.py:GYM1") == ["GYM101"]


def test_the_configuration_is_found_and_isolated_ignores_it(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.done-lint]\nignore = ["GYM4"]\n')
    assert "GYM401" not in done_lint(folder, "check").stdout
    assert "GYM401" in done_lint(folder, "check", "--isolated").stdout
    (folder / "other.toml").write_text('ignore = ["GYM1"]\n')
    other = done_lint(folder, "check", "--config", "other.toml").stdout
    assert "GYM401" in other
    assert "GYM101" not in other


def test_excluded_files_are_not_checked_unless_given_and_not_even_then_with_force_exclude(folder: Path) -> None:
    assert done_lint(folder, "check", "--exclude", "old.py").returncode == 0
    assert done_lint(folder, "check", "--exclude", "old.py", "old.py").returncode == 1
    assert done_lint(folder, "check", "--exclude", "old.py", "--force-exclude", "old.py").returncode == 0


def test_statistics_count_by_rule(folder: Path) -> None:
    (folder / "other.py").write_text("import gym\n")
    result = done_lint(folder, "check", "--statistics")
    assert result.stdout == "2  GYM401  [*]  gym-import\n1  GYM101  [*]  four-value-step\n"
    assert result.returncode == 1
    counted = json.loads(done_lint(folder, "check", "--statistics", "--output-format", "json").stdout)
    assert counted[0] == {"code": "GYM401", "name": "gym-import", "count": 2, "fixable": 2}


def test_exit_zero_hides_findings_from_the_exit_status_but_no_wrong_call(folder: Path) -> None:
    result = done_lint(folder, "check", "--exit-zero")
    assert result.returncode == 0
    assert "GYM101" in result.stdout
    assert done_lint(folder, "check", "--exit-zero", "missing.py").returncode == 2


def test_quiet_prints_findings_only_and_verbose_says_which_settings_are_used(folder: Path) -> None:
    quiet = done_lint(folder, "check", "-q")
    assert "GYM101" in quiet.stdout
    assert quiet.stderr == ""
    (folder / "done-lint.toml").touch()
    assert "2 files, settings from done-lint.toml" in done_lint(folder, "check", "-v").stderr


def test_the_output_file_gets_what_stdout_would(folder: Path) -> None:
    expected = done_lint(folder, "check", "--output-format", "json").stdout
    result = done_lint(folder, "check", "--output-format", "json", "--output-file", "report.json")
    assert result.stdout == ""
    assert (folder / "report.json").read_text() == expected


def test_color_is_for_terminals_or_on_request(folder: Path) -> None:
    assert "\x1b[" not in done_lint(folder, "check").stdout
    assert "\x1b[" in done_lint(folder, "check", "--color", "always").stdout
    assert "\x1b[" not in done_lint(folder, "check", "--color", "always", "--output-format", "json").stdout


@pytest.mark.parametrize(
    ("arguments", "env", "colored"),
    [([], {}, True), ([], {"NO_COLOR": "1"}, False), (["--color", "never"], {}, False), ([], {"TERM": "dumb"}, False)],
)
def test_on_a_terminal_there_is_color_unless_someone_minds(
    folder: Path, arguments: list[str], env: dict[str, str], colored: bool
) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "done_lint", "check", "-q", "--output-format", "concise", *arguments],
        cwd=folder,
        env={**clean, "PYTHONPATH": str(ROOT), "TERM": "xterm", **env},
        stdout=theirs,
        stderr=subprocess.PIPE,
    )
    _, errors = process.communicate(timeout=60)
    os.close(theirs)
    output = os.read(ours, 65536)
    os.close(ours)
    assert b"GYM101" in output, errors
    assert (b"\x1b[" in output) == colored


def test_a_silenced_finding_is_neither_reported_nor_fixed(folder: Path) -> None:
    silenced = OLD.replace("import gym", "import gym  # noqa: GYM401").replace("sample())", "sample())  # noqa: GYM101")
    (folder / "old.py").write_text(silenced)
    assert done_lint(folder, "check").returncode == 0
    assert done_lint(folder, "fix").returncode == 0
    assert (folder / "old.py").read_text() == silenced
    (folder / "old.py").write_text(f"# done-lint: skip-file\n{OLD}")
    assert done_lint(folder, "check").returncode == 0


def test_a_comment_that_cannot_be_meant_is_one_warning_and_changes_no_exit_status(folder: Path) -> None:
    (folder / "old.py").write_text("x = 1  # noqa: GYM999\n# done-lint: skip-fil\n")
    for command in (["check"], ["fix"], ["fix", "--diff"]):
        result = done_lint(folder, *command, "old.py")
        assert result.returncode == 0
        assert result.stderr.splitlines()[:2] == [
            "old.py:1:8: warning: `# noqa: GYM999` names the unknown code GYM999; `done-lint rule` lists all rules",
            "old.py:2:1: warning: `# done-lint: skip-fil` means nothing; did you mean done-lint: skip-file?",
        ]


def test_a_fixed_file_is_warned_about_once(folder: Path) -> None:
    (folder / "old.py").write_text(f"{OLD}# noqa: GYM999\n")
    result = done_lint(folder, "fix", "old.py")
    assert (folder / "old.py").read_text() != f"{OLD}# noqa: GYM999\n"
    assert result.stderr.count("warning") == 1


def test_a_file_can_be_skipped_for_some_codes(folder: Path) -> None:
    (folder / "old.py").write_text(f"# done-lint: skip-file: GYM401, GYM2\n{OLD}")
    result = done_lint(folder, "check", "--output-format", "concise", "old.py")
    assert [row.split()[1] for row in result.stdout.splitlines()] == ["GYM101"]


# --- many files -------------------------------------------------------------------------------------------


def test_the_output_does_not_depend_on_how_the_work_is_shared_out(tmp_path: Path) -> None:
    padding = "# " + "x" * 30_000 + "\n"
    for number in range(40):
        (tmp_path / f"old_{number:02}.py").write_text(OLD + padding)
    (tmp_path / "broken.py").write_text("import gym\nx = (\n")
    program = (
        "import sys\nfrom done_lint.engine import workers\nfrom done_lint.cli import main\n"
        "workers.processors = lambda: int(sys.argv[1])\n"
        "main(['check', '--output-format', 'json', '.'], standalone_mode=False)\n"
    )

    def output(processes: int) -> str:
        result = subprocess.run(
            [sys.executable, "-c", program, str(processes)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 1, result.stderr
        found = "Found 80 findings in 40 files (80 fixable with done-lint fix)"
        assert result.stderr == f"{found}; 1 file could not be checked.\n"
        return result.stdout

    assert output(1) == output(3)


def test_work_can_be_shared_out_to_spawned_processes(tmp_path: Path) -> None:
    """As on macOS and Windows, and everywhere from Python 3.14 on."""
    for number in range(20):
        (tmp_path / f"old_{number:02}.py").write_text(OLD + "# " + "x" * 30_000 + "\n")
    (tmp_path / "program.txt").write_text(
        "import multiprocessing\nfrom done_lint.engine import workers\nfrom done_lint.cli import main\n"
        "if __name__ == '__main__':\n"
        "    multiprocessing.set_start_method('spawn')\n"
        "    workers.processors = lambda: 2\n"
        "    main(['check', '--statistics', '.'])\n"
    )
    result = subprocess.run(
        [sys.executable, "program.txt"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout == "20  GYM101  [*]  four-value-step\n20  GYM401  [*]  gym-import\n", result.stderr


# --- fix --------------------------------------------------------------------------------------------------


def test_fix_mends_and_counts_what_the_result_shows(folder: Path) -> None:
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
    result = done_lint(tmp_path, "fix", "--output-format", "concise")
    left = result.stdout.splitlines()
    assert left
    assert result.returncode == 1
    again = done_lint(tmp_path, "check", "--output-format", "concise")
    assert again.stdout == result.stdout
    assert f"; {len(left)} left." in result.stderr


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
    assert "symbolic link out of the project" in result.stdout
    assert outside.read_text() == OLD


def test_a_file_that_changed_meanwhile_is_not_overwritten(folder: Path) -> None:
    program = (
        "from done_lint.engine import analyze\nfrom done_lint.cli import main\n"
        "mend = analyze._Linked.mend\n"
        "def slow(self, unsafe):\n"
        "    mend(self, unsafe)\n"
        "    open('old.py', 'a').write('# edited meanwhile\\n')\n"
        "analyze._Linked.mend = slow\n"
        "main(['fix', '--output-format', 'concise'])\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (folder / "old.py").read_text() == f"{OLD}# edited meanwhile\n"
    assert "changed while done-lint was at work; not written" in result.stdout
    assert "Fixed" not in result.stderr
    assert result.returncode == 1


@pytest.mark.parametrize("broken", ["x = (", "return = 1", "\0"])
def test_when_a_fix_breaks_the_file_the_original_stays_and_the_rule_is_named(folder: Path, broken: str) -> None:
    (folder / "other.py").write_text(OLD)
    program = (
        "import dataclasses, sys\nfrom done_lint.engine import linter\nfrom done_lint.cli import main\n"
        "from done_lint.core.findings import Edit, Fix\n"
        "lint = linter.lint\n"
        "def breaking(source, facts, settings, diagnostics=None):\n"
        "    found = lint(source, facts, settings, diagnostics)\n"
        "    if source.path.endswith('other.py'):\n"
        "        return found\n"
        f"    broken = Fix('break', (Edit(0, 0, {broken!r} + chr(10)),))\n"
        "    return [dataclasses.replace(f, fix=broken) for f in found]\n"
        "linter.lint = breaking\n"
        "main(['fix', '--output-format', 'concise'])\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (folder / "old.py").read_text() == OLD, result.stderr
    assert (folder / "other.py").read_text() == FIXED
    assert "the fixes of GYM101, GYM401 gave a file that does not parse; left as it was" in result.stdout
    assert result.stderr == "Fixed 2 findings in 1 file; 2 left.\n"
    assert result.returncode == 2


def test_a_fix_that_never_settles_ends_after_ten_passes(folder: Path) -> None:
    program = (
        "import dataclasses\nfrom done_lint.engine import linter\nfrom done_lint.cli import main\n"
        "from done_lint.core.findings import Edit, Fix\n"
        "lint = linter.lint\n"
        "def growing(*arguments):\n"
        "    found = lint(*arguments)\n"
        "    longer = Fix('grow', (Edit(0, 0, '#' + chr(10)),))\n"
        "    return [dataclasses.replace(f, fix=longer) for f in found]\n"
        "linter.lint = growing\n"
        "main(['fix', '-q', '--output-format', 'concise'])\n"
    )
    subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (folder / "old.py").read_text() == "#\n" * 10 + OLD


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
        "import dataclasses, sys\nfrom done_lint.engine import linter\nfrom done_lint.cli import main\n"
        "lint = linter.lint\n"
        "def marked(*arguments):\n"
        "    found = lint(*arguments)\n"
        "    return [dataclasses.replace(f, fix=dataclasses.replace(f.fix, safety=sys.argv[1])) for f in found]\n"
        "linter.lint = marked\n"
        "main(sys.argv[2:])\n"
    )

    def fixed(safety: str, *arguments: str) -> bool:
        (tmp_path / "old.py").write_text(OLD)
        subprocess.run(
            [sys.executable, "-c", program, safety, "fix", *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=False,
        )
        return (tmp_path / "old.py").read_text() == FIXED

    assert fixed("safe")
    assert not fixed("unsafe")
    assert fixed("unsafe", "--unsafe-fixes")
    assert not fixed("display", "--unsafe-fixes")


# --- standard input ---------------------------------------------------------------------------------------


def test_standard_input_is_checked_and_fixed_byte_by_byte(tmp_path: Path) -> None:
    data = OLD.replace("\n", "\r\n").encode()
    checked = done_lint(tmp_path, "check", "-", "--output-format", "concise", stdin=data)
    assert checked.returncode == 1
    assert checked.stdout.startswith("-:1:1: GYM401")
    fixed = done_lint(tmp_path, "fix", "-", stdin=data)
    assert fixed.stdout == FIXED.replace("\n", "\r\n")
    assert fixed.returncode == 0


def test_standard_input_that_cannot_be_fixed_comes_back_as_it_is(tmp_path: Path) -> None:
    for data in (CLEAN.encode(), b"import gym\nx = (\n"):
        assert done_lint(tmp_path, "fix", "-", stdin=data).stdout == data.decode()
    result = done_lint(tmp_path, "fix", "-", stdin=b"import gym\nx = (\n")
    assert result.returncode == 1
    assert "-:2:5: syntax-error: " in result.stderr


def test_standard_input_stands_for_the_file_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.done-lint.per-file-ignores]\n"a.py" = ["GYM401"]\n')
    (tmp_path / "learner.py").write_text(LEARNER)
    (tmp_path / "train.py").write_text("# an older state of the file, still on disk\n")
    arguments = ("check", "-", "--output-format", "concise", "--stdin-filename")
    assert "train.py:12:" in done_lint(tmp_path, *arguments, "train.py", stdin=TRAIN.encode()).stdout
    assert "GYM401" not in done_lint(tmp_path, *arguments, "a.py", stdin=OLD.encode()).stdout
    assert "new/b.py:1:1: GYM401" in done_lint(tmp_path, *arguments, "new/b.py", stdin=OLD.encode()).stdout


def test_standard_input_of_an_excluded_name_is_passed_on_with_force_exclude(tmp_path: Path) -> None:
    arguments = ("fix", "-", "--stdin-filename", "build/a.py", "--force-exclude")
    (tmp_path / "pyproject.toml").touch()
    assert done_lint(tmp_path, *arguments, stdin=OLD.encode()).stdout == OLD


# --- rule, version, imports -------------------------------------------------------------------------------


def test_rule_prints_a_page_or_the_list() -> None:
    listed = done_lint(ROOT, "rule").stdout
    assert "GYM101  four-value-step\n" in listed
    page = done_lint(ROOT, "rule", "GYM101")
    assert page.returncode == 0
    assert page.stdout.startswith("# GYM101 four-value-step")
    assert done_lint(ROOT, "rule", "four-value-step").stdout == page.stdout
    assert done_lint(ROOT, "rule", "gym101").stdout == page.stdout


def imported(folder: Path, *arguments: str) -> set[str]:
    """Top-level modules that a run imports."""
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "done_lint", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return {row.rpartition("|")[2].strip().partition(".")[0] for row in result.stderr.splitlines()}


def test_libcst_is_imported_only_where_there_is_something_to_report(folder: Path) -> None:
    (folder / "plain.py").write_text("print('hello')\n")
    (folder / "done-lint.toml").write_text('select = ["GYM1"]\nexclude = ["old.py"]\n')
    assert "libcst" in imported(folder, "check", "--isolated", "old.py")
    assert "libcst" not in imported(folder, "--version")
    assert "libcst" not in imported(folder, "check", "plain.py")
    assert "libcst" not in imported(folder, "check", "--select", "GYM2", "plain.py")
    assert "libcst" not in imported(folder, "rule")


def test_the_version_is_that_of_the_package() -> None:
    from done_lint import __version__

    assert done_lint(ROOT, "--version").stdout == f"done-lint, version {__version__}\n"
    assert done_lint(ROOT, "-V").stdout == f"done-lint, version {__version__}\n"


def test_the_help_says_that_there_is_no_cache() -> None:
    assert "No effect: there is no cache" in " ".join(done_lint(ROOT, "check", "--help").stdout.split())
