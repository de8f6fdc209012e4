"""Forms that are right with the pair which a `reset` returns."""

from __future__ import annotations

import libcst as cst

from done_lint.facts.kinds.results import ResetResult
from done_lint.knowledge import naming_conventions
from done_lint.knowledge.env_apis import STEP_WIDTHS
from done_lint.rewrites.context import Context
from done_lint.rewrites.env_methods import is_env_method
from done_lint.rewrites.imports import module_name
from done_lint.rewrites.reset_tuple.steps_beside import is_beside_four
from done_lint.rewrites.reset_tuple.taken_apart import is_called
from done_lint.rewrites.reset_tuple.unused_values import is_never_read, is_shown, is_unused, only_fails
from done_lint.rewrites.type_tests import (
    asks_call_for_tuple,
    asks_for_pair,
    asks_for_tuple,
    asserts_pair,
    is_returned_whole,
    is_tuple_by_use,
)
from done_lint.syntax.dotted import last_name
from done_lint.syntax.shapes import is_name, is_number, only_index, only_target

_GYMNASIUM = "gymnasium."
#: Functions that want the observation alone.
_ARRAYS = frozenset({"array", "asarray", "as_tensor", "from_numpy", "stack", "tensor", "FloatTensor", "Tensor"})


def takes_first(context: Context, node: cst.Call, reset: ResetResult) -> bool:
    """`obs = env.reset()[0]` in a file that imports Gymnasium: it knows pairs, whatever its steps do.

    So does one that is given what Gymnasium's `make` makes, and nothing else.
    """
    parent = context.tree.parents[node]
    if not isinstance(parent, cst.Subscript) or not is_number(only_index(parent), "0"):
        return False
    made = [one.function for one in reset.env.made]
    by_make = bool(made) and all(one.startswith(_GYMNASIUM) for one in made)
    return module_name(context.tree, "gymnasium") != "" or (by_make and reset.changing is None)


def _takes_info(context: Context, node: cst.Call) -> bool:
    """`obs, info = env.reset()`: two values of which the second one is called after the info."""
    target = only_target(context.tree.parents[node])
    if not isinstance(target, cst.Tuple) or len(target.elements) != 2:
        return False
    second = target.elements[1].value
    return isinstance(second, cst.Name) and naming_conventions.info(second.value)


def takes_step(context: Context, node: cst.Call) -> bool:
    """`_, reward, done, _ = handle("step")`: a step's values, of which one call of the program gives both."""
    target = only_target(context.tree.parents[node])
    if not isinstance(target, cst.Tuple) or len(target.elements) not in STEP_WIDTHS:
        return False
    names = [context.tree.source(one.value) for one in target.elements]
    return naming_conventions.reward(names[1]) and any(map(naming_conventions.done, names[2:-1]))


def _takes_either(context: Context, node: cst.Call) -> bool:
    """Whether the program asks for a tuple and takes the pair apart, and its steps are no plain four values.

    In a program that is written for four values alone a tuple is an observation, as in Blackjack.
    """
    return asks_for_pair(context.tree, node) and any(one.starred or len(one.targets) == 5 for one in context.unpackings)


