"""Where nodes stand, as LibCST's own provider says it."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from command import ROOT
from libcst.metadata import MetadataWrapper, PositionProvider

from done_lint.core.findings import Span
from done_lint.syntax.tree import Tree

FILES = sorted((ROOT / "done_lint" / "syntax").glob("*.py"))
TEXTS = {
    "nothing": "",
    "no last newline": "x = 1",
    "only newlines": "\n\n",
    "rows of Windows": "if x:\r\n    y = (1,\r\n         2)\r\n",
    "rows of several systems": "x = 1\ry = 2\r\nz = 3\n",
    "a row that goes on": "x = a + \\\n    b\n",
    "a form feed": "x = 1\n\f\ny = 2\n",
    "letters of two bytes": 's = "äöü"; t = (old)\n',
    "a mark of bytes": "\ufeffx = 1\n",
    "tabs and spaces": "if x:\n\ty = 1\n\tif y:\n\t    z = (a for a in b)\n",
    "comments": "# one\nx = [  # two\n    1,\n    # three\n]\n# four",
    "decorators": "@f\n@g(1)\nclass A(B):\n    @property\n    async def f(self, *, a: int = 1, **k): ...\n",
}


def assert_right(text: str) -> None:
    tree = Tree(text)
    expressions = {}
    for node, place in MetadataWrapper(tree.module, unsafe_skip_copy=True).resolve(PositionProvider).items():
        span = Span(place.start.line, place.start.column, place.end.line, place.end.column)
        if node in tree.parents:
            assert tree.span(node) == span
            assert tree.offsets(node) == (tree.lines.offset(*span[:2]), tree.lines.offset(*span[2:]))
        if isinstance(node, cst.BaseExpression):
            expressions[span] = node
    assert tree.expressions == expressions


@pytest.mark.parametrize("name", TEXTS)
def test_positions_are_those_of_the_library(name: str) -> None:
    assert_right(TEXTS[name])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_positions_in_files_are_those_of_the_library(path: Path) -> None:
    assert_right(path.read_text(encoding="utf-8"))
