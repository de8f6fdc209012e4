"""Text edits that take away whole statements, with the blank rows that belong to them."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.syntax.dotted import last_name
from done_lint.syntax.edits import Edits, newline, removed
from done_lint.syntax.tree import Tree


def method_removed(tree: Tree, owner: cst.ClassDef, function: cst.FunctionDef) -> Edits:
    """Take a method away, with the blank rows before it (of the first one: behind it)."""
    block = owner.body.body
    if len(block) == 1:
        start, end = tree.offsets(function)
        return (Edit(start, end, "pass"),)
    if block[0] is function:
        first, following = (_first_row(tree, one, comments=True) for one in block[:2])
        return (Edit(tree.lines.offset(first, 0), tree.lines.offset(following, 0), ""),)
    start = tree.lines.offset(_first_row(tree, function, attached=True), 0)
    end = tree.text.find(newline(tree), tree.offsets(function)[1])
    if end >= 0:
        return (Edit(start, end + len(newline(tree)), ""),)
    # the file ends without a newline, and goes on doing so
    before = tree.text[:start].removesuffix(newline(tree))
    return (Edit(len(before), len(tree.text), ""),)


def removed_with_gap(tree: Tree, statement: cst.BaseSmallStatement) -> Edits:
    """Take a small statement away; blank rows before the last statement of a block go with it, and its comment."""
    edits = removed(tree, statement)
    line = tree.parents[statement]
    block = tree.siblings(line)
    if not isinstance(line, cst.SimpleStatementLine) or len(block) < 2:
        return edits
    if len(line.body) > 1 or line.trailing_whitespace.comment is not None:
        return edits
    about, rows = _is_about(line, statement), line.leading_lines
    if about and block[-1] is not line:
        return (Edit(tree.lines.offset(tree.span(statement).row - 1, 0), edits[0].end, ""),)
    if block[-1] is not line or any(row.comment is not None for row in (rows[:-1] if about else rows)):
        return edits
    return (Edit(tree.lines.offset(_first_row(tree, line), 0), edits[0].end, ""),)


def _is_about(line: cst.SimpleStatementLine, statement: cst.BaseSmallStatement) -> bool:
    """Whether one row of comment stands right above a call, and names what is called: `# Seed the generator.`."""
    comments = [row.comment for row in line.leading_lines[-2:]]
    if not comments or comments[-1] is None or (len(comments) > 1 and comments[0] is not None):
        return False
    called = statement.value.func if isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Call) else None
    return called is not None and last_name(called) in comments[-1].value.lower()


def _first_row(tree: Tree, statement: cst.CSTNode, *, comments: bool = False, attached: bool = False) -> int:
    """The first row of a statement: of its decorators, and the blank rows and comments before it.

    `comments`: without the blank rows before the first comment. `attached`: without a headline, which is a
    comment that a blank row parts from the statement.
    """
    leading: Sequence[cst.EmptyLine] = getattr(statement, "leading_lines", ())
    commented = [place for place, one in enumerate(leading) if one.comment is not None]
    if comments:
        leading = leading[commented[0] :] if commented else ()
    elif attached and commented and leading[-1].comment is None:
        leading = leading[commented[-1] + 1 :]
    decorators = getattr(statement, "decorators", ())
    return tree.span(decorators[0] if decorators else statement).row - len(leading)
