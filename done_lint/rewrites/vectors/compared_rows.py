"""Rows that a test keeps to compare them: nothing is learnt from what an assertion alone reads."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.facts.kinds.rows import Row
from done_lint.rewrites.context import Context
from done_lint.rewrites.vectors.step_rows import keeping
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name
from done_lint.syntax.tree import Scope, Tree

#: What a loop may read rows through.
_THROUGH = frozenset({"enumerate", "list", "reversed", "zip"})


def only_compared(context: Context, row: Row) -> bool:
    """Whether a row goes into something with a name which assertions read, tests and messages, where some are."""
    tree = context.tree
    name = _kept_in(keeping(tree, row))
    if name is None:
        return False
    scope = tree.scopes.resolved(tree.scope(name), name.value)
    if not isinstance(scope, cst.FunctionDef):
        return False  # others may read it too
    reads = [*_reads(tree, scope, name.value, frozenset())]
    asserts = any(_is_assertion(one) for one in tree.descend(scope.body, into_functions=False))
    return asserts and bool(reads) and all(any(map(_says, _around(tree, one))) for one in reads)


def _kept_in(store: cst.CSTNode) -> cst.Name | None:
    """`rows` of `rows.append(reward)` and of `rows[t] = reward`."""
    if isinstance(store, cst.Call) and isinstance(store.func, cst.Attribute):
        kept = store.func.value
    elif isinstance(store, cst.Assign) and isinstance(store.targets[0].target, cst.Subscript):
        kept = store.targets[0].target.value
    else:
        return None
    return kept if isinstance(kept, cst.Name) else None


def _reads(tree: Tree, scope: Scope, name: str, seen: frozenset[str]) -> Iterator[cst.Name]:
    """The reads of a name, and of those that loops over it bind, but for what puts more into it."""
    for read in tree.scopes.reads(scope, name):
        parent = tree.parents[read]
        put = isinstance(parent, cst.Attribute) and isinstance(tree.row(read), cst.SimpleStatementLine)
        if put and isinstance(parent, cst.Attribute) and parent.attr.value in ("append", "extend"):
            continue
        if isinstance(parent, cst.Subscript) and isinstance(tree.parents[parent], cst.AssignTarget):
            continue
        loop = _loop_over(tree, read)
        if loop is None:
            yield read
            continue
        for target in (loop.target, *tree.descend(loop.target)):
            if isinstance(target, cst.Name) and target.value not in seen | {name}:
                yield from _reads(tree, scope, target.value, seen | {name})


def _loop_over(tree: Tree, read: cst.Name) -> cst.For | cst.CompFor | None:
    """The loop that goes over what is read: `for a, b in zip(rows, others)`."""
    inner: cst.CSTNode = read
    for one in tree.ancestors(read):
        if isinstance(one, (cst.For, cst.CompFor)):
            return one if inner is one.iter else None
        if not isinstance(one, cst.Arg) and not (isinstance(one, cst.Call) and last_name(one.func) in _THROUGH):
            return None
        inner = one
    return None


def _around(tree: Tree, read: cst.Name) -> Iterator[cst.CSTNode]:
    """What a read stands in; of a branch only its test counts."""
    inner: cst.CSTNode = read
    for one in tree.ancestors(read):
        if not isinstance(one, cst.If) or inner is one.test:
            yield one
        inner = one


def _says(node: cst.CSTNode) -> bool:
    """An assertion, a test, or a message."""
    return (
        _is_assertion(node) or isinstance(node, cst.If) or (isinstance(node, cst.Call) and is_name(node.func, "print"))
    )


def _is_assertion(node: cst.CSTNode) -> bool:
    """`assert ...`, `np.testing.assert_allclose(rows, others)`, `self.assertEqual(...)`."""
    return isinstance(node, cst.Assert) or (isinstance(node, cst.Call) and last_name(node.func).startswith("assert"))
