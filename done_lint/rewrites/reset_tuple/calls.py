"""How the observation is taken out of the pair that `reset` returns."""

from __future__ import annotations

import libcst as cst

from done_lint.knowledge.remote_calls import CALLING, WAITING
from done_lint.rewrites.side_by_side import side_by_side
from done_lint.rewrites.tuple_targets import observation_and_info
from done_lint.syntax.dotted import dotted
from done_lint.syntax.edits import Edits, replaced
from done_lint.syntax.expressions import is_tight
from done_lint.syntax.shapes import only_target
from done_lint.syntax.tree import Tree


def pair_of_call(tree: Tree, call: cst.Call) -> cst.Call | cst.Await | None:
    """The expression that gives the pair of a reset: the call, or what waits for it; `None` where that is elsewhere.

    `ray.get(actor.reset.remote())` gives the pair, and `actor.reset.remote()` only promises it.
    """
    parent = tree.parents[call]
    if isinstance(parent, cst.Await):
        return parent
    if not is_remote(call):
        return call
    waiting = tree.parents[parent] if isinstance(parent, cst.Arg) else None
    return waiting if isinstance(waiting, cst.Call) and dotted(waiting.func) == WAITING else None


def is_remote(call: cst.Call) -> bool:
    """Whether a call runs in another process and gives a promise: `actor.reset.remote()`."""
    return isinstance(call.func, cst.Attribute) and call.func.attr.value == CALLING


def observation_alone(tree: Tree, call: cst.Call | cst.Await) -> Edits:
    """Edits after which the place of a call of `reset` gets the observation of the pair that it returns."""
    first = cst.SubscriptElement(cst.Index(cst.Integer("0")))
    alone = cst.Subscript(call.with_changes(lpar=(), rpar=()), [first], lpar=call.lpar, rpar=call.rpar)
    return _pair(tree, call) or replaced(tree, call, alone)


def _pair(tree: Tree, node: cst.Call | cst.Await) -> Edits:
    """The target that can take the pair: of a plain assignment, or of its place in a tuple."""
    element = tree.parents[node]
    if isinstance(element, cst.Assign):
        target = only_target(element)
        return () if target is None else _split(tree, target, element)
    side = side_by_side(tree, element)
    target = side.targets[side.place] if side is not None else None
    if side is None or target is None or isinstance(target, cst.List):
        return ()
    pair = observation_and_info(target, _info_name(tree, side.statement))
    return side.parted(pair) or _split(tree, target, side.statement, inside=True)


def _split(tree: Tree, target: cst.BaseExpression, statement: cst.Assign, *, inside: bool = False) -> Edits:
    if isinstance(target, cst.List):
        return ()
    info, tight = _info_name(tree, statement), is_tight(statement) and not inside
    return replaced(tree, target, observation_and_info(target, info, inside=inside, tight=tight))


def _info_name(tree: Tree, statement: cst.Assign) -> str:
    """What takes an info that nobody reads."""
    scopes, scope = tree.scopes, tree.scope(statement)
    if not scopes.is_read(scope, "_"):
        return "_"
    if isinstance(scope, cst.FunctionDef) and not scopes.is_read(scope, "info"):
        return "info"  # also where it takes the info of a step, which nobody reads either
    (info,) = scopes.fresh(scope, "info")
    return info
