"""Steps that are the first of their episode in each turn of a loop: `env.reset()`, and `env.step(action)` behind.

What ends an episode there is no limit that the library counts, which comes later.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from done_lint.core.ast_walk import walked
from done_lint.flowgraph.ast_text import unparsed
from done_lint.flowgraph.loops.short_episodes import REPEATED, blocks, called_on, mentions


def first_steps(tree: ast.Module, text: str) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The steps, and what takes them."""
    if ".reset(" not in text or ".step(" not in text:
        return
    loops = (one for one in walked(tree) if isinstance(one, (ast.For, ast.AsyncFor, ast.While)))
    inside = {id(node): node for loop in loops for node in walked(loop)}
    for block in (block for node in inside.values() for block in blocks(node)):
        for position, statement in enumerate(block):
            value = getattr(statement, "value", None) if isinstance(statement, (ast.Assign, ast.Expr)) else None
            if value is not None and (env := called_on(_whole(value), "reset")) is not None:
                yield from _behind(block[position + 1 :], unparsed(env))


def _whole(value: ast.expr) -> ast.expr:
    """The call of `env.reset()[0]`."""
    return value.value if isinstance(value, ast.Subscript) else value


def _behind(statements: list[ast.stmt], env: str) -> Iterator[tuple[ast.Call, ast.expr]]:
    """The step in the first statement that does something with an environment, if no loop is around it."""
    for statement in statements:
        inside = list(walked(statement))
        if mentions(inside, env):
            nested = {id(part) for one in inside if isinstance(one, REPEATED) for part in walked(one)}
            steps = [(one, on) for one in inside if (on := called_on(one, "step")) is not None and unparsed(on) == env]
            if len(steps) == 1 == mentions(inside, env) and id(steps[0][0]) not in nested:
                yield from ((one, on) for one, on in steps if isinstance(one, ast.Call))
            return
