"""How the observation is taken out of the pair that `reset` returns."""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.tuple_targets import observation_and_info
from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.shapes import only_target
from done_lint.syntax.tree import Tree


def observation_alone(tree: Tree, call: cst.Call) -> Edits:
    """Edits after which the place of a call of `reset` gets the observation of the pair that it returns."""
    first = cst.SubscriptElement(cst.Index(cst.Integer("0")))
    alone = cst.Subscript(call.with_changes(lpar=(), rpar=()), [first], lpar=call.lpar, rpar=call.rpar)
    return _pair(tree, call) or replaced(tree, call, alone)


def _pair(tree: Tree, node: cst.Call) -> Edits:
    """The target that can take the pair: of a plain assignment, or of its place in a tuple."""
    element = tree.parents[node]
    values = tree.parents.get(element)
    if isinstance(element, cst.Assign):
        target = only_target(element)
        return () if target is None else _split(tree, target, element, inside=False)
    if not isinstance(element, cst.Element) or not isinstance(values, cst.Tuple):
        return ()
    statement = tree.parents[values]
    if not isinstance(statement, cst.Assign) or statement.value is not values:
        return ()
    target = only_target(statement)
    if not isinstance(target, (cst.Tuple, cst.List)) or len(target.elements) != len(values.elements):
        return ()
    if any(isinstance(one, cst.StarredElement) for one in (*target.elements, *values.elements)):
        return ()
    return _split(tree, target.elements[values.elements.index(element)].value, statement, inside=True)


def _split(tree: Tree, target: cst.BaseExpression, statement: cst.Assign, *, inside: bool) -> Edits:
    scopes, scope = tree.scopes, tree.scope(statement)
    (info,) = ("_",) if not scopes.is_read(scope, "_") else scopes.fresh(scope, "info")
    if isinstance(target, cst.List):
        return ()
    return replaced(tree, target, observation_and_info(target, info, inside=inside))
