"""Bytes become text and the same bytes again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from done_lint.core.file_io import SourceError, write_atomically
from done_lint.core.text import Lines
from done_lint.source.source import Source

TEXTS = st.text(st.sampled_from("ab \r\n\f\x1c\u2028é"))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"x = 1\n", "x = 1\n"),
        (b"", ""),
        (b"\xef\xbb\xbfx = '\xc3\xa9'\r\n", "x = 'é'\r\n"),
        (b"# coding: latin-1\nx = '\xe9'\n", "# coding: latin-1\nx = 'é'\n"),
        (b"#!/bin/sh\n# -*- coding: cp1252 -*-\nx = '\x80'", "#!/bin/sh\n# -*- coding: cp1252 -*-\nx = '€'"),
        (b"# coding: latin-1\rx = '\xe9'\r", "# coding: latin-1\rx = 'é'\r"),
        (b"#" + b"-" * 500 + b"\n# coding: latin-1\nx = '\xe9'\n", "#" + "-" * 500 + "\n# coding: latin-1\nx = 'é'\n"),
    ],
)
def test_a_file_is_decoded_as_python_does_and_written_back_the_same(data: bytes, text: str) -> None:
    source = Source.from_bytes("a.py", data)
    assert source.text == text
    assert source.encode(source.text) == data


def test_new_text_keeps_the_encoding_and_the_byte_order_mark() -> None:
    assert Source.from_bytes("a.py", b"# coding: latin-1\n").encode("é") == b"\xe9"
    assert Source.from_bytes("a.py", b"\xef\xbb\xbfx").encode("é") == b"\xef\xbb\xbf\xc3\xa9"


def test_a_character_that_the_encoding_lacks_is_an_error_and_not_a_question_mark() -> None:
    with pytest.raises(SourceError, match="cannot encode as iso-8859-1"):
        Source.from_bytes("a.py", b"# coding: latin-1\n").encode("€")


@pytest.mark.parametrize(
    ("data", "message", "row"),
    [
        (b"x = 1\ny = '\0'\n", "NUL", 2),
        (b"# coding: klingon\n", "unknown encoding", 1),
        (b"# coding: hex\n\n", "hex", 1),
        (b"\xef\xbb\xbf# coding: latin-1\n", "encoding problem", 1),
        (b"x = 1\n\r\ny = '\xff'\n", "cannot decode as utf-8", 3),
    ],
)
def test_what_is_no_text_is_one_clear_line_with_the_row(data: bytes, message: str, row: int) -> None:
    with pytest.raises(SourceError, match=message) as caught:
        Source.from_bytes("a.py", data)
    assert "\n" not in caught.value.message
    assert caught.value.row == row


@given(TEXTS)
def test_offset_and_position_are_inverse(text: str) -> None:
    lines = Lines(text)
    for offset in range(len(text) + 1):
        assert lines.offset(*lines.position(offset)) == offset


@given(TEXTS)
def test_rows_are_those_of_python(text: str) -> None:
    # What universal newlines make of a file is what Python's parser counts.
    assert len(Lines(text)) == text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    lines = Lines(text)
    assert [lines.row(row) for row in range(1, len(lines) + 1)] == text.replace("\r\n", "\n").replace("\r", "\n").split(
        "\n"
    )


def test_a_form_feed_does_not_end_a_row() -> None:
    assert Lines("a\f\x1cb\nc").position(5) == (2, 0)


def test_a_written_file_keeps_its_mode_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"old")
    path.chmod(0o754)
    write_atomically(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o754
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_symbolic_link_stays_and_its_target_inside_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "a.py", tmp_path / "link.py"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write_atomically(str(link), b"new", str(tmp_path))
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


def test_a_symbolic_link_out_of_the_tree_is_not_written(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside.py"
    inside.mkdir()
    outside.write_bytes(b"old")
    (inside / "link.py").symlink_to(outside)
    with pytest.raises(SourceError, match="symbolic link to a file outside the project"):
        write_atomically(str(inside / "link.py"), b"new", str(inside))
    assert outside.read_bytes() == b"old"


def test_when_writing_fails_the_old_file_is_whole_and_nothing_is_left_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"old")

    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(str(path), b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.py"]


def test_a_writer_that_is_killed_never_leaves_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    old, new = b"o" * 3_000_000, b"n" * 3_000_000
    path.write_bytes(old)
    program = (
        "import sys\nfrom done_lint.core.file_io import write_atomically\n"
        "while True:\n"
        "    for letter in b'no':\n"
        "        write_atomically(sys.argv[1], bytes([letter]) * 3_000_000)\n"
        "        print(end='.', flush=True)\n"
    )
    root = Path(__file__).resolve().parents[2]
    for wait in (0.0, 0.003, 0.01, 0.02):
        writer = subprocess.Popen(
            [sys.executable, "-c", program, str(path)],
            env={**os.environ, "PYTHONPATH": str(root)},
            stdout=subprocess.PIPE,
        )
        assert writer.stdout is not None
        assert writer.stdout.read(1) == b"."
        time.sleep(wait)
        writer.kill()
        writer.wait()
        writer.stdout.close()
        assert path.read_bytes() in (old, new)
