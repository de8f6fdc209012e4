"""Where code runs, or a value counts, only for the environments of which a flag is true.

By a mask beside a value, behind a test, in a loop over the places of the flag, or by an index that has them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from done_lint.facts.kinds.flags import Flag
from done_lint.knowledge.array_functions import PASSING_METHODS, PLACES
from done_lint.rewrites.context import Context
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_negation, only_index, only_target

#: Which flags are asked for.
Wanted = Callable[[Flag], bool]

#: Functions that choose between two values by a flag.
_CHOOSING = frozenset({"where"})
_CHOICE = 3


def of_truncations(flag: Flag) -> bool:
    """A flag that is true where an episode was truncated alone."""
    return all(one.truncated and not one.terminated and not one.keep for one in flag.meanings)


def of_terminations(flag: Flag) -> bool:
    """A flag that is true where an episode terminated alone."""
    return flag.terminated_only and not any(one.keep for one in flag.meanings)


def is_only_where(context: Context, node: cst.CSTNode, wanted: Wanted) -> bool:
    """Whether what is done with a node is done for environments alone of which such a flag is true."""
    inner: cst.CSTNode = node
    survived = False
    for around in context.tree.ancestors(node):
        if isinstance(around, (cst.FunctionDef, cst.Lambda)):
            return False
        if _chooses(context, around, inner, wanted):
            return True
        if isinstance(around, (cst.If, cst.IfExp)):
            # `0 if terminated else value` behind `if terminated or truncated`
            survived = survived or (around.orelse is inner and _asks(context, around.test, of_terminations))
            behind = around.body is inner and _is_flag(context, around.test, _of_ends)
            if behind and survived and wanted is of_truncations:
                return True
        inner = around
    return False


def _of_ends(flag: Flag) -> bool:
    return all(one.terminated and one.truncated and not one.keep for one in flag.meanings)


def _chooses(context: Context, around: cst.CSTNode, inner: cst.CSTNode, wanted: Wanted) -> bool:
    """Whether a node lets something inside of it count only where such a flag is true."""
    if isinstance(around, cst.BinaryOperation):
        return isinstance(around.operator, cst.Multiply) and _is_flag(
            context, around.right if around.left is inner else around.left, wanted
        )
    if isinstance(around, (cst.If, cst.IfExp)):
        return around.body is inner and _asks(context, around.test, wanted)
    if isinstance(around, cst.For):
        return around.body is inner and _is_choice(context, around.iter, wanted)
    if isinstance(around, cst.BaseSimpleComp):
        return inner is not around.for_in and _goes_over(context, around.for_in, wanted)
    if isinstance(around, (cst.Assign, cst.AugAssign)):
        target = around.target if isinstance(around, cst.AugAssign) else only_target(around)
        return around.value is inner and isinstance(target, cst.Subscript) and _is_indexed(context, target, wanted)
    if isinstance(around, cst.Subscript):
        return around.value is inner and _is_indexed(context, around, wanted)
    if isinstance(around, cst.Call) and last_name(around.func) in _CHOOSING and len(around.args) == _CHOICE:
        return around.args[1] is inner and _is_flag(context, around.args[0].value, wanted)
    if isinstance(around, cst.Call) and inner in around.args:
        # `rows.finish(places, worth)`
        return any(_is_choice(context, one.value, wanted) for one in around.args if one is not inner)
    return False


def _goes_over(context: Context, loop: cst.CompFor, wanted: Wanted) -> bool:
    return _is_choice(context, loop.iter, wanted) or any(_asks(context, one.test, wanted) for one in loop.ifs)


def _asks(context: Context, test: cst.BaseExpression, wanted: Wanted) -> bool:
    """`truncated[i]`, `truncated[i] and not terminated[i]`."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And):
        return _asks(context, test.left, wanted) or _asks(context, test.right, wanted)
    return not is_negation(test) and _is_flag(context, test, wanted)


def _is_flag(context: Context, node: cst.BaseExpression, wanted: Wanted) -> bool:
    flag = context.facts.flags.get(context.tree.span(node))
    return flag is not None and bool(flag.meanings) and wanted(flag)


def _is_indexed(context: Context, item: cst.Subscript, wanted: Wanted) -> bool:
    index = only_index(item)
    return index is not None and (_is_flag(context, index, wanted) or _is_choice(context, index, wanted))


def _is_choice(context: Context, node: cst.BaseExpression, wanted: Wanted) -> bool:
    """`np.where(truncated)[0]`, `truncated.nonzero()`, `np.flatnonzero(truncated)`, or a name of that."""
    if isinstance(node, cst.Name):
        return any(_is_choice(context, one, wanted) for one in _given(context, node))
    if isinstance(node, cst.Subscript):
        return _is_choice(context, node.value, wanted)
    if not isinstance(node, cst.Call) or last_name(node.func) not in PLACES | PASSING_METHODS:
        return False
    if len(node.args) == 1:
        return last_name(node.func) in PLACES and _is_flag(context, node.args[0].value, wanted)
    if node.args or not isinstance(node.func, cst.Attribute):
        return False
    owner = node.func.value
    return _is_flag(context, owner, wanted) if last_name(node.func) in PLACES else _is_choice(context, owner, wanted)


def _given(context: Context, read: cst.Name) -> Sequence[cst.BaseExpression]:
    """What a name was given by the last assignment above that binds it alone."""
    tree, end = context.tree, context.tree.span(read)
    before = [one for one in tree.scopes.bindings(tree.scope(read), read.value) if tree.span(one) < end]
    statement = tree.parents[tree.parents[before[-1]]] if before else None
    return [statement.value] if isinstance(statement, cst.Assign) and only_target(statement) is before[-1] else []
