"""Surveys one file."""

from __future__ import annotations

import ast
from collections.abc import Container

from done_lint.flowgraph.schema import Survey
from done_lint.flowgraph.statements import Flows


def survey(path: str, text: str, inside: Container[str] | None = None) -> Survey:
    """Survey one file.

    Args:
        path: of the file.
        text: its code.
        inside: names of the files and folders of the project; None: any import may lead to one of them.

    Raises:
        SyntaxError, ValueError, RecursionError: `text` is not Python (`ast.parse`), or too deep.
    """
    return Flows(path, text).survey(ast.parse(text), text, inside)
