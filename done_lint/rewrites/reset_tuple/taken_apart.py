"""What becomes of the result of a `reset`: whether it is called, or taken apart like a step's."""

from __future__ import annotations

import libcst as cst

from done_lint.rewrites.context import Context, per_file
from done_lint.syntax.shapes import is_name, only_target
from done_lint.syntax.tree import Scope, Tree


def is_called(context: Context, node: cst.Call) -> bool:
    """`promise = env.reset()`, then `obs = promise()`: what is called is no observation."""
    statement = context.tree.parents[node]
    target = only_target(statement)
    if not isinstance(target, cst.Name):
        return False
    called, _ = _uses(context, context.tree.scope(statement), target.value)
    return called


def is_taken_apart(context: Context, node: cst.Call) -> bool:
    """Whether a function of the file that gets the value takes more than a pair out of it, as of a step."""
    parent = context.tree.parents[node]
    if isinstance(target := only_target(parent), cst.Name):
        _, taken_apart = _uses(context, context.tree.scope(parent), target.value)
        return taken_apart
    return isinstance(parent, cst.Arg) and _unpacks_more(context, parent)


@per_file
def _uses(context: Context, scope: Scope, name: str) -> tuple[bool, bool]:
    """Whether a variable is called somewhere, and whether a function takes it apart like a step's result."""
    reads = {read: context.tree.parents[read] for read in context.tree.scopes.reads(scope, name)}
    called = any(isinstance(one, cst.Call) and one.func is read for read, one in reads.items())
    taken_apart = any(isinstance(one, cst.Arg) and _unpacks_more(context, one) for one in reads.values())
    return called, taken_apart


def _unpacks_more(context: Context, argument: cst.Arg) -> bool:
    """Whether the function of this file that is called unpacks this argument into more than two values."""
    call = context.tree.parents[argument]
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name):
        return False
    if _gets_observations(context, call.func.value):
        return False
    named = (one for one in context.tree.of_type(cst.FunctionDef) if is_name(call.func, one.name.value))
    return any(_unpacks(context.tree, function, _parameter(function, call, argument)) for function in named)


def _parameter(function: cst.FunctionDef, call: cst.Call, argument: cst.Arg) -> str:
    """The name that a function knows an argument by; empty where that is not certain."""
    if argument.keyword is not None:
        return argument.keyword.value
    before = call.args[: call.args.index(argument) + 1]
    params = (*function.params.posonly_params, *function.params.params)
    if any(one.star or one.keyword is not None for one in before) or len(before) > len(params):
        return ""
    return params[len(before) - 1].name.value


def _unpacks(tree: Tree, function: cst.FunctionDef, name: str) -> bool:
    """`obs, reward, terminated, truncated, info = name`."""
    statements = [one for one in tree.descend(function) if isinstance(one, cst.Assign) and is_name(one.value, name)]
    targets = [one.target for statement in statements for one in statement.targets]
    return any(isinstance(one, (cst.Tuple, cst.List)) and len(one.elements) > 2 for one in targets)


@per_file
def _gets_observations(context: Context, function: str) -> bool:
    """Whether a call of a function is given the observation that a step is unpacked into."""
    tree = context.tree
    calls = [one for one in tree.of_type(cst.Call) if is_name(one.func, function)]
    given = {(tree.scope(call), tree.source(one.value)) for call in calls for one in call.args}
    taken = ((one.scope, one.targets[0]) for one in context.unpackings if len(one.targets) in (4, 5))
    return any((scope, tree.source(target)) in given for scope, target in taken)
