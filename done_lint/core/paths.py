"""Paths: what the endings of file names mean, and how a path is displayed."""

from __future__ import annotations

import os

#: How the names of notebooks and of documents end (see `done_lint.source.documents`).
NOTEBOOKS = (".ipynb",)
PROSE = (".md", ".mdx", ".rst")
DOCUMENTS = (*NOTEBOOKS, *PROSE)
#: The folder of a project that keeps what was found before.
CACHE = ".done_lint_cache"


def shown(path: str) -> str:
    """A path as the user would write it: relative below the current folder, else as it is."""
    here = os.getcwd().rstrip(os.sep) + os.sep
    return path[len(here) :] if path.startswith(here) else path


def slashed(path: str) -> str:
    """A path with `/` between its parts on every system."""
    return path.replace("\\", "/")


def section(cell: int | None) -> str:
    """What a cell's number adds to the displayed path of its file."""
    return "" if cell is None else f":cell {cell}"
