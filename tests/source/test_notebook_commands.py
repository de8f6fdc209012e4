"""`check` and `fix` on notebooks: cells are named, comments silence, outputs stay."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from command import PLAIN, done_lint
from notebooks import FIXED_STEP, STEP, TUTORIAL, notebook, of_sources, renamed, sources

from done_lint.core.findings import Edit
from done_lint.source.source import Source


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.ipynb").write_bytes(notebook(*TUTORIAL))
    return tmp_path


def test_findings_name_the_cell(folder: Path) -> None:
    result = done_lint(folder, "check", "--isolated", "--output-format", "concise")
    rows = [row.split(": ")[0] + " " + row.split(": ")[1][:6] for row in result.stdout.splitlines()]
    assert rows == [
        "a.ipynb:cell 2:1:18 GYM401",
        "a.ipynb:cell 2:2:20 GYM401",
        "a.ipynb:cell 3:2:1 GYM401",
        "a.ipynb:cell 6:1:7 GYM104",
        "a.ipynb:cell 6:2:7 GYM101",
        "a.ipynb:cell 6:3:1 GYM101",
    ]
    assert "TODO" not in result.stdout + result.stderr
    assert "cell 5" not in result.stderr
    assert result.returncode == 1


def test_a_part_that_is_no_python_is_shown_on_request_and_changes_no_exit_code(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(of_sources(["import gymnasium as gym", "x = # TODO"]))
    assert done_lint(tmp_path, "check", "--isolated").returncode == 0
    result = done_lint(tmp_path, "check", "--isolated", "-v")
    assert "a.ipynb:cell 2:1:5: not checked: is not Python: invalid syntax" in result.stderr
    assert result.returncode == 0


def test_json_counts_inside_the_cell(folder: Path) -> None:
    found = json.loads(done_lint(folder, "check", "--isolated", "--output-format", "json").stdout)
    last = found[-1]
    assert (last["cell"], last["location"], last["noqa_row"]) == (6, {"row": 3, "column": 1}, 3)
    texts = sources((folder / "a.ipynb").read_bytes())
    edits = {json.dumps(edit): edit for finding in found if finding["fix"] for edit in finding["fix"]["edits"]}
    for edit in sorted(edits.values(), key=lambda e: (e["cell"], e["location"]["row"], e["location"]["column"]))[::-1]:
        rows = texts[edit["cell"] - 1].splitlines(keepends=True)
        start, end = (
            sum(map(len, rows[: at["row"] - 1])) + at["column"] - 1 for at in (edit["location"], edit["end_location"])
        )
        text = texts[edit["cell"] - 1]
        texts[edit["cell"] - 1] = text[:start] + edit["content"] + text[end:]
    done_lint(folder, "fix", *PLAIN)
    assert texts == sources((folder / "a.ipynb").read_bytes())


def test_the_full_format_shows_rows_of_the_cell(folder: Path) -> None:
    result = done_lint(folder, "check", "--isolated", "--select", "GYM101")
    assert f"  --> a.ipynb:cell 6:3:1\n3 | {STEP}\n" in result.stdout
    assert f"  --> a.ipynb:cell 6:2:7\n2 | %time {STEP}\n" in result.stdout


def test_fix_writes_sources_only_and_a_second_one_nothing(folder: Path) -> None:
    before = (folder / "a.ipynb").read_bytes()
    diff = done_lint(folder, "fix", *PLAIN, "--diff")
    assert (folder / "a.ipynb").read_bytes() == before
    assert "--- a.ipynb:cell 6\n+++ a.ipynb:cell 6\n" in diff.stdout
    assert "a.ipynb:cell 2\n" not in diff.stdout
    given = done_lint(folder, "fix", *PLAIN, "--stdin-filename", "a.ipynb", "-", stdin=before).stdout
    assert done_lint(folder, "fix", *PLAIN).stderr == "Fixed 4 findings in 1 file; 2 left.\n"
    after = (folder / "a.ipynb").read_bytes()
    assert given.encode() == after
    nbformat.validate(nbformat.reads(after.decode(), as_version=4))
    expected = [
        *sources(before)[:2],
        *(text.replace("import gym", "import gymnasium as gym") for text in sources(before)[2:]),
    ]
    expected[5] = f"obs, _ = env.reset()\n%time {FIXED_STEP}\n{FIXED_STEP}"
    assert sources(after) == expected
    done_lint(folder, "fix", *PLAIN)
    assert (folder / "a.ipynb").read_bytes() == after


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        (f"{STEP}  # noqa: GYM101", 1),
        (f"{STEP}  # noqa: GYM203", 2),
        (f"# done-lint: skip-cell\n{STEP}\n{STEP}", 1),
        (f"{STEP}\n{STEP}  # done-lint: skip-cell", 1),
        (f"# done-lint: skip-cell: GYM101\n{STEP}\n{STEP}", 1),
        (f"# done-lint: skip-file\n{STEP}", 0),
        (f"# done-lint: skip-file: GYM1\n{STEP}", 0),
    ],
)
def test_comments_silence_a_row_a_cell_or_the_notebook(tmp_path: Path, comment: str, left: int) -> None:
    head = 'import gymnasium as gym\nenv = gym.make("CartPole-v1")\nenv.reset()'
    data = of_sources([head, STEP, comment, "print(done)"])
    (tmp_path / "a.ipynb").write_bytes(data)
    found = json.loads(done_lint(tmp_path, "check", "--isolated", "--output-format", "json").stdout)
    assert [finding["code"] for finding in found] == ["GYM101"] * left
    done_lint(tmp_path, "fix", *PLAIN)
    expected = sources(data)
    if left:
        expected[1] = FIXED_STEP
    if left == 2:
        rows = FIXED_STEP.splitlines()
        expected[2] = f"{rows[0]}  # noqa: GYM203\n{rows[1]}"
    assert sources((tmp_path / "a.ipynb").read_bytes()) == expected


def test_a_comment_that_cannot_be_meant_is_warned_about_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(of_sources(["import gym", "x = 1\ny = 2  # noqa: GYM999"]))
    result = done_lint(tmp_path, "check", "--isolated")
    assert "a.ipynb:cell 2:2:8: warning: `# noqa: GYM999` names the unknown code GYM999" in result.stderr


def test_a_comment_silences_a_command(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(of_sources(["!pip install gym  # noqa: GYM401\n%pip install gym"]))
    found = json.loads(done_lint(tmp_path, "check", "--isolated", "--output-format", "json").stdout)
    assert [(finding["cell"], finding["location"]) for finding in found] == [(1, {"row": 2, "column": 14})]
    assert '`"gymnasium>=1.0"`' in done_lint(tmp_path, "check", "--isolated").stdout


def test_a_cell_of_the_shell_installs_too(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(of_sources(["%%bash\ncd x && pip install -U gym==0.21 numpy"]))
    found = json.loads(done_lint(tmp_path, "check", "--isolated", "--output-format", "json").stdout)
    assert [(finding["location"], finding["end_location"]) for finding in found] == [
        ({"row": 2, "column": 24}, {"row": 2, "column": 33})
    ]


def test_what_a_text_leaves_out_is_never_written() -> None:
    data = of_sources(["def f(self, old, ...):\n    pass"])
    text = Source.from_bytes("a.ipynb", data).text
    place = text.index("**_")
    assert renamed(data, "old", "new") == data.replace(b"old", b"new")
    assert not Source.from_bytes("a.ipynb", data).accepts([Edit(place, place, "x, **_")])


@pytest.mark.parametrize(
    "command",
    ["!pip install gymnasium gym", "!pip install gymnastics", "!pip uninstall gym", "x = 'pip install gym'"],
)
def test_commands_that_install_no_old_gym(tmp_path: Path, command: str) -> None:
    (tmp_path / "a.ipynb").write_bytes(of_sources([command]))
    assert done_lint(tmp_path, "check", "--isolated", "--output-format", "concise").stdout == ""


def test_a_module_is_judged_with_the_notebook_that_uses_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "memory.py").write_text("def store(buffer, done):\n    buffer.append((0, done))\n")
    (tmp_path / "a.ipynb").write_bytes(
        of_sources(
            [
                "import gymnasium as gym\nfrom memory import store\nbuffer = []\nenv = gym.make('CartPole-v1')",
                "obs, r, terminated, truncated, info = env.step(0)\nstore(buffer, terminated or truncated)",
                "for x, done in buffer:\n    target = r + gamma * q(x) * (1 - done)",
            ]
        )
    )
    whole = done_lint(tmp_path, "check", "--output-format", "concise").stdout
    assert "a.ipynb:cell 2:2:15: GYM203" in whole.replace("[*] ", "")
