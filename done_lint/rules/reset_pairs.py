"""How the observation is taken out of the pair that `reset` returns."""

from __future__ import annotations

import libcst as cst

from done_lint.syntax.edits import Edits, replaced, rewritten
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


class PairTarget(cst.CSTTransformer):
    """Turns a target `obs` into `obs, _`, or into `(obs, _)` inside a tuple."""

    def __init__(self, target: cst.BaseExpression, info: str, *, inside: bool) -> None:
        """`target` takes the observation, `info` the rest."""
        super().__init__()
        self.target = target
        self.info = info
        self.inside = inside

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        """Replace the target, whatever its shape."""
        if original_node is not self.target or not isinstance(updated_node, cst.BaseExpression):
            return updated_node
        nested = isinstance(updated_node, cst.Tuple)
        first = _parenthesized(updated_node) if nested else updated_node.with_changes(lpar=(), rpar=())
        pair = cst.Tuple([cst.Element(first), cst.Element(cst.Name(self.info))], lpar=(), rpar=())
        return _parenthesized(pair) if self.inside or updated_node.lpar else pair


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
    return replaced(tree, target, _node(target.visit(PairTarget(target, info, inside=inside))))


def _node(result: object) -> cst.CSTNode:
    """What a transformer returned, which is one node here."""
    if not isinstance(result, cst.CSTNode):
        raise TypeError("the rewritten target is no node")
    return result


def _parenthesized(node: cst.BaseExpression) -> cst.BaseExpression:
    return node if node.lpar else node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
