"""Results of resets that go, whole, where the whole results of steps go.

What takes both takes a tuple of values, and no observation: `pipe.send(env.reset())` beside
`pipe.send(env.step(action))`, `[one[0] for one in result]` in a `reset` as in the `step` beside it. They may go inside
of a row, and the values of the step side by side: `pipe.send({"value": (obs, reward, terminated, truncated, info)})`.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from done_lint.knowledge.env_apis import STEP_WIDTHS
from done_lint.rewrites.context import Context, per_file
from done_lint.rewrites.env_methods import class_of, method_around, own_name
from done_lint.rewrites.vectors.sent_apart import SENDING, Row
from done_lint.syntax.dotted import base
from done_lint.syntax.shapes import method_called, only_target
from done_lint.syntax.tree import Scope, Tree

_, _FIVE = STEP_WIDTHS
#: What a value is given to: the function or class in which that is, and what is called, or what is made of each of the
#: values.
Receiver = tuple[Scope | None, str]


def goes_where_steps_go(context: Context, node: cst.Call) -> bool:
    """Whether all that gets the value of this call gets the whole result of a step too."""
    tree = context.tree
    target, scope = only_target(tree.parents[node]), tree.scope(node)
    if isinstance(target, cst.Name) and _also_whole_step(context, scope, target.value):
        return True
    uses = _uses(tree, node)
    return bool(uses) and all(_receiver(context, one) in _receivers_of_steps(context) for one in uses)


def _also_whole_step(context: Context, scope: Scope, name: str) -> bool:
    """`timestep = env.reset()` beside `timestep = env.step(action)`: no observation is called so."""
    tree = context.tree
    statements = [tree.parents[tree.parents[one]] for one in tree.scopes.bindings(scope, name)]
    assigned = [one.value for one in statements if isinstance(one, cst.Assign)]
    return any(isinstance(one, cst.Call) and tree.span(one) in context.facts.steps for one in assigned)


def _uses(tree: Tree, node: cst.Call) -> list[cst.CSTNode]:
    """Where the value of a call is read: by its name, or where it stands."""
    target = only_target(tree.parents[node])
    return list(tree.scopes.reads(tree.scope(node), target.value)) if isinstance(target, cst.Name) else [node]


def _receiver(context: Context, node: cst.CSTNode) -> Receiver | None:
    """What is called with a value alone, and where that is the same; or what is made of each part of the value."""
    tree = context.tree
    parent = tree.parents[node]
    if isinstance(parent, cst.CompFor) and parent.iter is node and parent.inner_for_in is None and not parent.ifs:
        made = tree.parents[parent]
        element = tree.source(made.elt) if isinstance(made, (cst.GeneratorExp, cst.ListComp)) else ""
        return (None, f"{element} for {tree.source(parent.target)}") if element else None
    inside, argument = _way_inside(tree, node)
    call = tree.parents[argument]
    if not isinstance(argument, cst.Arg) or not isinstance(call, cst.Call) or len(call.args) > 1:
        return None
    return _where_the_same(context, call), f"{tree.source(call.func)}{inside}"


def _where_the_same(context: Context, call: cst.Call) -> Scope | None:
    """The function in which what is called has one meaning: of what an object of a class has, the class."""
    owner = base(call.func)
    method = method_around(context, call)
    if (
        method is not None
        and owner is not call.func
        and isinstance(owner, cst.Name)
        and owner.value == own_name(method)
    ):
        return class_of(context, method)
    return context.tree.scope(call)


def _way_inside(tree: Tree, node: cst.CSTNode) -> tuple[str, cst.CSTNode]:
    """Where a value stands in the rows around it, `["value"]`, and what is around these."""
    inside, parent = "", tree.parents[node]
    while isinstance(parent, (cst.DictElement, cst.Element)):
        row = tree.parents[parent]
        if not isinstance(row, Row):
            break
        key = tree.source(parent.key) if isinstance(parent, cst.DictElement) else str(list(row.elements).index(parent))
        inside, parent = f"[{key}]{inside}", tree.parents[row]
    return inside, parent


def is_sent_inside(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether a value is given to a pipe or a queue inside of a row: `queue.put(("first", env.reset()))`."""
    inside, argument = _way_inside(tree, node)
    call = tree.parents[argument]
    return bool(inside) and isinstance(argument, cst.Arg) and method_called(call) in SENDING


@per_file
def _receivers_of_steps(context: Context) -> frozenset[Receiver]:
    """What is called with the whole result of a step, or made of each of its values."""
    tree, steps = context.tree, context.facts.steps
    found = (
        _receiver(context, use)
        for call in tree.of_type(cst.Call)
        if tree.span(call) in steps
        for use in _uses_of_step(context, call)
    )
    sent = (row for row in tree.of_type(cst.Tuple) if is_sent_inside(tree, row) and _has_whole_step(context, row))
    rows = (_receiver(context, row) for row in sent)
    return frozenset(one for one in (*found, *rows) if one is not None)


def _has_whole_step(context: Context, row: cst.Tuple) -> bool:
    """`(obs, reward, terminated, truncated, info)`."""
    flags, values = context.facts.flags, [context.tree.span(one.value) for one in row.elements]
    return len(values) == _FIVE and all(one in flags for one in values[2:4]) and flags[values[2]].terminated_only


def _uses_of_step(context: Context, call: cst.Call) -> Iterator[cst.CSTNode]:
    """Where the whole result of a step is read: where it stands, or by its name as long as it has not changed."""
    tree, steps = context.tree, context.facts.steps
    yield call
    for one in _uses(tree, call):
        if isinstance(tree.parents[one], cst.CompFor) or tree.span(one) in steps:
            yield one
