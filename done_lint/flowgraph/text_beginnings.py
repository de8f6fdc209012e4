"""With what a text begins that a program puts together: `PACKAGE + task`, `f"{PACKAGE}{task}"`, `"%s-%s" % (KIND, n)`.

The beginning of an id may name the package that has it, wherever that is written: in another file, a parameter, a
setting. So the value of the first part goes on into the text.
"""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from done_lint.flowgraph import operations as ops
from done_lint.flowgraph.ast_text import last_name
from done_lint.flowgraph.builder import Builder
from done_lint.flowgraph.operations import Node
from done_lint.flowgraph.templates import constant_text, pieces

_FIELD = re.compile(r"\{(\w*)(![rsa])?\}")
_CONVERSION = re.compile(r"%s")
#: What may hold the name of a package.
_NAMING = (ast.Name, ast.Attribute, ast.Subscript)
#: What stands in a text beside what is written.
_PARTS = (*_NAMING, ast.Call, ast.JoinedStr, ast.FormattedValue)


class _Beginning(NamedTuple):
    first: ast.expr
    #: `*` for what is not known of it.
    rest: str


def note_beginning(b: Builder, e: ast.expr, node: Node = 0, left: Node = 0) -> Node:
    """Let the text that an expression makes, at `node` or a new one, begin as its first part; 0: it is no text.

    `left` is the node of the left side of an operator, where that is known.
    """
    found = _beginning(e)
    if found is None or not isinstance(found.first, _NAMING):
        return node
    is_left = left and isinstance(e, ast.BinOp) and found.first is e.left
    source = left if is_left else b.expr(found.first)
    if not source:
        return node
    node = node or b.node()
    b.wait(source, ops.Begins(source, node, found.rest))
    return node


def _beginning(e: ast.expr) -> _Beginning | None:
    if isinstance(e, ast.JoinedStr):
        return _of_parts(e.values)
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Add):
        return _of_parts(pieces(e))
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.Mod):
        given = e.right.elts if isinstance(e.right, ast.Tuple) else [e.right]
        return _formatted(_CONVERSION, constant_text(e.left), given, [])
    if isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute):
        text = constant_text(e.func.value)
        if e.func.attr == "format":
            return _formatted(_FIELD, text, e.args, e.keywords)
        if e.func.attr == "join":
            return _joined(text, e)
    return None


def _of_parts(parts: list[ast.expr]) -> _Beginning | None:
    """Of what stands one behind the other; a number is in no text."""
    first = parts[0] if parts else None
    if isinstance(first, ast.FormattedValue):
        first = first.value if first.format_spec is None else None
    texts = [constant_text(one) for one in parts]
    if first is None or not all(text or isinstance(one, _PARTS) for text, one in zip(texts, parts, strict=True)):
        return None
    return _Beginning(first, "".join(text or "*" for text in texts[1:]))


def _formatted(field: re.Pattern[str], text: str, given: list[ast.expr], named: list[ast.keyword]) -> _Beginning | None:
    """`"%s-%s" % (family, number)`, `"{}:{}".format(package, task)`."""
    begins = field.match(text)
    if begins is None:
        return None
    name = begins[1] if field.groups else ""
    by_name = {one.arg: one.value for one in named}
    place = int(name or 0) if not name or name.isdecimal() else -1
    first = by_name.get(name) or (given[place] if 0 <= place < len(given) else None)
    return _Beginning(first, field.sub("*", text[begins.end() :])) if first is not None else None


def _joined(between: str, e: ast.Call) -> _Beginning | None:
    """`"-".join([family, number])`, `os.path.join(package, task)`."""
    parts, paths = e.args, isinstance(e.func, ast.Attribute) and last_name(e.func.value) == "path"
    if not paths:
        parts = e.args[0].elts if len(e.args) == 1 and isinstance(e.args[0], (ast.List, ast.Tuple)) else []
    rest = "".join(("/" if paths else between) + (constant_text(one) or "*") for one in parts[1:])
    return _Beginning(parts[0], rest) if parts else None
