"""An old flag that its function has joined from two values of a step: `terminated or truncated`."""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.tuple_targets import Pair
from done_lint.syntax.shapes import only_target
from done_lint.syntax.tree import Scope, Tree


def joined_parts(tree: Tree, scope: Scope, flag: cst.BaseExpression) -> Pair | None:
    """Both flags, where they are the third and the fourth of five values, and nothing binds their names again."""
    joined = _bound(tree, scope, flag) or flag
    if not isinstance(joined, (cst.BooleanOperation, cst.BinaryOperation)):
        return None
    if not isinstance(joined.operator, (cst.Or, cst.BitOr)):
        return None
    for flags in ((joined.left, joined.right), (joined.right, joined.left)):
        terminated, truncated = (_place(tree, scope, one) for one in flags)
        if terminated is not None and truncated == (terminated[0], 3) and terminated[1] == 2:
            return flags
    return None


def _bound(tree: Tree, scope: Scope, flag: cst.BaseExpression) -> cst.BaseExpression | None:
    """The value of a name that one statement binds."""
    bindings = tree.scopes.bindings(scope, flag.value) if isinstance(flag, cst.Name) else []
    statement = tree.parents[tree.parents[bindings[0]]] if len(bindings) == 1 else None
    return statement.value if isinstance(statement, cst.Assign) and only_target(statement) is bindings[0] else None


def _place(tree: Tree, scope: Scope, name: cst.BaseExpression) -> tuple[cst.CSTNode, int] | None:
    """The five targets that a name is one of, and its place there; None: it is bound otherwise, or again."""
    bindings = tree.scopes.bindings(scope, name.value) if isinstance(name, cst.Name) else []
    targets = tree.parents[tree.parents[bindings[0]]] if len(bindings) == 1 else None
    if not isinstance(targets, cst.Tuple) or len(targets.elements) != 5:
        return None
    return targets, next(place for place, one in enumerate(targets.elements) if one.value is bindings[0])
