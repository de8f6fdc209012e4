"""From changed LibCST nodes to the smallest text edits, so that untouched bytes stay untouched."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import overload

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.syntax.tree import Tree

Edits = tuple[Edit, ...]

_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)
#: The end of the last argument, and the parenthesis in a row below.
_LAST = re.compile(r",?[ \t]*\r?\n\s*\)")
_COMMA = re.compile(r"\s*,")
_REST = re.compile(r"[ \t]*(?:\r\n|\r|\n)")
_NEWLINE = re.compile(r"\r\n|\r|\n")


@overload
def exchanged(node: cst.BaseExpression, changes: Mapping[cst.CSTNode, cst.CSTNode]) -> cst.BaseExpression: ...
@overload
def exchanged(node: cst.BaseSmallStatement, changes: Mapping[cst.CSTNode, cst.CSTNode]) -> cst.BaseSmallStatement: ...
def exchanged(
    node: cst.BaseExpression | cst.BaseSmallStatement, changes: Mapping[cst.CSTNode, cst.CSTNode]
) -> cst.BaseExpression | cst.BaseSmallStatement:
    """The node with new parts: `changes` maps nodes in it, or itself, to what takes their place.

    Raises:
        TypeError: an expression would become a statement, or a statement something else.
    """
    kind = cst.BaseExpression if isinstance(node, cst.BaseExpression) else cst.BaseSmallStatement
    new = node.visit(_Exchange(changes))
    if not isinstance(new, kind):
        raise TypeError(f"{type(node).__name__} cannot become {type(new).__name__}")
    return new


class _Exchange(cst.CSTTransformer):
    """Puts new nodes in the place of old ones."""

    def __init__(self, changes: Mapping[cst.CSTNode, cst.CSTNode]) -> None:
        super().__init__()
        self.changes = changes

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        return self.changes.get(original_node, updated_node)


def replaced(tree: Tree, node: cst.CSTNode, new: cst.CSTNode) -> Edits:
    """Edits that turn an expression or a small statement into a new one."""
    start, end = tree.offsets(node)
    if isinstance(node, cst.BaseExpression) and node.lpar:
        # The node's own parentheses stand outside its span and stay.
        new = new.with_changes(lpar=(), rpar=())
    if isinstance(new, cst.BaseSmallStatement):
        # so does the semicolon behind a statement
        new = new.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
    return difference(tree.text[start:end], _code(tree, node, new), start)


def without_parentheses(tree: Tree, node: cst.BaseExpression, new: cst.BaseExpression) -> Edits:
    """Edits that turn an operation in parentheses into a name, which needs none: `not (a or b)` into `not a`."""
    start, end = tree.offsets(node)
    around = tree.text[start - 2 : end + 2]
    needed = isinstance(new, (cst.Name, cst.Attribute)) and isinstance(
        node, (cst.BooleanOperation, cst.BinaryOperation)
    )
    if not needed or len(node.lpar) != 1 or around[:2] != " (" or around[-2:-1] != ")" or around[-1:].isalnum():
        return replaced(tree, node, new)
    return (Edit(start - 1, end + 1, _code(tree, node, new)),)


def added_after(
    tree: Tree, statement: cst.BaseSmallStatement, new: cst.BaseSmallStatement, *, commented: bool = False
) -> Edits:
    """A small statement behind another one: on the next line where that is possible.

    `commented` gives it the comment of the other one.
    """
    code = tree.module.code_for_node(new)
    line = tree.parents[statement]
    if isinstance(line, cst.SimpleStatementLine) and line.body[-1] is statement:
        end_row = tree.span(statement).end_row
        row_end = tree.lines.offset(end_row, len(tree.lines.row(end_row)))
        end = tree.offsets(statement)[1] if commented else row_end
        return (Edit(end, end, newline(tree) + indentation(tree, line) + code),)
    end = tree.offsets(statement)[1]
    return (Edit(end, end, f"; {code}"),)


def added_before(tree: Tree, statement: cst.CSTNode, new: cst.BaseSmallStatement) -> Edits:
    """A small statement on a line of its own before a statement that starts a line."""
    start = tree.offsets(statement)[0] - len(indentation(tree, statement))
    code = indentation(tree, statement) + tree.module.code_for_node(new) + newline(tree)
    return (Edit(start, start, code),)


def removed(tree: Tree, statement: cst.BaseSmallStatement) -> Edits:
    """Take a small statement away; its comment stays, and an empty block gets `pass`."""
    start, end = tree.offsets(statement)
    line = tree.parents[statement]
    if not isinstance(line, (cst.SimpleStatementLine, cst.SimpleStatementSuite)):
        raise TypeError(f"{type(line).__name__} holds no small statements")
    place = line.body.index(statement)
    if len(line.body) > 1:
        if place + 1 < len(line.body):
            return (Edit(start, tree.offsets(line.body[place + 1])[0], ""),)
        return (Edit(tree.offsets(line.body[place - 1])[1], end, ""),)
    if isinstance(line, cst.SimpleStatementSuite) or (
        len(tree.siblings(line)) == 1 and tree.parents[line] is not tree.module
    ):
        return (Edit(start, end, "pass"),)
    if line.trailing_whitespace.comment is not None:
        gap = len(line.trailing_whitespace.whitespace.value)
        return (Edit(start, end + gap, ""),)
    after = _NEWLINE.search(tree.text, end)
    return (Edit(start - len(indentation(tree, line)), after.end() if after else len(tree.text), ""),)


def argument_added(tree: Tree, call: cst.Call, argument: str) -> Edits:
    """One more argument, behind the last one of a call: on a row of its own where that one has a row for itself."""
    if not call.args:
        # The call ends with its closing parenthesis.
        end = tree.offsets(call)[1] - 1
        return (Edit(end, end, argument),)
    start, end = tree.offsets(call.args[-1])
    if isinstance(call.args[-1].comma, cst.Comma):
        end = len(tree.text[:end].rstrip().removesuffix(",").rstrip())
    gap = tree.text[len(tree.text[:start].rstrip()) : start]
    alone = gap.count("\n") == 1 and _LAST.match(tree.text, end)
    return (Edit(end, end, f",{gap if alone else ' '}{argument}"),)


def argument_removed(tree: Tree, call: cst.Call, argument: cst.Arg) -> Edits:
    """Take an argument away, and the rows that it has for itself; the parentheses of the last one close."""
    place = call.args.index(argument)
    start, end = tree.offsets(argument)
    if len(call.args) == 1 and (empty := _between_parentheses(tree, call)):
        return (Edit(*empty, ""),)
    comma = _COMMA.match(tree.text, end)
    behind = comma.end() if comma else end
    row = tree.text.rfind("\n", 0, start) + 1
    newline = _REST.match(tree.text, behind)
    if not tree.text[row:start].strip() and newline:
        return (Edit(row, newline.end(), ""),)
    if place:
        return (Edit(tree.offsets(call.args[place - 1])[1], end, ""),)
    if len(call.args) > 1:
        return (Edit(start, tree.offsets(call.args[1])[0], ""),)
    return (Edit(start, behind, ""),)


def _between_parentheses(tree: Tree, call: cst.Call) -> tuple[int, int] | None:
    """Where everything between the parentheses of a call with one argument stands; none where a comment does."""
    argument = call.args[0]
    start, end = tree.offsets(argument)[0], tree.offsets(call)[1] - 1
    first = start - len(tree.text[:start]) + len(tree.text[:start].rstrip())
    outside = tree.text[tree.offsets(argument)[1] : end]
    return (first, end) if tree.text[first - 1] == "(" and "#" not in outside else None


def indentation(tree: Tree, statement: cst.CSTNode) -> str:
    """The white space before a statement that starts a line."""
    span = tree.span(statement)
    return tree.lines.row(span.row)[: span.column]


def difference(old: str, new: str, start: int) -> Edits:
    """The edits, token by token, from `old`, which stands at offset `start`, to `new`."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    offsets = [start]
    for token in before:
        offsets.append(offsets[-1] + len(token))
    changes = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return tuple(
        Edit(offsets[first], offsets[last], "".join(after[first_new:last_new]))
        for kind, first, last, first_new, last_new in changes
        if kind != "equal"
    )


