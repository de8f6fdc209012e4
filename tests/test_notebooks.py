"""Notebooks are read as one program, and written back with nothing changed but rows of source."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from command import ROOT, done_lint
from hypothesis import given, settings
from hypothesis import strategies as st
from notebooks import PYTHON, code, notebook, of_sources, prose, sources

from done_lint.core.file_io import SourceError
from done_lint.core.findings import Edit
from done_lint.source.source import Source

STEP = "obs, reward, done, info = env.step(0)"
MENDED = "obs, reward, terminated, truncated, info = env.step(0)\ndone = terminated or truncated"
PLAIN = ["fix", "--isolated", "--output-format", "concise"]


def program(*texts: str) -> str:
    return Source.from_bytes("a.ipynb", of_sources(texts)).text


def renamed(data: bytes, old: str, new: str) -> bytes:
    """The notebook after an edit of the first place where the program says `old`."""
    source = Source.from_bytes("a.ipynb", data)
    start = source.text.index(old)
    return source.rewritten(data, [Edit(start, start + len(old), new)])


# --- what the program is ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("x = 1", "x = 1\n\n"),
        ("x = 1\n", "x = 1\n\n\n"),
        ("%matplotlib inline\nx = 1", "pass  # %matplotlib inline\nx = 1\n\n"),
        ("if x:\n    !pip install a\ny = 2", "if x:\n    pass  # !pip install a\ny = 2\n\n"),
        ("!pip install a \\\n  b\ny = 2", "pass  # !pip install a \\\n#   b\ny = 2\n\n"),
        ("%time x = f(1)", "x = f(1)\n\n"),
        ("    %timeit -n 10 -r3 f(x)\n    y", "%timeit -n 10 -r3 f(x)\ny".replace("%timeit -n 10 -r3 ", "") + "\n\n"),
        ("%time x = [1,", "pass  # %time x = [1,\n\n"),
        ("files = !ls\nx = files", "files = ...\nx = files\n\n"),
        ("v = %env HOME", "v = ...\n\n"),
        ("env.step?", "pass  # env.step?\n\n"),
        ("?env.step\n??env", "pass  # ?env.step\npass  # ??env\n\n"),
        ("plt.show();", "plt.show();\n\n"),
        ("%%time\nx = 1", "x = 1\n\n"),
        ("\n%%capture out\n%%timeit\nx = 1", "x = 1\n\n"),
        ("%%html\n<b>", ""),
        ("%%writefile agent.py\nimport gym", ""),
        ("%%bash\npip install a", "# pip install a\n\n"),
        ("s = '''\n%time\n!ls\n'''\nx = (1\n%2)\n!ls", "s = '''\n%time\n!ls\n'''\nx = (1\n%2)\npass  # !ls\n\n"),
        ("!echo \"it's\nx = 1", "pass  # !echo \"it's\nx = 1\n\n"),
        ("pip install gym\nx = 1", "pass  # pip install gym\nx = 1\n\n"),
        ("def f(self, a, ...):\n    ...", "def f(self, a, **_):\n    ...\n\n"),
        ("await f()", "await f()\n\n"),
        ("<YOUR CODE HERE>", None),
        ("x = # TODO", None),
        ("print 1", None),
        ("# only a comment", "# only a comment\n\n"),
        ("", ""),
    ],
)
def test_a_cell_as_python(cell: str, expected: str | None) -> None:
    source = Source.from_bytes("a.ipynb", of_sources([cell]))
    assert source.layout is not None
    assert (None if source.layout.failures else source.text) == expected


def test_a_cell_that_does_not_parse_costs_that_cell_alone() -> None:
    source = Source.from_bytes("a.ipynb", of_sources(["a = 1", "x = # TODO", "b = 2"]))
    assert source.text == "a = 1\n\nb = 2\n\n"
    assert source.layout is not None
    ((cell, offset, message),) = source.layout.failures
    assert (source.layout.cells[cell].number, offset, message) == (2, 4, "invalid syntax")


def test_nbformat_3_and_editors_that_mix_languages() -> None:
    cells = [
        {"cell_type": "code", "language": "python", "input": ["import gym\n", "x = 1"], "outputs": []},
        {"cell_type": "heading", "source": ["x"]},
        {"cell_type": "code", "language": "R", "input": "y <- 2", "outputs": []},
        {"cell_type": "code", "language": "python", "input": "z = 3", "outputs": []},
    ]
    data = json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3, "nbformat_minor": 0}).encode()
    source = Source.from_bytes("a.ipynb", data)
    assert source.text == "import gym\nx = 1\n\nz = 3\n\n"
    new = renamed(renamed(data, "gym", "gymnasium"), "z", "zz")
    assert new == data.replace(b"gym", b"gymnasium").replace(b"z = 3", b"zz = 3")
    shell = code("echo x", metadata={"vscode": {"languageId": "shellscript"}})
    assert Source.from_bytes("a.ipynb", notebook(shell, code("x"))).text == "x\n\n"


@pytest.mark.parametrize("language", ["R", "julia", "C++"])
def test_a_notebook_in_another_language_holds_no_python(language: str) -> None:
    data = notebook(code("import gym")).replace(b'"language": "python"', f'"language": "{language}"'.encode())
    assert Source.from_bytes("a.ipynb", data).text == ""


# --- writing back ----------------------------------------------------------------------------------------------

STYLES: dict[str, dict[str, Any]] = {
    "indent 1": {},
    "indent 2": {"indent": 2},
    "tabs": {"indent": "\t"},
    "one row": {"indent": None, "separators": (",", ":")},
    "no final newline": {"end": ""},
    "sorted keys": {"sort_keys": True},
    "escapes": {"ensure_ascii": True},
}
CELLS = (
    prose("# A *title*: env.step é"),
    code(
        'import gym\nx = "é"  # \t"quoted"\n', outputs=[{"output_type": "stream", "name": "stdout", "text": ["é\\n"]}]
    ),
    code("obs = 1\nold = 2\nlast = 3", id="abc"),
)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("as_text", [False, True])
def test_only_changed_rows_are_written_anew(style: str, as_text: bool) -> None:
    cells = json.loads(json.dumps(CELLS))
    for cell in cells if as_text else ():
        cell["source"] = "".join(cell["source"])
    data = notebook(*cells, **STYLES[style])
    assert Source.from_bytes("a.ipynb", data).rewritten(data, []) == data
    assert renamed(data, "old", "new") == data.replace(b"old = 2", b"new = 2")
    assert renamed(data, "last", "end") == data.replace(b"last = 3", b"end = 3")
    accented = "é" if style != "escapes" else "\\u00e9"
    before, after = (f'x = \\"{accented}\\"'.encode(), f'y = \\"{accented}\\"'.encode())
    assert renamed(data, "x", "y") == data.replace(before, after)


@pytest.mark.parametrize("style", STYLES)
def test_rows_that_come_and_go_look_like_their_neighbours(style: str) -> None:
    def written(rows: list[str]) -> bytes:
        return notebook(CELLS[0], code(rows), CELLS[2], **STYLES[style])

    data = written(["a = 1\n", "b = 2\n", "c = 3"])
    assert renamed(data, "b = 2\n", "") == written(["a = 1\n", "c = 3"])
    assert renamed(data, "a = 1\n", "") == written(["b = 2\n", "c = 3"])
    assert renamed(data, "c = 3\n", "") == written(["a = 1\n", "b = 2"])
    assert renamed(data, "c = 3\n", "c = 3\nd\n") == written(["a = 1\n", "b = 2\n", "c = 3\n", "d"])
    assert renamed(data, "a = 1", "z\na = 1") == written(["z\n", "a = 1\n", "b = 2\n", "c = 3"])
    assert renamed(data, "b = 2", "b = 2\nz") == written(["a = 1\n", "b = 2\n", "z\n", "c = 3"])


def test_a_list_of_one_row_becomes_two() -> None:
    for style in STYLES.values():
        assert renamed(notebook(code("a"), **style), "a", "a\nb") in (
            notebook(code("a\nb"), **style),
            notebook(code("a\nb"), **style).replace(b'\\n","b', b'\\n", "b'),
        )


def test_a_file_with_a_byte_order_mark_keeps_it() -> None:
    data = b"\xef\xbb\xbf" + notebook(code("old = 1"))
    assert renamed(data, "old", "new") == data.replace(b"old", b"new")


KINDS = ["name", "before", "after", "removed"]


@settings(max_examples=150, deadline=None)
@given(
    cells=st.lists(st.lists(st.sampled_from(["v", "{i} = (1,\n  2)", "%time {i} = 1", "!ls"]), max_size=4), min_size=1),
    picks=st.lists(st.tuples(st.integers(0, 99), st.sampled_from(KINDS)), min_size=1, max_size=4),
    style=st.sampled_from(sorted(STYLES)),
    ended=st.booleans(),
)
def test_edits_of_the_program_are_edits_of_the_cells(
    cells: list[list[str]], picks: list[tuple[int, str]], style: str, ended: bool
) -> None:
    """What an edit of the program does to the cells is what one would do there by hand."""
    count = 0
    by_hand: list[list[str]] = []
    plain: list[tuple[int, int, str]] = []
    for number, rows in enumerate(cells):
        by_hand.append([])
        for row in rows:
            name = f"v{count}_"
            count += 1
            if row == "v":
                plain.append((number, len(by_hand[-1]), name))
            by_hand[-1].append(row.replace("v", f"{name} = 0").replace("{i}", name))
    texts = ["\n".join(rows) + "\n" * (ended and bool(rows)) for rows in by_hand]
    data = of_sources(texts, **STYLES[style])
    source = Source.from_bytes("a.ipynb", data)
    edits = []
    for pick, kind in {pick % len(plain): kind for pick, kind in picks}.items() if plain else ():
        number, place, name = plain[pick]
        row = f"{name} = 0"
        start = source.text.index(row)
        behind = start + len(row) + 1
        new = f"new{name}"
        edits.append(
            {
                "name": Edit(start, start + len(name), new),
                "before": Edit(start, start, f"{new}\n"),
                "after": Edit(behind - 1, behind - 1, f"\n{new}"),
                "removed": Edit(start, behind, ""),
            }[kind]
        )
        by_hand[number][place] = {
            "name": f"{new} = 0",
            "before": f"{new}\n{row}",
            "after": f"{row}\n{new}",
            "removed": "\0",
        }[kind]
    expected = ["\n".join(row for row in rows if row != "\0") for rows in by_hand]
    expected = [text + "\n" * (ended and bool(text)) for text in expected]
    result = source.rewritten(data, edits)
    assert sources(result) == expected
    assert result == of_sources(expected, **STYLES[style]) or style == "one row" or "[]" in result.decode()


def test_edits_of_what_the_cell_does_not_say_are_refused() -> None:
    source = Source.from_bytes("a.ipynb", of_sources(["%time x = 1\n!ls\nf = !ls\ny = 2", "z = 3"]))
    text = source.text

    def takes(old: str, new: str) -> bool:
        return source.takes([Edit(text.index(old), text.index(old) + len(old), new)])

    assert takes("x = 1", "x = 2\nw = 3")
    assert takes("y = 2\n", "")
    assert not takes("pass", "x")
    assert not takes("...", "x")
    assert not takes("x = 1\n", "")  # `%time` would be left
    assert not takes("y = 2\n\nz = 3", "y")  # over the border of two cells


# --- the command -----------------------------------------------------------------------------------------------

TUTORIAL = (
    prose("# Cart pole"),
    code("%pip install -q 'gym[atari]==0.21'\n!pip install numpy gym  # a comment"),
    code('%matplotlib inline\nimport gym\nenv = gym.make("CartPole-v1")'),
    code("def play(env):\n    return env.step(0)"),
    code("x = # TODO"),
    code(f"obs = env.reset()\n%time {STEP}\n{STEP}"),
    code("print(done)"),
)


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


def test_a_part_that_is_no_python_is_told_to_who_asks_and_changes_no_exit_code(tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(of_sources(["import gymnasium as gym", "x = # TODO"]))
    assert done_lint(tmp_path, "check", "--isolated").returncode == 0
    result = done_lint(tmp_path, "check", "--isolated", "-v")
    assert "a.ipynb:cell 2:1:5: not checked: is no Python: invalid syntax" in result.stderr
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
    done_lint(folder, *PLAIN)
    assert texts == sources((folder / "a.ipynb").read_bytes())


def test_the_full_format_shows_rows_of_the_cell(folder: Path) -> None:
    result = done_lint(folder, "check", "--isolated", "--select", "GYM101")
    assert f"  --> a.ipynb:cell 6:3:1\n3 | {STEP}\n" in result.stdout
    assert f"  --> a.ipynb:cell 6:2:7\n2 | %time {STEP}\n" in result.stdout


def test_fix_writes_sources_only_and_a_second_one_nothing(folder: Path) -> None:
    before = (folder / "a.ipynb").read_bytes()
    diff = done_lint(folder, *PLAIN, "--diff")
    assert (folder / "a.ipynb").read_bytes() == before
    assert "--- a.ipynb:cell 6\n+++ a.ipynb:cell 6\n" in diff.stdout
    assert "a.ipynb:cell 2\n" not in diff.stdout
    given = done_lint(folder, *PLAIN, "--stdin-filename", "a.ipynb", "-", stdin=before).stdout
    assert done_lint(folder, *PLAIN).stderr == "Fixed 4 findings in 1 file; 2 left.\n"
    after = (folder / "a.ipynb").read_bytes()
    assert given.encode() == after
    nbformat.validate(nbformat.reads(after.decode(), as_version=4))
    expected = [
        *sources(before)[:2],
        *(text.replace("import gym", "import gymnasium as gym") for text in sources(before)[2:]),
    ]
    expected[5] = f"obs, _ = env.reset()\n%time {MENDED}\n{MENDED}"
    assert sources(after) == expected
    done_lint(folder, *PLAIN)
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
    done_lint(tmp_path, *PLAIN)
    expected = sources(data)
    if left:
        expected[1] = MENDED
    if left == 2:
        rows = MENDED.splitlines()
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
    assert not Source.from_bytes("a.ipynb", data).takes([Edit(place, place, "x, **_")])


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


# --- what is broken --------------------------------------------------------------------------------------------

BROKEN: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "a.ipynb:1:1: unreadable-file: is empty"),
    "cut off": (
        notebook(code("import gym"))[:60],
        "a.ipynb:5:4: unreadable-file: is broken JSON: Unterminated string starting at",
    ),
    "no JSON": (b"import gym\n", "a.ipynb:1:1: unreadable-file: is broken JSON: Expecting value"),
    "a list": (b'["import gym"]', "a.ipynb:1:1: unreadable-file: is no notebook: an object should stand here"),
    "no cells": (b'{"gym": "import gym"}', "a.ipynb:1:1: unreadable-file: is no notebook: it has no cells"),
    "no text": (
        b'{"cells": [{"source": [1, "import gym"]}]}',
        "a.ipynb:1:24: unreadable-file: is no notebook: a cell's source must be text",
    ),
    "more behind it": (notebook(code("import gym")) + b"}", "unreadable-file: is broken JSON: Extra data"),
    "no UTF-8": (
        notebook(code("import gym\xe9")).decode().encode("latin-1"),
        "unreadable-file: cannot decode as utf-8",
    ),
    "deep": (b'{"import gym": ' + b"[" * 100_000, "unreadable-file: "),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_notebook_is_one_clear_line_and_stays(tmp_path: Path, kind: str) -> None:
    data, line = BROKEN[kind]
    (tmp_path / "a.ipynb").write_bytes(data)
    for command in (["check", "--isolated", "--output-format", "concise"], PLAIN):
        result = done_lint(tmp_path, *command)
        assert len(result.stdout.splitlines()) == 1
        assert line in result.stdout
        assert result.returncode == 1
    assert (tmp_path / "a.ipynb").read_bytes() == data


@pytest.mark.parametrize("cells", [[], [prose("import gym")], [code("")]])
def test_a_notebook_without_code_is_silent(tmp_path: Path, cells: list[dict[str, Any]]) -> None:
    (tmp_path / "a.ipynb").write_bytes(notebook(*cells))
    assert done_lint(tmp_path, "check", "--isolated", "--output-format", "concise").stdout == ""


def test_characters_that_no_encoding_has_stay(tmp_path: Path) -> None:
    """A half of a surrogate pair can stand in JSON, in no file."""
    data = of_sources(['s = "\ud83d"', "import gym"], ensure_ascii=True)
    assert renamed(data, "gym", "gymnasium") == data.replace(b"gym", b"gymnasium")


def test_fifty_megabytes_of_outputs_take_bounded_memory_and_stay(tmp_path: Path) -> None:
    outputs = [{"data": {"image/png": "A" * 5_000_000}, "metadata": {}, "output_type": "display_data"}] * 10
    data = notebook(code("import gym", outputs=outputs), code("x = 1"))
    (tmp_path / "a.ipynb").write_bytes(data)
    limit = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({1_500_000_000}, {resource.RLIM_INFINITY}))\n"
        "from done_lint.cli import main\n"
        "main(['fix', '--isolated', '-q', 'a.ipynb'])\n"
    )
    result = subprocess.run([sys.executable, "-c", limit], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, check=False)
    assert result.returncode == 0
    new = (tmp_path / "a.ipynb").read_bytes()
    assert new == data.replace(b'"import gym"', b'"import gymnasium as gym"')


def test_a_cell_of_ten_thousand_rows(tmp_path: Path) -> None:
    rows = [f"x{number} = {number}\n" for number in range(10_000)]
    data = notebook(code(["import gym\n", *rows, "import gym"]))
    (tmp_path / "a.ipynb").write_bytes(data)
    result = done_lint(tmp_path, "check", "--isolated", "--output-format", "concise")
    assert [row.split(" ")[1] for row in result.stdout.splitlines()] == ["1:1:1:", "1:10002:1:"]
    done_lint(tmp_path, *PLAIN)
    assert (tmp_path / "a.ipynb").read_bytes() == data.replace(b"import gym", b"import gymnasium as gym")


def test_the_message_of_a_broken_notebook_has_its_place() -> None:
    with pytest.raises(SourceError) as error:
        Source.from_bytes("a.ipynb", b'{\n  "cells": [}')
    assert (error.value.row, error.value.column) == (2, 12)


def test_what_makes_the_notebooks_here_is_a_notebook() -> None:
    nbformat.validate(nbformat.reads(notebook(*TUTORIAL).decode(), as_version=4))
    assert PYTHON["kernelspec"]["language"] == "python"


# --- text that is not Python -----------------------------------------------------------------------------------

#: Cells that mention `done` in text that Python does not read.
MENTIONS = [
    "!echo {done}",
    "!echo $done",
    "if True:\n    !echo \\\n      {done}",
    "listing = !ls {done}",
    "%store done",
    "done?",
    "?done",
    '%%bash -s "$done"\necho $1',
    "%%bash\necho $done",
    "%timeit f(done)",
    "%timeit f(done",
    "%%timeit -n 10 x = done\nx",
    "%%time\nprint(done)",
    "%%time\nprint done",
    "%%javascript\nshow(done)",
    "%%writefile later.py\nprint(done)",
    "print done",
    "x = 1 +\ny = done",
]


@pytest.mark.parametrize("mention", MENTIONS)
def test_a_flag_that_skipped_text_mentions_stays_bound_with_its_old_meaning(tmp_path: Path, mention: str) -> None:
    head = 'import gymnasium as gym\nenv = gym.make("CartPole-v1")\nenv.reset()'
    (tmp_path / "a.ipynb").write_bytes(of_sources([head, STEP, mention]))
    done_lint(tmp_path, *PLAIN)
    assert sources((tmp_path / "a.ipynb").read_bytes()) == [head, MENDED, mention]


@pytest.mark.parametrize(
    "other", ["!echo finished {x}", "%matplotlib inline", "%%html\n<b>Nothing</b>", "print info.done"]
)
def test_a_flag_that_nobody_mentions_gets_no_old_name(tmp_path: Path, other: str) -> None:
    head = 'import gymnasium as gym\nenv = gym.make("CartPole-v1")\nenv.reset()'
    (tmp_path / "a.ipynb").write_bytes(of_sources([head, STEP, other]))
    done_lint(tmp_path, *PLAIN)
    assert sources((tmp_path / "a.ipynb").read_bytes()) == [head, "obs, reward, _, _, info = env.step(0)", other]


@pytest.mark.parametrize("mention", ["%store done", "print done"])
def test_a_stored_flag_that_skipped_text_mentions_keeps_its_name(tmp_path: Path, mention: str) -> None:
    """GYM203 names `terminated` where it is stored, and leaves `done` to who else reads it."""
    head = (
        'import gymnasium as gym\nfrom collections import deque\nenv = gym.make("CartPole-v1")\nobs, _ = env.reset()\n'
        "memory = deque()"
    )
    store = f"{STEP}\nmemory.append((obs, reward, done))"
    learn = "for obs, reward, done_ in memory:\n    target = reward + 0.99 * q(obs) * (1 - done_)"
    (tmp_path / "a.ipynb").write_bytes(of_sources([head, store, learn, mention]))
    done_lint(tmp_path, *PLAIN)
    expected = f"{MENDED}\nmemory.append((obs, reward, terminated))"
    assert sources((tmp_path / "a.ipynb").read_bytes()) == [head, expected, learn, mention]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("%store -r done", "if [done]: done = ...  # %store -r done"),
        ("%%capture done\nx = 1", "if [done]: done = ...\nx = 1"),
        ("%%bash --out done\nls", "if [done]: done = ...\n# ls"),
        ("o, r, done, i = env.step(0); print done", "if [done]: done = ..."),
        ("for done in done_s: print 1", "if [done]: done = ..."),
        ("done = !echo {done}", "done = ...; done"),
    ],
)
def test_a_name_that_skipped_text_binds_has_another_value_below(cell: str, expected: str) -> None:
    assert program("done = 1", cell) == f"done = 1\n\n{expected}\n\n"


def test_a_row_that_stands_for_skipped_text_takes_no_edit() -> None:
    data = of_sources(["done = 1", "print done"])
    source = Source.from_bytes("a.ipynb", data)
    assert source.text == "done = 1\n\ndone\n\n"
    start = source.text.index("done\n")
    for edit in (Edit(start, start, "x = 1\n"), Edit(start, start + 5, ""), Edit(start, start + 4, "x")):
        assert not source.takes([edit])
