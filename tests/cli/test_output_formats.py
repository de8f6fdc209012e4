"""What is printed: the formats, color, and names with control characters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import FIXED, LEARNER, OLD, ROOT, TRAIN, done_lint


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
    places = ["1. `terminated` comes from this step (train.py:10:", "(train.py:12:", "is read back here (learner.py:8:"]
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


def test_statistics_count_by_rule(folder: Path) -> None:
    (folder / "other.py").write_text("import gym\n")
    result = done_lint(folder, "check", "--statistics")
    assert result.stdout == "2  GYM401  [*]  gym-import\n1  GYM101  [*]  four-value-step\n"
    assert result.returncode == 1
    counted = json.loads(done_lint(folder, "check", "--statistics", "--output-format", "json").stdout)
    assert counted[0] == {"code": "GYM401", "name": "gym-import", "count": 2, "fixable": 2}


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


@pytest.mark.parametrize(("name", "shown"), [("a\nb", "a\\nb"), ("\x1b[31mred", "\\x1b[31mred"), ("a\rb", "a\\rb")])
@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "--output-format", "concise"],
        ["check", "--color", "always"],
        ["fix", "--diff"],
        ["check", "-v", "--isolated"],
    ],
)
def test_control_characters_in_names_are_escaped_wherever_lines_are_printed(
    tmp_path: Path, name: str, shown: str, arguments: list[str]
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / f"{name}.py").write_text(OLD)
    (folder / "broken.py").write_text("import gym\nx = (\n")
    result = done_lint(tmp_path, *arguments, name, f"{name}/missing")
    assert result.returncode == 2
    assert f"{shown}/{shown}.py" in result.stdout
    assert f"error: no such file or directory: {shown}/missing\n" in result.stderr
    for text in (result.stdout, result.stderr):
        assert name not in text


def test_json_has_the_names_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a\nb.py").write_text(OLD)
    found = json.loads(done_lint(tmp_path, "check", "--output-format", "json").stdout)
    assert {one["filename"] for one in found} == {"a\nb.py"}
