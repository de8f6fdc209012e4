"""Branches of a `render` for `close=True` that do nothing: `if close: return`. Nobody passes it any more."""

from __future__ import annotations

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.syntax.edits import Edits, indentation, removed
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Tree

_CLOSE = "close"


def without_close(tree: Tree, method: cst.FunctionDef) -> Edits | None:
    """The method without its branches on `close`; None where one of them does something, or it is read elsewhere."""
    edits: list[Edit] = []
    bindings = tree.scopes.bindings(method, _CLOSE)
    if len(bindings) != 1:
        return () if not bindings else None
    for read in tree.scopes.reads(method, _CLOSE):
        branch = tree.parents[read]
        found = _without(tree, branch) if isinstance(branch, cst.If) and branch.test is read else None
        if found is None:
            return None
        edits += found
    return tuple(edits)


def call_removed(tree: Tree, method: cst.FunctionDef, call: cst.Call) -> Edits | None:
    """A call that may ask to close: () where it does not ask, else its removal; None where that would lose something.

    `self.render(close=True)` returned at once: without the branch it would draw.
    """
    asked = _asked(method, call)
    if asked is None or is_name(asked, "False") or not tree.scopes.reads(method, _CLOSE):
        return ()
    statement = tree.parents[call]
    if not is_name(asked, "True") or not _begins_idle(method) or not isinstance(statement, cst.Expr):
        return None
    return removed(tree, statement)


def _asked(method: cst.FunctionDef, call: cst.Call) -> cst.BaseExpression | None:
    """What a call of the method on an object passes as `close`."""
    names = [one.name.value for one in method.params.params][1:]
    given = dict(zip(names, (one.value for one in call.args if one.keyword is None), strict=False))
    given |= {one.keyword.value: one.value for one in call.args if one.keyword is not None}
    starred = next((one.value for one in call.args if one.star), None)
    return starred or given.get(_CLOSE)


def _begins_idle(method: cst.FunctionDef) -> bool:
    """Whether nothing but a docstring stands before the branch on `close`."""
    first = next((one for one in method.body.body if not _is_text(one)), None)
    return isinstance(first, cst.If) and is_name(first.test, _CLOSE)


def _is_text(statement: cst.CSTNode) -> bool:
    """A statement that is only a text."""
    inside = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
    return isinstance(inside, cst.Expr) and isinstance(inside.value, (cst.SimpleString, cst.ConcatenatedString))


def _without(tree: Tree, branch: cst.If) -> Edits | None:
    """What stands behind `if close: return`, without that; None where it does anything else."""
    block = tree.parents[branch]
    if not _is_idle(branch.body) or not isinstance(block, cst.IndentedBlock) or len(block.body) == 1:
        return None
    behind = branch.orelse.body.body[0] if isinstance(branch.orelse, cst.Else) else None
    first = tree.span(branch).row
    last = tree.span(behind).row if behind is not None else tree.span(_statements(branch.body)[-1]).end_row + 1
    if any("#" in tree.lines.row(row) for row in range(first, last)):
        return None
    if isinstance(branch.orelse, cst.If):
        # `elif` becomes `if`
        return (Edit(tree.offsets(branch)[0], tree.offsets(branch.orelse)[0] + len("el"), ""),)
    shifted = _shifted(tree, branch, branch.orelse.body) if isinstance(branch.orelse, cst.Else) else ()
    if shifted is None:
        return None
    return (Edit(tree.lines.offset(first, 0), tree.lines.offset(last, 0), ""), *shifted)


def _shifted(tree: Tree, branch: cst.If, body: cst.BaseSuite) -> Edits | None:
    """The rows of a block, as far to the left as the branch; None where that would change more than the block."""
    texts = [*tree.inside(cst.SimpleString, body), *tree.inside(cst.FormattedString, body)]
    if not isinstance(body, cst.IndentedBlock) or any("\n" in tree.source(one) for one in texts):
        return None
    old, new = indentation(tree, body.body[0]), indentation(tree, branch)
    rows = range(tree.span(body.body[0]).row, tree.span(body.body[-1]).end_row + 1)
    if any(tree.lines.row(row).strip() and not tree.lines.row(row).startswith(old) for row in rows):
        return None
    if not old.startswith(new):
        return None
    starts = (tree.lines.offset(row, 0) for row in rows if tree.lines.row(row).strip())
    return tuple(Edit(start + len(new), start + len(old), "") for start in starts)


def _is_idle(body: cst.BaseSuite) -> bool:
    """Whether a block is one `return` of nothing."""
    statements = _statements(body)
    first = statements[0]
    bare = isinstance(first, cst.Return) and (first.value is None or is_name(first.value, "None"))
    return bare and len(statements) == 1


def _statements(body: cst.BaseSuite) -> list[cst.CSTNode]:
    """The statements of a block, those of one row apart."""
    found: list[cst.CSTNode] = []
    for one in body.body:
        found += one.body if isinstance(one, cst.SimpleStatementLine) else [one]
    return found
