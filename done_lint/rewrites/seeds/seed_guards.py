"""What stands around a call of `seed` in case there is no such method: a test for it, or a `try`."""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.env_methods import receiver
from done_lint.syntax.shapes import is_name, is_same, string_value
from done_lint.syntax.tree import Tree

#: The error of a missing method, and what catches it too.
_MISSING = frozenset({"AttributeError", "Exception"})


def seed_guard(tree: Tree, call: cst.Call) -> cst.If | cst.Try | None:
    """`if hasattr(env, "seed"):` or `try:` around a call alone, without another way where there is no method."""
    _, _, block, guard, *_ = [*tree.ancestors(call), None, None, None, None]
    if not isinstance(block, cst.IndentedBlock) or len(block.body) > 1:
        return None
    if isinstance(guard, cst.Try):
        return guard if guard.body is block and _passes_over(guard) else None
    if not isinstance(guard, cst.If) or guard.orelse is not None or guard.body is not block:
        return None
    return guard if _asks_for_seed(guard.test, receiver(call)) and not _is_elif(tree, guard) else None


def _passes_over(block: cst.Try) -> bool:
    """Whether an error is caught, and nothing is done then."""
    if block.orelse is not None or block.finalbody is not None or len(block.handlers) != 1:
        return False
    (handler,) = block.handlers
    catches = handler.type is None or is_name(handler.type, *_MISSING)
    lines = [one.body for one in handler.body.body if isinstance(one, cst.SimpleStatementLine)]
    return catches and len(lines) == 1 and all(isinstance(one, cst.Pass) for one in lines[0])


def _asks_for_seed(test: cst.BaseExpression, environment: cst.BaseExpression) -> bool:
    """`hasattr(env, "seed")` of the receiver of a call."""
    if not isinstance(test, cst.Call) or not is_name(test.func, "hasattr") or len(test.args) != 2:
        return False
    asked, name = test.args
    plain = not any(one.star or one.keyword for one in test.args)
    return plain and string_value(name.value) == "seed" and is_same(asked.value, environment)


def _is_elif(tree: Tree, guard: cst.If) -> bool:
    around = next(iter(tree.ancestors(guard)), None)
    return isinstance(around, cst.If) and around.orelse is guard
