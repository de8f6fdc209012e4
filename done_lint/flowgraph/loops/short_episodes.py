"""Episodes that a loop begins anew after a known number of steps: `env.reset()`, and `for _ in range(200)` behind it.

The loop steps the environment once a turn, and does nothing else with it. Whether its limit is farther away only a
solved graph can say, so the places are noted where the last step of an episode is asked for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from done_lint.core.ast_walk import walked
from done_lint.flowgraph.ast_text import unparsed

#: What is run more than once, or later, where it stands in a block.
REPEATED = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.comprehension)

#: More than one, whatever comes.
_MANY = 1 << 20


class ShortEpisode(NamedTuple):
    """A call of `last()` in such a loop, the environment that is stepped there, and the number of steps."""

    last: ast.Call
    env: ast.expr
    steps: int


def short_episodes(tree: ast.Module, text: str) -> Iterator[ShortEpisode]:
    """Find them in a file."""
    if ".last()" not in text or "range(" not in text:
        return
    constants = _constants(tree)
    for block in (block for node in walked(tree) for block in blocks(node)):
        for position, loop in enumerate(block):
            if isinstance(loop, ast.For) and (steps := _turns(loop.iter, constants)):
                yield from _of_loop(loop, block[:position], steps)


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of a statement."""
    for field in ("body", "orelse", "finalbody"):
        if isinstance(block := getattr(node, field, None), list):
            yield block


def _of_loop(loop: ast.For, before: list[ast.stmt], steps: int) -> Iterator[ShortEpisode]:
    inside = [part for one in (*loop.body, *loop.orelse) for part in walked(one)]
    nested = {id(part) for one in inside if isinstance(one, REPEATED) for part in walked(one)}
    stepped = [(one, called_on(one.value, "step")) for one in inside if isinstance(one, ast.Assign)]
    results = [(one, env) for one, env in stepped if env is not None and id(one) not in nested]
    for one, env in results:
        name, text = unparsed(one.targets[0]), unparsed(env)
        set_by = [part for part in inside if isinstance(part, ast.Name) and part.id == name and _is_set(part)]
        if len(set_by) != 1 or one.targets != set_by or not _begins(before, text) or mentions(inside, text) != 1:
            continue
        for call in inside:
            if isinstance(call, ast.Call) and (asked := called_on(call, "last")) and unparsed(asked) == name:
                yield ShortEpisode(call, env, steps)


def _begins(before: list[ast.stmt], env: str) -> bool:
    """Whether the episode begins in front of the loop: nothing steps it between its reset and the loop."""
    for statement in reversed(before):
        inside = list(walked(statement))
        resets = [one for one in inside if (reset := called_on(one, "reset")) and unparsed(reset) == env]
        if isinstance(statement, (ast.Assign, ast.Expr)) and resets:
            return mentions(inside, env) == 1
        if mentions(inside, env):
            return False
    return False


def mentions(inside: list[ast.AST], env: str) -> int:
    """How often an environment is stepped or reset there, or handed on; what is only read of it begins no episode."""
    read = {id(one.value) for one in inside if isinstance(one, ast.Attribute) and one.attr not in ("step", "reset")}
    named = (one for one in inside if isinstance(one, (ast.Name, ast.Attribute)) and id(one) not in read)
    return sum(unparsed(one) == env for one in named)


def called_on(call: ast.AST, method: str) -> ast.expr | None:
    """`env` of `env.step(action)`."""
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != method:
        return None
    return call.func.value if isinstance(call.func.value, (ast.Name, ast.Attribute)) else None


def _turns(iterated: ast.expr, constants: dict[str, int]) -> int:
    """The most turns of `range(200)` and `range(LENGTH)`; 0: they are not known."""
    if not isinstance(iterated, ast.Call) or not isinstance(iterated.func, ast.Name) or iterated.func.id != "range":
        return 0
    end = iterated.args[0] if len(iterated.args) == 1 else None
    if isinstance(end, ast.Name):
        return constants.get(end.id, 0)
    return end.value if isinstance(end, ast.Constant) and type(end.value) is int else 0


def _constants(tree: ast.Module) -> dict[str, int]:
    """The names that a file gives a number, and binds nowhere else."""
    bound: dict[str, int] = {}
    numbers: dict[str, int] = {}
    for node in walked(tree):
        if isinstance(node, ast.Name) and _is_set(node):
            bound[node.id] = bound.get(node.id, 0) + 1
        elif isinstance(node, ast.arg):
            bound[node.arg] = bound.get(node.arg, 0) + 1
        elif isinstance(node, ast.alias):
            name = (node.asname or node.name).partition(".")[0]
            bound[name] = bound.get(name, 0) + 1
        elif isinstance(node, ast.Global):
            bound.update(dict.fromkeys(node.names, _MANY))
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and type(node.value.value) is int:
            numbers.update({one.id: node.value.value for one in node.targets if isinstance(one, ast.Name)})
    return {name: number for name, number in numbers.items() if bound[name] == 1}


def _is_set(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)
