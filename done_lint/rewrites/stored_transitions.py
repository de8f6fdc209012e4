"""Transitions of vector environments: calls that store what one step returned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from done_lint.facts.facts import Flag
from done_lint.knowledge.env_apis import GYMNASIUM_VECTOR
from done_lint.knowledge.vector_info_keys import Autoreset
from done_lint.rewrites.autoreset_modes import autoreset_mode
from done_lint.rewrites.context import Context
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.tree import Tree


@dataclass(frozen=True)
class StoredTransition:
    """`buffer.add(obs, action, reward, next_obs, terminated)`, with the arrays of all environments."""

    step: Unpacking
    call: cst.Call
    mode: Autoreset
    values: Sequence[cst.BaseExpression]
    #: The step's observation, as it is stored.
    observation: cst.Name
    #: The flag of the episode's end that is stored beside it.
    flag: Flag


def stored_transitions(context: Context) -> Iterator[StoredTransition]:
    """Every call that stores the observation and a flag of one step, unchanged, in the function that took the step."""
    tree = context.tree
    for step in context.unpackings:
        env = step.step.env
        if env.api != GYMNASIUM_VECTOR or step.starred or step.part is not None:
            continue
        mode = autoreset_mode(context, env)
        observation = step.targets[0]
        if mode is None or not isinstance(observation, cst.Name):
            continue
        for read in tree.scopes.reads(step.scope, observation.value):
            call, values = _stores(tree, read)
            if call is None or tree.scope(call) is not step.scope or _rebound(tree, step, observation, call):
                continue
            flags = [flag for value in values if (flag := context.facts.flags.get(tree.span(value))) is not None]
            if len(flags) == 1 and flags[0].array is True:
                yield StoredTransition(step, call, mode, values, read, flags[0])


def _stores(tree: Tree, read: cst.Name) -> tuple[cst.Call | None, Sequence[cst.BaseExpression]]:
    """The statement `buffer.add(...)` that a value stands in, and all that is stored with it."""
    place = tree.parents[read]
    values: list[cst.BaseExpression] = []
    if isinstance(place, cst.Element) and isinstance(row := tree.parents[place], cst.Tuple):
        values = [element.value for element in row.elements]
        place = tree.parents[row]
    call = tree.parents[place] if isinstance(place, cst.Arg) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return None, ()
    if not isinstance(tree.parents[call], cst.Expr):
        return None, ()
    values = values or [argument.value for argument in call.args]
    return (call, values) if len(values) >= 4 else (None, ())


def _rebound(tree: Tree, step: Unpacking, observation: cst.Name, call: cst.Call) -> bool:
    """Whether the name gets another value between the step and the call."""
    start, end = tree.span(step.statement), tree.span(call)
    bindings = tree.scopes.bindings(step.scope, observation.value)
    return end < start or any(start < tree.span(one) < end and one is not observation for one in bindings)
