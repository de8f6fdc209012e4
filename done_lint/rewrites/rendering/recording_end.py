"""Where a recording ends: `RecordVideo` writes its last video when the environment is closed, and at no other time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from done_lint.core.findings import Edit
from done_lint.core.paths import DOCUMENTS
from done_lint.facts.facts import Facts
from done_lint.facts.kinds.environments import Env
from done_lint.syntax.edits import Edits, added_before, indentation, newline
from done_lint.syntax.shapes import is_main_guard, is_name, method_called, only_target
from done_lint.syntax.tree import Tree


def closing(path: str, tree: Tree, facts: Facts, recording: cst.Call, env: Env) -> Edits | None:
    """What closes an environment at the end of the code that records it.

    `Monitor` of old Gym wrote the last video by itself when the program ended.

    Args:
        path: the file.
        tree: its syntax.
        facts: what is known of it.
        recording: the call of the wrapper.
        env: what is recorded.

    Returns:
        No edits where the file closes it, None where the end is not visible.
    """
    calls = [node for node in tree.attributes("close") if method_called(tree.parents[node]) == "close"]
    closed = (found for one in calls if (found := facts.members.get(tree.span(one))) is not None)
    if env.made and any(set(env.made).issubset(one.made) for one in closed):  # others may be closed there as well
        return ()
    line = tree.row(recording)
    statement = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    name = only_target(statement)
    if not isinstance(statement, cst.Assign) or statement.value is not recording or not isinstance(name, cst.Name):
        return None
    if line is None or not _stays(tree, recording, name.value):
        return None
    if any(is_name(one.value, name.value) and tree.scope(one) is tree.scope(recording) for one in calls):
        return ()
    block = _block(tree, line)
    if not block or (isinstance(tree.scope(line), cst.Module) and path.endswith(DOCUMENTS)):
        return None  # cells may be run again, and further ones added
    top = next((one for one in (line, *tree.ancestors(line)) if one in block), None)
    if line is block[-1]:
        return ()  # nothing runs after it
    if top is None or not _is_bound(tree, line, top, block, name.value) or any(map(_never_ends, block)):
        return None
    return _at_end(tree, block, f"{name.value}.close()")


def _block(tree: Tree, line: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The statements of the function around a line, or of the module, or of its `if __name__ == "__main__":`."""
    scope = tree.scope(line)
    if isinstance(scope, cst.FunctionDef):
        return list(scope.body.body) if isinstance(scope.body, cst.IndentedBlock) else []
    if not isinstance(scope, cst.Module):
        return []
    for one in tree.ancestors(line):
        if isinstance(one, cst.If) and one in scope.body and isinstance(one.body, cst.IndentedBlock):
            return list(one.body.body) if is_main_guard(one) else list(scope.body)
    return list(scope.body)


def _is_bound(tree: Tree, line: cst.CSTNode, top: cst.CSTNode, block: Sequence[cst.CSTNode], name: str) -> bool:
    """Whether the name has an environment at the end of the block, whichever way the program goes."""
    if top is line:
        return True
    if not isinstance(top, cst.If) or tree.parents.get(line) is not top.body:
        return False
    branch = top.orelse.body.body if isinstance(top.orelse, cst.Else) else ()
    before = block[: list(block).index(top)]
    return any(_binds(one, name) for one in (*branch, *before))


def _binds(line: cst.CSTNode, name: str) -> bool:
    """`name = ...`, on a line of its own."""
    return isinstance(line, cst.SimpleStatementLine) and any(is_name(only_target(one), name) for one in line.body)


