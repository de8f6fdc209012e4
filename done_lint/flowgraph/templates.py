"""Text that a program puts together and that may be an environment id: `f"{game}-v4"`, `"ALE/" + game + "-v5"`.

Or the name of a package before an id: `"mazes:" + task`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.keys import TextKey
from done_lint.flowgraph.names import named_key
from done_lint.flowgraph.operations import Node

_FIELD = re.compile(r"\{[^{}]*\}")
_CONVERSION = re.compile(r"%(\(\w+\))?[-#0-9. ]*[a-zA-Z]")
#: One of these is in every id: a version, or a namespace.
_SIGNS = ("-v", "/")
#: Without such a sign, the package that has the id is written.
_BEHIND_PACKAGE = re.compile(r"[A-Za-z_][\w.]*:[^\s:]+")
#: No id is a sum of more; each part of a sum is a sum as well, so that looking at all of them would be quadratic.
_MOST_PIECES = 64


def written_text(b: Builder, e: ast.expr) -> Node:
    """The node of the text that an expression makes; 0 where it cannot be an id or an entry point."""
    if not (template(b, e) or e in b.entry_points):
        return 0
    node = b.node()
    put_text(b, e, node)
    return node


def put_text(b: Builder, e: ast.expr, node: Node) -> bool:
    """Put the text that an expression makes into a node, if it can be an id or an entry point."""
    pattern = template(b, e)
    texts = b.entry_points.get(e, (pattern,) if pattern and "*" not in pattern else ())
    for text in texts:
        b.op(ops.Text(node, text))
    if pattern and not texts:
        b.op(ops.Template(node, pattern))
    return bool(texts or pattern)


def template(b: Builder, e: ast.expr) -> str:
    """The text that an expression makes, with `*` for what is put in; empty where it cannot be an id."""
    text = "".join(_parts(b, e))
    return text if any(sign in text for sign in _SIGNS) or _BEHIND_PACKAGE.fullmatch(text) else ""


def _parts(b: Builder, e: ast.expr) -> Iterator[str]:
    if isinstance(e, ast.JoinedStr):
        for value in e.values:
            if isinstance(value, ast.FormattedValue) and value.format_spec is None:
                yield _named(b, value.value)
            else:
                yield str(value.value) if isinstance(value, ast.Constant) else "*"
    elif isinstance(e, ast.BinOp) and isinstance(e.op, ast.Add):
        operands = pieces(e)
        if any(isinstance(one, ast.JoinedStr) or constant_text(one) for one in operands):
            yield from (_piece(b, one) for one in operands)
    elif isinstance(e, ast.BinOp) and isinstance(e.op, ast.Mod):
        yield _CONVERSION.sub("*", constant_text(e.left))
    elif isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute) and e.func.attr == "format":
        yield _FIELD.sub("*", constant_text(e.func.value))


def pieces(e: ast.expr) -> list[ast.expr]:
    """The operands of a sum, in order; nothing where they are more than an id has."""
    found: list[ast.expr] = []
    waiting = [e]
    while waiting and len(found) + len(waiting) <= _MOST_PIECES:
        one = waiting.pop()
        if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Add):
            waiting += (one.right, one.left)
        else:
            found.append(one)
    return [] if waiting else found


def _named(b: Builder, e: ast.expr) -> str:
    """The text that a name stands for, if that is known."""
    known = named_key(b, e)
    return known.text if isinstance(known, TextKey) else "*"


def _piece(b: Builder, e: ast.expr) -> str:
    """What an operand of a sum puts into the text."""
    return str(e.value) if isinstance(e, ast.Constant) else "".join(_parts(b, e)) or _named(b, e)


def constant_text(e: ast.expr) -> str:
    """A string that stands there; empty for anything else."""
    return e.value if isinstance(e, ast.Constant) and isinstance(e.value, str) else ""