def _code(tree: Tree, node: cst.CSTNode, new: cst.CSTNode) -> str:
    """Source text of `new` at the place of `node`: continuation lines keep the block's indentation."""
    statement: cst.BaseSmallStatement
    if isinstance(new, cst.BaseSmallStatement):
        statement = new
    elif isinstance(new, cst.BaseExpression):
        statement = cst.Expr(new)
    else:
        raise TypeError(f"{type(new).__name__} is neither an expression nor a small statement")
    indent = _block_indentation(tree, node)
    body: Sequence[cst.BaseStatement] = [cst.SimpleStatementLine([statement])]
    if indent:
        block = cst.IndentedBlock(body, indent=indent)
        code = tree.module.code_for_node(block).split(tree.module.default_newline, 1)[1][len(indent) :]
    else:
        code = tree.module.code_for_node(body[0])
    return code.removesuffix(tree.module.default_newline)


def _block_indentation(tree: Tree, node: cst.CSTNode) -> str:
    """Indentation of the block that holds the node."""
    for ancestor in (node, *tree.ancestors(node)):
        if isinstance(ancestor, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
            return indentation(tree, ancestor)
    return ""


def newline(tree: Tree) -> str:
    """The file's newline."""
    match = _NEWLINE.search(tree.text)
    return match.group() if match else "\n"
