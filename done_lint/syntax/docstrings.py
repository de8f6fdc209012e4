"""The docstring of a function or a class, as a node of its tree."""

from __future__ import annotations

import libcst as cst


def docstring(function: cst.FunctionDef | cst.ClassDef) -> cst.SimpleString | cst.ConcatenatedString | None:
    """The text that documents a function, as Python takes it: its first statement, if that is a plain text.

    `FunctionDef.get_docstring` of LibCST says what is in it, but not where it stands.
    """
    first = next(iter(function.body.body), None)
    if isinstance(first, cst.SimpleStatementLine):
        first = first.body[0]
    text = first.value if isinstance(first, cst.Expr) else None
    return text if isinstance(text, (cst.SimpleString, cst.ConcatenatedString)) else None
