"""A notebook is written back with nothing changed but rows of source."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notebooks import code, notebook, of_sources, prose, renamed, sources

from done_lint.core.findings import Edit
from done_lint.source.source import Source

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


def test_a_list_of_one_text_with_many_rows_stays_one() -> None:
    rows = ["a = 1\nb = 2\nc = 3"]
    for style in STYLES.values():
        data = notebook(code(rows), **style)
        assert renamed(data, "b = 2", "b = 2\nz") == data.replace(b"b = 2", b"b = 2\\nz")


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


def test_edits_of_text_that_is_not_in_the_cell_are_refused() -> None:
    source = Source.from_bytes("a.ipynb", of_sources(["%time x = 1\n!ls\nf = !ls\ny = 2", "z = 3"]))
    text = source.text

    def takes(old: str, new: str) -> bool:
        return source.accepts([Edit(text.index(old), text.index(old) + len(old), new)])

    assert takes("x = 1", "x = 2\nw = 3")
    assert takes("y = 2\n", "")
    assert not takes("pass", "x")
    assert not takes("...", "x")
    assert not takes("x = 1\n", "")  # `%time` would be left
    assert not takes("y = 2\n\nz = 3", "y")  # over the border of two cells
