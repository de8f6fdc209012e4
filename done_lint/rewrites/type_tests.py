"""Code that asks what something is before it is used: `isinstance(infos, list)`."""

from __future__ import annotations

import libcst as cst

from done_lint.syntax.dotted import last_name
from done_lint.syntax.tree import Tree


def asks_type(tree: Tree, test: cst.BaseExpression, names: set[str]) -> bool:
    """`isinstance(x, ...)`, x one of the names."""
    asked = [
        call.args[0].value
        for call in tree.descend(test)
        if isinstance(call, cst.Call) and last_name(call.func) == "isinstance" and call.args
    ]
    return any(isinstance(one, cst.Name) and one.value in names for one in asked)