def _stays(tree: Tree, recording: cst.Call, name: str) -> bool:
    """Whether nobody holds the environment after the end of the code that it is made in."""
    scope = tree.scope(recording)
    uses = [node for node in tree.inside(cst.Name, scope) if node.value == name]
    bindings = [one for one in tree.scopes.bindings(scope, name) if tree.span(one) > tree.span(recording)]
    if any(_is_replaced(tree, one, name) for one in bindings):
        return False
    if not isinstance(scope, cst.FunctionDef):
        return True
    if (
        tree.inside(cst.Yield, scope)
        or tree.scopes.is_declared(name)
        or any(tree.scope(one) is not scope for one in uses)
    ):
        return False
    returns = [one for one in tree.inside(cst.Return, scope) if tree.scope(one) is scope]
    last = scope.body.body[-1]
    if any(tree.parents[one] is not last for one in returns):
        return False
    given = {node.value for one in returns for node in tree.inside(cst.Name, one)}
    kept = {*given, "self", *(one.name.value for one in tree.inside(cst.Param, scope.params))}
    return name not in given and not any(_reaches(tree, one, kept) for one in uses)


def _is_replaced(tree: Tree, binding: cst.Name, name: str) -> bool:
    """Whether something else takes the name, and not a wrapper around what it was."""
    above = tree.parents[binding]
    statement = tree.parents[above] if isinstance(above, cst.AssignTarget) else None
    if not isinstance(statement, cst.Assign):
        return True
    if any(isinstance(one, cst.Else) for one in tree.ancestors(statement)):
        return False
    return not any(is_name(node, name) for node in tree.inside(cst.Name, statement.value))


def _reaches(tree: Tree, use: cst.Name, kept: set[str]) -> bool:
    """Whether a use hands the environment to something that outlives the function: names in `kept`."""
    handed, read = False, isinstance(tree.parents[use], cst.Attribute)
    for one, above in _upwards(tree, use):
        if isinstance(above, cst.Lambda):
            return True
        if isinstance(above, cst.Arg):
            handed = handed or not read
        if isinstance(above, cst.Call) and one is not above.func and isinstance(above.func, cst.Attribute):
            root: cst.BaseExpression = above.func
            while isinstance(root, cst.Attribute):
                root = root.value
            if is_name(root, *kept) and not read:
                return True
        if isinstance(above, cst.Assign):
            targets = [target.target for target in above.targets]
            stored = any(not isinstance(target, cst.Name) or target.value in kept for target in targets)
            return stored and (handed or above.value is use)
    return False


def _upwards(tree: Tree, node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """A node and its parent, up to its statement."""
    for above in tree.ancestors(node):
        yield node, above
        if isinstance(above, cst.BaseSmallStatement):
            return
        node = above


def _never_ends(line: cst.CSTNode) -> bool:
    """`while True:` without a `break`, which a program leaves only when it is stopped."""
    return isinstance(line, cst.While) and is_name(line.test, "True") and not _leaves(line)


def _leaves(node: cst.CSTNode) -> bool:
    """Whether a loop, or a statement of its body, has a `break` of that loop."""
    blocks = [node.body, getattr(node, "orelse", None)] if isinstance(node, (cst.While, cst.If, cst.Else)) else []
    lines = [line for block in blocks if isinstance(block, cst.BaseSuite) for line in block.body]
    rows = [line for line in lines if isinstance(line, (cst.SimpleStatementLine, cst.Break))]
    small = [one for row in rows for one in (row.body if isinstance(row, cst.SimpleStatementLine) else [row])]
    inner = [one for one in (*lines, *blocks) if isinstance(one, (cst.If, cst.Else))]
    return any(isinstance(one, cst.Break) for one in small) or any(map(_leaves, inner))


def _at_end(tree: Tree, block: Sequence[cst.CSTNode], code: str) -> Edits:
    """A statement at the end of a block, before its `return`."""
    last = block[-1]
    if isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[0], cst.Return):
        return added_before(tree, last, cst.Expr(cst.parse_expression(code)))
    row = tree.span(last).end_row
    end = tree.lines.offset(row, len(tree.lines.row(row)))
    return (Edit(end, end, f"{newline(tree)}{indentation(tree, last)}{code}"),)