def is_right(context: Context, node: cst.Call) -> bool:
    """Forms that are right with a pair, or that are not used as an observation."""
    parent = context.tree.parents[node]
    if _takes_info(context, node) or _takes_either(context, node) or only_fails(context, parent):
        return True
    if isinstance(parent, cst.Await):
        # what waits for a promise of the program's own gets what that gives
        target = only_target(context.tree.parents[parent])
        return not context.facts.resets[context.tree.span(node)].gym_only or not isinstance(target, cst.Name)
    if not context.facts.resets[context.tree.span(node)].gym_only and (
        isinstance(parent, cst.StarredElement)
        or _is_spread(context, node)
        or asserts_pair(context.tree, node)
        or asks_for_tuple(context.tree, node)
        or asks_call_for_tuple(context.tree, node)
        or is_tuple_by_use(context.tree, node)
        or is_returned_whole(context.tree, node)
    ):
        return True  # `obs, info, done = *env.reset(), False`, `assert len(result) == 2`, `(seed,) + result`
    if isinstance(parent, cst.Lambda) or is_unused(context, node) or is_shown(context, node):
        return True
    if is_never_read(context, node) or is_called(context, node):
        return True
    if isinstance(parent, cst.Subscript) and parent.value is node:
        reset, around = context.facts.resets[context.tree.span(node)], context.tree.parents[parent]
        again = isinstance(around, cst.Subscript) and around.value is parent
        if reset.used_as_gym and is_beside_four(context, reset) and not again:
            return False  # an element of the observation
        return not (_observes(parent) or (_is_no_pair(parent) and reset.gym_only))
    keywords = {argument.keyword.value for argument in node.args if argument.keyword is not None}
    # `return_info` is an argument of old Gym: such a call has its pair already.
    return "return_info" in keywords or (bool(keywords & {"seed", "options"}) and _passes_pair(context, node))


def _is_spread(context: Context, node: cst.Call) -> bool:
    """`keep(*env.reset())`, `dict(zip(("obs", "info"), env.reset()))`: all that is done is to take both values."""
    tree = context.tree
    target = only_target(tree.parents[node])
    reads = tree.scopes.reads(tree.scope(node), target.value) if isinstance(target, cst.Name) else ()
    uses: list[cst.CSTNode] = [*reads] if isinstance(target, cst.Name) else [node]
    return bool(uses) and all(_takes_both(context, one) for one in uses)


def _takes_both(context: Context, value: cst.CSTNode) -> bool:
    argument = context.tree.parents[value]
    call = context.tree.parents.get(argument)
    if not isinstance(argument, cst.Arg) or not isinstance(call, cst.Call):
        return False
    if argument.star == "*":
        return True
    first = call.args[0].value
    named = isinstance(first, (cst.Tuple, cst.List)) and len(first.elements) == 2
    return named and len(call.args) == 2 and first is not value and is_name(call.func, "zip")


def is_beside_another(context: Context, node: cst.Call) -> bool:
    """`return self.env.reset(), self.steps`: the observation may be both values, or the second one an info."""
    tree = context.tree
    values = tree.parents.get(tree.parents[node])
    if not isinstance(values, cst.Tuple) or len(values.elements) != 2 or values.elements[0].value is not node:
        return False
    function, second = tree.scope(node), values.elements[1].value
    if not is_env_method(context, function, "reset"):
        return False
    made = isinstance(second, cst.Call) and tree.source(second.func) == "dict"
    info = made or isinstance(second, (cst.Dict, cst.DictComp)) or tree.span(second) in context.facts.infos
    return isinstance(tree.parents[values], cst.Return) and not info


def _passes_pair(context: Context, node: cst.Call) -> bool:
    """Whether code that passes today's arguments passes the pair on, other than to make an array of it."""
    parent = context.tree.parents[node]
    if isinstance(parent, cst.Element):
        assigned = isinstance(context.tree.parents.get(context.tree.parents[parent]), cst.Assign)
        return not assigned and not is_beside_another(context, node)
    call = context.tree.parents[parent]
    return isinstance(parent, cst.Arg) and isinstance(call, cst.Call) and last_name(call.func) not in _ARRAYS


def _is_no_pair(subscript: cst.Subscript) -> bool:
    """Whether the index is a number that a pair does not have."""
    index = only_index(subscript)
    return isinstance(index, cst.UnaryOperation) or (isinstance(index, cst.Integer) and index.evaluated_value > 1)


def _observes(subscript: cst.Subscript) -> bool:
    """Whether the index is one that only an observation takes: a name, a new axis, several dimensions."""
    if len(subscript.slice) > 1:
        return True
    index = subscript.slice[0].slice
    if not isinstance(index, cst.Index):
        return False
    value = index.value
    return last_name(value) in ("None", "newaxis") or isinstance(value, (cst.Ellipsis, cst.SimpleString, cst.Tuple))
