"""Loops that last beyond any time limit, unless the flag of a step ends them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from done_lint.facts.kinds.environments import Env, Made
from done_lint.knowledge.made_layers import LONGEST_LIMIT, is_limited_by_library
from done_lint.rewrites.context import Context
from done_lint.rewrites.episode_loops.loop_ends import Loop, always, exits, loops_around
from done_lint.rewrites.step_tuple.unpacking import Unpacking
from done_lint.syntax.arguments import keyword
from done_lint.syntax.dotted import last_name
from done_lint.syntax.tree import Tree


def lasting_loops(tree: Tree, unpacking: Unpacking) -> Iterator[Loop]:
    """The innermost `while` of the same function, and the innermost loop, if it lasts beyond the time limit."""
    around = list(loops_around(tree, unpacking.statement))
    yield from [one for one in around if isinstance(one, cst.While)][:1]
    yield from (one for one in around[:1] if isinstance(one, cst.For) and _outlasts(one, unpacking.step.env))


def is_endless(tree: Tree, loop: Loop) -> bool:
    """Whether the loop goes on for ever; one that ends may be shorter than the time limit."""
    return isinstance(loop, cst.While) and always(loop.test) and not any(exits(tree, loop))


def is_longer(tree: Tree, innermost: Sequence[Loop], env: Env) -> bool:
    """Whether a `for` takes more steps than any time limit, and nothing ends it before."""
    return any(isinstance(loop, cst.For) and _outlasts(loop, env) and not any(exits(tree, loop)) for loop in innermost)


def _outlasts(loop: cst.For, env: Env) -> bool:
    """`for t in count()`, and `for t in range(10000)` where the limits of all environments are known to be less."""
    call = loop.iter
    if not isinstance(call, cst.Call) or loop.orelse is not None or any(keyword(one) for one in call.args):
        return False
    if last_name(call.func) == "count":
        return True
    end = call.args[-1].value if last_name(call.func) == "range" and len(call.args) in (1, 2) else None
    if not isinstance(end, cst.Integer) or end.evaluated_value <= LONGEST_LIMIT:
        return False
    return bool(env.made) and all(map(_has_limit_of_library, env.made))


def tries_again(context: Context, loop: Loop, unpacking: Unpacking) -> bool:
    """Whether each round is an episode of its own, whose steps a `for` inside the loop counts."""
    inner = next(a for a in context.tree.ancestors(unpacking.statement) if isinstance(a, (cst.For, cst.While)))
    if inner is loop:
        return False
    rows = context.tree.span(loop), context.tree.span(inner)
    resets = [span for span in context.facts.resets if rows[0].row <= span.row <= rows[0].end_row]
    return any(not rows[1].row <= span.row <= rows[1].end_row for span in resets)


def _has_limit_of_library(made: Made) -> bool:
    """Whether every environment that a call makes has the time limit that the library registers it with."""
    asked = made.hidden or "max_episode_steps" in made.keywords
    return not asked and bool(made.ids) and all(map(is_limited_by_library, made.ids))
