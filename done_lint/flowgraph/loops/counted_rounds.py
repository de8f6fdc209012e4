"""Loops whose counter counts rounds, each of which holds many steps: its value says nothing of an episode's length.

`for n in range(rounds): for t in range(64): env.step(...)`; a loop over environments inside is no loop over steps. What
is left is a comparison with the loop's own bound: each turn may repeat one action. A loop inside that resets goes on
over the ends of episodes, and then not even that one is a limit.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from done_lint.core.ast_walk import children, walked
from done_lint.flowgraph.ast_text import last_name, unparsed

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def bounds_of_rounds(loop: ast.For | ast.AsyncFor) -> frozenset[str] | None:
    """The texts of what such a loop goes up to, without a number that is added; None: it may count steps."""
    steps = list(_steps(loop, ()))
    if not steps or any(inner is None for inner in steps):
        return None
    if any(_resets(inner) for inner in steps if inner is not None):
        return frozenset()
    given = loop.iter.args if isinstance(loop.iter, ast.Call) else []
    return frozenset(unparsed(_counted(one)) for one in given)


def is_bound(e: ast.expr, bounds: frozenset[str]) -> bool:
    """Whether a value is one of them, or that and a number."""
    return unparsed(_counted(e)) in bounds


def _counted(e: ast.expr) -> ast.expr:
    """`n` of `n + 1`."""
    plain = isinstance(e, ast.BinOp) and isinstance(e.op, (ast.Add, ast.Sub)) and isinstance(e.right, ast.Constant)
    return e.left if plain and isinstance(e, ast.BinOp) else e


def _steps(node: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[ast.AST | None]:
    """For every step below a node, the outermost loop around it that repeats it; None: there is none."""
    for one in children(node):
        called = one.func if isinstance(one, ast.Call) and (one.args or one.keywords) else None
        if isinstance(called, ast.Attribute) and called.attr.startswith("step"):  # an optimizer's takes nothing
            yield next((loop for loop in around if not _chooses(loop, called.value)), None)
        yield from _steps(one, (*around, one) if isinstance(one, _LOOPS) else around)


def _chooses(loop: ast.AST, stepped: ast.expr) -> bool:
    """Whether a loop goes over what is stepped: `for env in envs`, `for i in range(n): envs[i].step(...)`."""
    if not isinstance(loop, (ast.For, ast.AsyncFor)):
        return False
    names = {one.id for one in walked(loop.target) if isinstance(one, ast.Name)}
    return any(isinstance(one, ast.Name) and one.id in names for one in walked(stepped))


def _resets(loop: ast.AST) -> bool:
    return any(isinstance(one, ast.Call) and last_name(one.func) == "reset" for one in walked(loop))
