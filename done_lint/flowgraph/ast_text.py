"""How expressions are spelled: their text, and the names in it."""

from __future__ import annotations

import ast
import re

_NEXT = re.compile(r"\(?(\w+) \+ 1(\) % .*)?")


def last_name(node: ast.expr) -> str:
    """`c` of `a.b.c`, `c`, `c[i]`; empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript):
        return last_name(node.value)
    return ""


def subscripts(key: ast.expr) -> list[ast.expr]:
    """`i, j` of `x[i, j]`; never empty."""
    return list(key.elts) if isinstance(key, ast.Tuple) and key.elts else [key]


def row_before(index: str) -> str:
    """`i` where an index is the row behind it, `i + 1`, also one that begins again at the end: `(i + 1) % n`."""
    found = _NEXT.fullmatch(index)
    return found[1] if found is not None else ""


def unparsed(e: ast.expr) -> str:
    """`ast.unparse`, which is dear, with a short way for names, their attributes and plain numbers."""
    if isinstance(e, ast.Name):
        return e.id
    if isinstance(e, ast.Constant) and type(e.value) is int:
        return str(e.value)
    if isinstance(e, ast.Attribute) and isinstance(e.value, (ast.Name, ast.Attribute)):
        return f"{unparsed(e.value)}.{e.attr}"
    return ast.unparse(e)
