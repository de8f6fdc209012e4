"""Texts that environments draw: old Gym's tables gave a stream, `env.render(mode="ansi").getvalue()`."""

from __future__ import annotations

import libcst as cst

from done_lint.syntax.shapes import is_name, method_called, only_target
from done_lint.syntax.tree import Tree

#: What reads the stream that old Gym drew into. Gym 0.9 to 0.17 envs/toy_text.
_READING = frozenset({"getvalue", "read"})


def reading(tree: Tree, render: cst.Call) -> cst.Call | None:
    """The call that takes the text out of what a rendering gives: today it is the text."""
    outer = tree.parents.get(tree.parents[render])
    return outer if isinstance(outer, cst.Call) and _reads(outer, render) else None


def read_later(tree: Tree, render: cst.Call) -> cst.Call | None:
    """The same of a rendering that has got a name, which may stand for something else as well."""
    name = only_target(tree.parents[render])
    if not isinstance(name, cst.Name):
        return None
    calls = tree.inside(cst.Call, tree.scope(render))
    return next((one for one in calls if method_called(one) in _READING and is_name(_asked(one), name.value)), None)


def _reads(call: cst.Call, stream: cst.Call) -> bool:
    return method_called(call) in _READING and not call.args and _asked(call) is stream


def _asked(call: cst.Call) -> cst.BaseExpression | None:
    """What a method is called of."""
    return call.func.value if isinstance(call.func, cst.Attribute) else None
