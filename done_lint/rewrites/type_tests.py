"""Code that asks what something is before it is used: `isinstance(infos, list)`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.syntax.compared import compared_with
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name, is_number, only_index, only_target
from done_lint.syntax.tree import Tree


def asks_type(tree: Tree, test: cst.CSTNode, names: set[str]) -> bool:
    """`isinstance(x, ...)`, x one of the names, or of the attributes as they are written."""
    asked = [
        call.args[0].value
        for call in tree.descend(test)
        if isinstance(call, cst.Call) and last_name(call.func) == "isinstance" and call.args
    ]
    return any(tree.source(one) in names for one in asked)


def passed_tests(tree: Tree, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The tests of the branches before a node of which some way leaves: behind, what another way asked for holds."""
    for around in (node, *tree.ancestors(node)):
        if isinstance(around, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            return
        for before in tree.siblings(around):
            if before is around:
                break
            ways = list(_ways(before)) if isinstance(before, cst.If) else []
            if any(_leaves(way.body) for way in ways):
                yield from (way.test for way in ways if isinstance(way, cst.If))


def _ways(branch: cst.If) -> Iterator[cst.If | cst.Else]:
    """`if`, `elif` and `else` of a branch."""
    way: cst.If | cst.Else | None = branch
    while way is not None:
        yield way
        way = way.orelse if isinstance(way, cst.If) else None


def _leaves(block: cst.BaseSuite) -> bool:
    """Whether the last statement of a block goes elsewhere."""
    last = block.body[-1] if block.body else None
    small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    return isinstance(small, (cst.Break, cst.Continue, cst.Raise, cst.Return))


def asks_for_pair(tree: Tree, result: cst.CSTNode) -> bool:
    """Whether the statement behind the one that names a result takes its first value where it is a tuple, else all.

    `if isinstance(state, tuple): state = state[0]`, `state = out[0] if isinstance(out, tuple) else out`: both the
    observation alone and the pair of a reset are taken care of. What the name is then has to be the observation.
    """
    line = tree.row(result)
    target = only_target(tree.parents[result])
    behind = tree.following(line) if line is not None and len(line.body) == 1 else None
    if not isinstance(target, cst.Name) or behind is None:
        return False
    name = target.value
    if isinstance(behind, cst.If):
        return behind.orelse is None and _is_tuple(behind.test, name) and _takes_first(behind.body, name)
    if not isinstance(behind, cst.SimpleStatementLine) or not isinstance(statement := behind.body[0], cst.Assign):
        return False
    choice, taker = statement.value, only_target(statement)
    if not isinstance(choice, cst.IfExp) or not isinstance(taker, cst.Name) or not _is_tuple(choice.test, name):
        return False
    reads = tree.scopes.reads(tree.scope(statement), name)
    alone = taker.value == name or all(tree.row(read) is behind for read in reads)
    return alone and is_name(choice.orelse, name) and _is_first(choice.body, name)


def asserts_pair(tree: Tree, result: cst.CSTNode) -> bool:
    """Whether a test asserts of the name of a result that it is a tuple, or that it has two values."""
    target = only_target(tree.parents[result])
    reads = tree.scopes.reads(tree.scope(result), target.value) if isinstance(target, cst.Name) else ()
    return any(_is_asserted(tree, read) for read in reads)


def asks_for_tuple(tree: Tree, result: cst.CSTNode) -> bool:
    """Whether the program asks of the name of a result what it is: a tuple, or two values, or none of both.

    `isinstance(x, tuple)`, `type(x) is tuple`, `len(x) == 2`, `match x:`, or a `try` that takes two values of it.
    """
    target = only_target(tree.parents[result])
    reads = tree.scopes.reads(tree.scope(result), target.value) if isinstance(target, cst.Name) else ()
    return any(_is_asked(tree, read) or _is_tried(tree, read) for read in reads)


def asks_call_for_tuple(tree: Tree, call: cst.Call) -> bool:
    """Whether a choice asks of the same call whether it gives a tuple.

    `env.reset() if isinstance(env.reset(), tuple) else (env.reset(), {})`.
    """
    choices = (one for one in tree.ancestors(call) if isinstance(one, (cst.IfExp, cst.If)))
    asked = (part for one in choices for part in tree.descend(one.test) if isinstance(part, cst.Call))
    return any(
        is_name(one.func, "isinstance")
        and len(one.args) == 2
        and is_name(one.args[1].value, "tuple")
        and tree.source(one.args[0].value) == tree.source(call)
        for one in asked
    )


def is_returned_whole(tree: Tree, result: cst.CSTNode) -> bool:
    """Whether a result is returned as it is, and else only asked for a type by an `if` that a pair passes by.

    `if isinstance(obs, dict): return obs`, and behind it `return obs`: who calls gets the pair.
    """
    target = only_target(tree.parents[result])
    reads = tree.scopes.reads(tree.scope(result), target.value) if isinstance(target, cst.Name) else ()
    asking = [branch for read in reads if (branch := _branch_asking(tree, read)) is not None]
    returned = [one for one in map(tree.parents.get, reads) if isinstance(one, cst.Return)]
    past = (one for one in returned if not any(tree.within(one, branch.body) for branch in asking))
    return bool(asking) and len(asking) + len(returned) == len(reads) and any(past)


def _branch_asking(tree: Tree, read: cst.Name) -> cst.If | None:
    """The `if isinstance(x, kind):` that reads a name."""
    call = tree.parents[tree.parents[read]]
    if not isinstance(call, cst.Call) or not is_name(call.func, "isinstance") or call.args[0].value is not read:
        return None
    branch = tree.parents[call]
    return branch if isinstance(branch, cst.If) and branch.test is call else None


def _is_asked(tree: Tree, read: cst.Name) -> bool:
    parent = tree.parents[read]
    if isinstance(parent, cst.Match):
        return parent.subject is read
    call = tree.parents[parent]
    if not isinstance(call, cst.Call) or not call.args or call.args[0].value is not read:
        return False
    if is_name(call.func, "isinstance"):
        kinds = call.args[1].value if len(call.args) == 2 else None
        listed = [one.value for one in kinds.elements] if isinstance(kinds, cst.Tuple) else [kinds]
        return any(one is not None and is_name(one, "tuple") for one in listed)
    other = compared_with(tree, call)
    if is_name(call.func, "type"):
        return other is not None and is_name(other, "tuple")
    return is_name(call.func, "len") and is_number(other, "2")


def _is_tried(tree: Tree, read: cst.Name) -> bool:
    """`try: obs, info = x`, where a handler goes on without the two values."""
    statement = tree.parents[read]
    target, row = only_target(statement), tree.row(statement)
    if not isinstance(target, cst.Tuple) or len(target.elements) != 2 or row is None:
        return False
    block = tree.parents[row]
    around = tree.parents.get(block)
    return isinstance(around, cst.Try) and around.body is block and bool(around.handlers)


def is_tuple_by_use(tree: Tree, result: cst.CSTNode) -> bool:
    """Whether the name of a result is added to a tuple, as no observation is: `return (seed, *names) + result`."""
    target = only_target(tree.parents[result])
    reads = tree.scopes.reads(tree.scope(result), target.value) if isinstance(target, cst.Name) else ()
    sums = [one for one in map(tree.parents.get, reads) if isinstance(one, cst.BinaryOperation)]
    return any(
        isinstance(one.operator, cst.Add) and any(isinstance(side, cst.Tuple) for side in (one.left, one.right))
        for one in sums
    )


def _is_asserted(tree: Tree, read: cst.Name) -> bool:
    """`assert isinstance(x, tuple)`, `self.assertIsInstance(x, tuple)`, `assert len(x) == 2`."""
    call = tree.parents[tree.parents[read]]
    if not isinstance(call, cst.Call) or not call.args or call.args[0].value is not read:
        return False
    if last_name(call.func).lower().endswith("isinstance"):
        says = len(call.args) > 1 and is_name(call.args[1].value, "tuple")
    else:
        says = is_name(call.func, "len") and is_number(compared_with(tree, call), "2")
    around = (call, *tree.ancestors(call))
    return says and any(isinstance(one, cst.Assert) or _asserts(one) for one in around)


def _asserts(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and last_name(node.func).startswith("assert")


def _is_tuple(test: cst.BaseExpression, name: str) -> bool:
    """`isinstance(x, tuple)`."""
    if not isinstance(test, cst.Call) or not is_name(test.func, "isinstance") or len(test.args) != 2:
        return False
    return is_name(test.args[0].value, name) and is_name(test.args[1].value, "tuple")


def _takes_first(body: cst.BaseSuite, name: str) -> bool:
    """Whether all that a block does is `x = x[0]`, or `x, _ = x`."""
    rows = body.body
    if len(rows) != 1:
        return False
    statements = rows[0].body if isinstance(rows[0], cst.SimpleStatementLine) else rows
    statement = statements[0]
    target = only_target(statement)
    if len(statements) != 1 or not isinstance(statement, cst.Assign) or target is None:
        return False
    if isinstance(target, cst.Tuple) and len(target.elements) == 2:
        return is_name(statement.value, name) and is_name(target.elements[0].value, name)
    return is_name(target, name) and _is_first(statement.value, name)


def _is_first(value: cst.BaseExpression, name: str) -> bool:
    """`x[0]`."""
    if not isinstance(value, cst.Subscript) or not is_name(value.value, name):
        return False
    return is_number(only_index(value), "0")
