"""Documents that hold Python: notebooks, Markdown and reStructuredText, and the examples in docstrings.

Each is read as one ordinary program for the analysis and the rules; the positions of their findings and edits are
mapped back to the cells and rows that people see (`layout`).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace

from done_lint.core.findings import Edit
from done_lint.core.paths import NOTEBOOKS, PROSE
from done_lint.source.documents.layout import Cell, Layout, assemble, rows_of


def read(path: str, text: str) -> Layout:
    """The program in a document; of a Python file, the program of its docstrings' examples.

    Raises:
        SourceError: the content does not have the format of its name.
        SyntaxError, ValueError, RecursionError: a Python file cannot be parsed.
    """
    from done_lint.source.documents import doctests, markdown, mentions, notebook, restructuredtext

    if path.endswith(NOTEBOOKS):
        cells, blocks = notebook.read(text)
    else:
        cells = [Cell(text)]
        rows = list(rows_of(text + "\n"))
        if path.endswith(".rst"):
            blocks = list(restructuredtext.blocks(text, rows))
        elif path.endswith(PROSE):
            blocks = list(markdown.blocks(text, rows, mdx=path.endswith(".mdx")))
        else:
            blocks = list(doctests.docstring_blocks(text))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        layout = assemble(cells, *mentions.readable(cells, blocks))
    if path.endswith(NOTEBOOKS) and _is_python_2(layout) and notebook.has_kernel_of_python_2(text):
        return replace(layout, python_2=True)
    return layout


def _is_python_2(layout: Layout) -> bool:
    """Whether some of the code runs under Python 2 alone."""
    from done_lint.source import python_versions

    failed = any(python_versions.CONVERT_FIRST in one.message for one in layout.failures)
    return failed or python_versions.needs_python_2(layout.program)


def rewritten(path: str, text: str, layout: Layout, edits: Iterable[Edit]) -> str:
    """The document after edits of its program."""
    texts = layout.rewritten(edits)
    if path.endswith(NOTEBOOKS):
        from done_lint.source.documents import notebook

        return notebook.rewritten(text, {layout.cells[place].number or 0: new for place, new in texts.items()})
    return texts.get(0, text)
