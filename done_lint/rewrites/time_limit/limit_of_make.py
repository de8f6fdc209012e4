"""A time limit that is set on an environment which has none: it belongs into the call that makes the environment."""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.environments import Env
from done_lint.knowledge.env_apis import TIME_LIMIT
from done_lint.knowledge.gymnasium_changes import ONE
from done_lint.knowledge.made_layers import ORDER_ENFORCING, SOME_LAYER
from done_lint.rewrites.context import Context
from done_lint.rewrites.outcome import Outcome, fixed, unfixed
from done_lint.syntax.arguments import keyword
from done_lint.syntax.edits import argument_added, removed
from done_lint.syntax.shapes import is_name, only_target
from done_lint.syntax.tree import Tree

#: The argument of `make`.
ARGUMENT = "max_episode_steps"
#: The limit by which `make` leaves `TimeLimit` out, and the first release in which it does. Gymnasium 1.0 registration.
_UNLIMITED, _UNLIMITED_SINCE = "-1", ONE


def has_no_limit(env: Env) -> bool:
    """Whether `make` puts layers around the environment, and no `TimeLimit` is among them."""
    return ORDER_ENFORCING in env.layers and not {TIME_LIMIT, SOME_LAYER}.intersection(env.layers)


def has_limit(env: Env) -> bool:
    """Whether a `TimeLimit` is, or may be, among the layers."""
    return not {TIME_LIMIT, SOME_LAYER}.isdisjoint(env.layers)


def is_outermost_of_make(env: Env) -> bool:
    """Whether an attribute that is set goes to the outermost layer of `make`."""
    return bool(env.layers) and env.layers[0] == ORDER_ENFORCING


def limit_taken_away(context: Context, target: cst.Attribute, env: Env) -> bool:
    """Whether None is assigned to the limit of the `TimeLimit` outside of all: its `step` compares with numbers."""
    statement = _assignment(context.tree, target)
    return statement is not None and is_name(statement.value, "None") and env.layers[:1] == (TIME_LIMIT,)


def given_to_make(context: Context, target: cst.Attribute) -> Outcome:
    """`env = make(id)`, then `env._max_episode_steps = n`: `make(id, max_episode_steps=n)`; for None no limit."""
    tree = context.tree
    statement = _assignment(tree, target)
    line = tree.parents[statement] if statement is not None else None
    before = _before(tree, line) if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    make = before.value if before is not None and tree.source(target.value) == _target(tree, before) else None
    if statement is None or not isinstance(make, cst.Call) or not make.args:
        return unfixed(_APART)
    known = context.facts.names.get(tree.span(make.func), "")
    if not known.endswith(".make") or any(one.star or keyword(one) == ARGUMENT for one in make.args):
        return unfixed(_APART)
    limit = tree.source(statement.value)
    if limit == "None" and (reason := context.lacking(_UNLIMITED_SINCE)):
        return unfixed(reason)
    added = argument_added(tree, make, f"{ARGUMENT}={_UNLIMITED if limit == 'None' else limit}")
    return fixed("give the limit to `make`", added, removed(tree, statement))


def _assignment(tree: Tree, target: cst.Attribute) -> cst.Assign | None:
    """The assignment to one target."""
    statement = tree.parents[tree.parents[target]]
    return statement if isinstance(statement, cst.Assign) and only_target(statement) is target else None


def _before(tree: Tree, line: cst.SimpleStatementLine) -> cst.Assign | None:
    """The assignment in the statement before."""
    around = tree.siblings(line)
    place = next((number for number, one in enumerate(around) if one is line), 0)
    before = around[place - 1] if place else None
    last = before.body[-1] if isinstance(before, cst.SimpleStatementLine) else None
    return last if isinstance(last, cst.Assign) else None


def _target(tree: Tree, statement: cst.Assign) -> str:
    target = only_target(statement)
    return tree.source(target) if target is not None else ""


_APART = "the limit is not set right behind `make`"
