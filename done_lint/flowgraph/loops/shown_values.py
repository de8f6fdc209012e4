"""Products that nothing is learnt from: all that becomes of them is shown, or weighs what is drawn.

Returns are summed to be compared with the values of a finished network, and the error of such values says where to look
next. What is asked is where the sum or the target goes, in its own function or module.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from done_lint.core.ast_walk import walked
from done_lint.core.findings import Span
from done_lint.flowgraph.purposes import Purposes, Scope, imported, innermost, scopes
from done_lint.flowgraph.schema import Product, Survey
from done_lint.flowgraph.scopes import Loop


def mark_purposes(survey: Survey, tree: ast.Module, loops: list[Loop], span: Callable[[ast.stmt], Span]) -> None:
    """Set `purpose` of the survey's products."""
    asked = [one for one in survey.products if one.discounted or one.carried]
    if not asked:
        return
    modules, found, assigned = imported(tree), list(scopes(tree)), _by_row(tree)
    known: dict[Scope, Purposes] = {}
    for product in asked:
        scope = innermost(found, product.span.row)
        statement = loops[product.loop].syntax if product.carried else _statement(assigned, product, span)
        names = _stored(statement) if statement is not None else frozenset()
        if names:
            if scope not in known:
                known[scope] = Purposes(scope, modules)
            product.purpose = known[scope].of(names, statement)


def _by_row(tree: ast.Module) -> dict[int, list[ast.Assign]]:
    """The assignments of a file, by each of their rows."""
    found: dict[int, list[ast.Assign]] = {}
    for one in walked(tree):
        if isinstance(one, ast.Assign):
            for row in range(one.lineno, (one.end_lineno or one.lineno) + 1):
                found.setdefault(row, []).append(one)
    return found


def _statement(
    assigned: dict[int, list[ast.Assign]], product: Product, span: Callable[[ast.stmt], Span]
) -> ast.Assign | None:
    """The assignment that a product stands in."""
    return next((one for one in assigned.get(product.span.row, ()) if product.span.within(span(one))), None)


def _stored(statement: ast.stmt) -> frozenset[str]:
    """The names that a statement sets, or puts something into; none where an attribute gets something."""
    found: set[str] = set()
    for one in walked(statement):
        targets = one.targets if isinstance(one, ast.Assign) else [one.target] if isinstance(one, ast.AugAssign) else []
        for target in (part for one in targets for part in _parts(one)):
            root: ast.expr = target.value if isinstance(target, ast.Subscript) else target
            if not isinstance(root, ast.Name):
                return frozenset()
            found.add(root.id)
    return frozenset(found)


def _parts(target: ast.expr) -> list[ast.expr]:
    return (
        [part for one in target.elts for part in _parts(one)] if isinstance(target, (ast.Tuple, ast.List)) else [target]
    )
