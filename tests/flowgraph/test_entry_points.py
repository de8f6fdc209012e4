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


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        ('SPECS = ({"id": "A-v0", "entry_point": "envs.a:A"},)\nfor s in SPECS:\n    register(**s)\n', ("a",)),
        ('SPECS = [("A-v0", "envs.a:A")]\nfor n, e in SPECS:\n    register(id=n, entry_point=e)\n', ("a",)),
        ('SPECS = {"A-v0": "envs.a:make"}\nregister(id=n, entry_point=SPECS[n])\n', ("a",)),
        ('SPECS = {"A-v0": "envs.a:A", "B-v0": ("envs.b:B", 3)}\n', ("a", "b")),
        ('SPECS = {"envs.a": "loss", "b": "envs.a:loss", "c": "at envs.a:A"}\n', ()),
    ],
)
def test_entry_points_of_tables(text: str, modules: tuple[str, ...]) -> None:
    """A loop may register what a table holds, also in another file, which then has no word of entry points."""
    assert survey("main.py", text).entries == tuple(f"envs.{one}" for one in modules)
