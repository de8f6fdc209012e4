"""Ids of environments that are a part of another text: the name of a file that the program saves and loads again."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.core.reach import reach
from done_lint.rewrites.context import Context
from done_lint.syntax.dotted import last_name

#: What only shows a text.
_SHOWING = frozenset({"print", "info", "debug", "warning", "error", "set_description", "set_title", "title"})
_PUT_TOGETHER = (cst.FormattedString, cst.BinaryOperation)


def text_with_id(context: Context, literal: cst.SimpleString) -> str:
    """The expression of the file that puts the id of a string together with other text; empty: there is none.

    What is shown alone does not count: nothing is found under that name again.
    """
    names = list(reach(_assigned(context, literal), lambda name: _copies(context, name)))
    tree = context.tree
    for read in tree.of_type(cst.Name):
        if read.value in names and (whole := _joined(context, read)) is not None:
            return tree.source(whole)
    return ""


def _assigned(context: Context, literal: cst.CSTNode) -> Iterator[str]:
    """The names that a string, or the list that it stands in, is assigned to."""
    for around in context.tree.ancestors(literal):
        if isinstance(around, (cst.Call, cst.Subscript, cst.FunctionDef, cst.ClassDef)):
            return
        if isinstance(around, cst.Assign):
            yield from (one.target.value for one in around.targets if isinstance(one.target, cst.Name))
            return


def _copies(context: Context, name: str) -> Iterator[str]:
    """The names that are assigned what a name holds, or an element of it."""
    for statement in context.tree.of_type(cst.Assign):
        value = statement.value
        source = value.value if isinstance(value, cst.Subscript) else value
        if isinstance(source, cst.Name) and source.value == name:
            yield from (one.target.value for one in statement.targets if isinstance(one.target, cst.Name))


def _joined(context: Context, read: cst.Name) -> cst.BaseExpression | None:
    """The text that a name is a part of, `game + "_table"`, if it is not only shown."""
    found: cst.BaseExpression | None = None
    for around in context.tree.ancestors(read):
        if isinstance(around, _PUT_TOGETHER):
            found = around
        elif isinstance(around, cst.Subscript):
            return None
        elif isinstance(around, cst.Call):
            return None if last_name(around.func) in _SHOWING else found
        elif isinstance(around, cst.BaseSmallStatement):
            break
    return found
