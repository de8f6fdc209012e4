"""How the observation is taken out of the pair that `reset` returns."""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.reset_tuple.target import split
from done_lint.syntax.edits import Edits, rewritten
from done_lint.syntax.tree import Tree


def observation_alone(tree: Tree, call: cst.Call) -> Edits:
    """Edits after which the place of a call of `reset` gets the observation of the pair that it returns."""
    return _pair(tree, call) or rewritten(tree, call, FirstOfPair(call))


def only_target(statement: cst.Assign) -> cst.BaseExpression | None:
    """The target of an assignment that is not chained."""
    return statement.targets[0].target if len(statement.targets) == 1 else None


class FirstOfPair(cst.CSTTransformer):
    """Turns one call `env.reset()` into `env.reset()[0]`."""

    def __init__(self, call: cst.Call) -> None:
        """`call` is the one to rewrite."""
        super().__init__()
        self.call = call

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Take the observation out of the pair."""
        if original_node is not self.call:
            return updated_node
        first = cst.SubscriptElement(cst.Index(cst.Integer("0")))
        return cst.Subscript(
            updated_node.with_changes(lpar=(), rpar=()), [first], lpar=updated_node.lpar, rpar=updated_node.rpar
        )


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
    return split(tree, target, info, inside=inside)
