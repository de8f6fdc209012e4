"""Results of `reset` that nothing uses as an observation: not read, only shown, or there to fail."""

from __future__ import annotations

import libcst as cst

from done_lint.core.paths import DOCUMENTS
from done_lint.rewrites.compatibility_code import is_expected_to_fail
from done_lint.rewrites.context import Context
from done_lint.rewrites.reset_tuple.steps_beside import is_on_gym, is_on_gymnasium
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import only_target

#: Functions that show a value.
_SHOWING = frozenset({"print", "pprint", "pp", "display"})


def is_shown(context: Context, node: cst.Call) -> bool:
    """`print(env.reset())` shows what there is: a pair is as good for that as an observation.

    But not where the program is written for old Gym, and has to print what it printed.
    """
    parent = context.tree.parents[node]
    is_old = context.facts.resets[context.tree.span(node)].gym_only or is_on_gym(context)
    if is_old and not context.path.endswith(DOCUMENTS):
        return False
    call = context.tree.parents[parent] if isinstance(parent, cst.Arg) else None
    if isinstance(parent, cst.FormattedStringExpression):
        return True
    return isinstance(call, cst.Call) and last_name(call.func) in _SHOWING


def only_fails(context: Context, statement: cst.CSTNode) -> bool:
    """`wrong = env.reset()`, only to see that what takes an observation refuses it."""
    target = only_target(statement)
    if not isinstance(target, cst.Name):
        return False
    reads = context.tree.scopes.reads(context.tree.scope(statement), target.value)
    return bool(reads) and all(is_expected_to_fail(context.tree, read) for read in reads)


def is_unused(context: Context, node: cst.CSTNode) -> bool:
    """A statement of its own, a branch of one (`env.reset() if done else None`), or `_ = env.reset()`.

    Or an element of a list that is one of these: `_ = [env.reset() for env in envs]`.
    """
    parent = context.tree.parents[node]
    if isinstance(parent, cst.Assign):
        target = only_target(parent)
        if not isinstance(target, cst.Name) or target.value.strip("_"):
            return False
        return not context.tree.scopes.is_read(context.tree.scope(parent), target.value)
    if isinstance(parent, cst.Element):
        parent = context.tree.parents[context.tree.parents[parent]]  # `observation, info, env.reset()`
    if isinstance(parent, cst.ListComp):
        return parent.elt is node and is_unused(context, parent)
    branch = isinstance(parent, cst.IfExp) and parent.test is not node
    last = isinstance(parent, cst.BooleanOperation) and parent.right is node
    return isinstance(parent, cst.Expr) or ((branch or last) and is_unused(context, parent))


def is_never_read(context: Context, node: cst.Call) -> bool:
    """`obs = env.reset()` that another value replaces before anything reads it, in a file that is on Gymnasium."""
    if not isinstance(context.tree.scope(node), cst.FunctionDef) or not is_on_gymnasium(context):
        return False
    return unread_target(context, node) is not None


def unread_target(context: Context, node: cst.Call) -> cst.Name | None:
    """The name that takes a value which nothing in the file reads."""
    target = only_target(context.tree.parents[node])
    if not isinstance(target, cst.Name) or context.is_binding_read(target, context.tree.parents[node]):
        return None
    return target
