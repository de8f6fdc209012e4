"""Entry points that a file puts together are known where it gives the parts itself."""

from __future__ import annotations

import pytest

from done_lint.flowgraph.build import survey

_ADD = 'def add(name, file="flat"):\n    register(id=name, entry_point={})\n\n\n'


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        (
            _ADD.format('"envs.%s:Maze" % file') + 'add("A", "small")\nadd("B", file="big")\n',
            ("small", "big"),
        ),
        (_ADD.format('f"envs.{file}:Maze"') + 'add("A-v0")\nadd("B-v0", name)\n', ("flat",)),
        (_ADD.format('"envs." + file + ":Maze"') + 'add("A-v0", "big")\n', ("big",)),
        (_ADD.format('"envs.{}:{}".format(file, name)') + 'add("Maze", "big")\nadd(*names)\n', ("big",)),
        (_ADD.format('"envs.%s:Maze" % other') + 'add("A-v0", "small")\n', ()),
        ('for one in ["a", "b"]:\n    register(id=one, entry_point="envs.%s:Maze" % one)\n', ("a", "b")),
        ('for one, n in (("a", 1), ("b", 2)):\n    register(id=n, entry_point=f"envs.{one}:Maze")\n', ("a", "b")),
        ('for one in names:\n    register(id=one, entry_point="envs.%s:Maze" % one)\n', ()),
    ],
)
def test_entry_points_of_parts(text: str, modules: tuple[str, ...]) -> None:
    """Calls and loops in the same file tell the parts; what else is given is not known."""
    assert survey("main.py", text).entries == tuple(f"envs.{one}" for one in modules)
